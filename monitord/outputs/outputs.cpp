#include "monitord/outputs/outputs.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace lvs::monitord {
namespace {

/// HAProxy asks every two seconds: what it was not told yet is no mismatch.
constexpr unsigned readings_to_tell = 4;

}  // namespace

Outputs::Outputs(boost::asio::io_context& io, ipvs::Table& kernel, std::function<Moment()> clock,
                 const Config& config, const Remembered& remembered)
    : io_(io),
      clock_(std::move(clock)),
      nginx_(io),
      table_(kernel, {&track_files_, &haproxy_, &nginx_, &dns_}, clock_),
      stats_(io, [this](const std::string& socket, std::span<const ServerStats> stats) {
        take_stats(socket, stats);
      }) {
  configure(config, remembered);
}

void Outputs::configure(const Config& config, const Remembered& remembered) {
  listed_ = config;
  if (listed_.services) {
    for (const auto& pool : config.pools)
      listed_.services->push_back(pool.service);
  }
  nginx_.configure(config.outputs.nginx);
  dns_.configure(config);
  table_.configure(config, remembered);
  std::set<std::string> sockets;
  for (const auto& pool : config.pools) {
    if (!pool.stats.empty()) sockets.insert(pool.stats);
  }
  stats_.configure(std::move(sockets));
  mismatches_.clear();
  wanted_listen_ = haproxy_.is_wanted() ? config.outputs.haproxy_listen : std::string();
  wanted_socket_ = dns_.is_wanted() ? config.outputs.dns.socket : std::string();
}

void Outputs::serve() {
  serve_haproxy();
  serve_dns();
}

void Outputs::serve_dns() {
  if (wanted_socket_ == open_socket_) return;
  dns_server_.reset();
  dns_problem_.clear();
  open_socket_.clear();
  if (wanted_socket_.empty()) return;
  dns_server_ = std::make_unique<DnsServer>(
      io_, [this](std::string_view line) { return dns_.answer(line, chance_()); });
  if (auto opened = dns_server_->open(wanted_socket_); opened) {
    open_socket_ = wanted_socket_;
  } else {
    dns_problem_ = std::move(opened.error());
    dns_server_.reset();
  }
}

void Outputs::serve_haproxy() {
  if (wanted_listen_ == open_listen_) return;
  server_.reset();
  problem_.clear();
  open_listen_.clear();
  if (wanted_listen_.empty()) return;
  auto handlers = AgentCheckServer::Handlers{
      [this](std::string_view question) { return haproxy_.answer(question, clock_()); },
      [this] { return haproxy_.answer_to_slow(); }};
  server_ = std::make_unique<AgentCheckServer>(io_, std::move(handlers));
  if (auto opened = server_->open(wanted_listen_); opened) {
    open_listen_ = wanted_listen_;
  } else {
    problem_ = std::move(opened.error());
    server_.reset();
  }
}

void Outputs::take_stats(const std::string& socket, std::span<const ServerStats> stats) {
  for (const auto& pool : listed_.pools) {
    if (pool.stats != socket) continue;
    const auto& key = pool.service.key;
    for (const auto& [destination, counters] : counters_of_pool(pool, stats))
      table_.count({key, destination}, counters);
    const auto entry = table_.service(key);
    // A dry run tells HAProxy nothing.
    if (!entry || !server_) continue;
    auto& [before, readings] = mismatches_[key];
    auto note = note_about_zeros(pool, *entry, stats);
    readings = note == before ? readings + 1 : 1;
    before = std::move(note);
  }
}

std::vector<std::string> Outputs::notes() const {
  auto notes = table_.notes();
  std::ranges::move(stats_.notes(), std::back_inserter(notes));
  for (const auto& [pool, mismatch] : mismatches_) {
    const auto& [note, readings] = mismatch;
    if (!note.empty() && readings >= readings_to_tell) notes.push_back(note);
  }
  if (!problem_.empty()) notes.push_back(problem_);
  if (!dns_problem_.empty()) notes.push_back(dns_problem_);
  return notes;
}

}  // namespace lvs::monitord
