#include "monitord/outputs/haproxy_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "ipvs/error.hpp"

namespace lvs::monitord {
namespace {

constexpr unsigned largest_percent = 25600;
constexpr std::size_t most_named = 5;  ///< servers in a note

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == ':';
  });
}

/// Without control characters, and not longer than a line of a log wants.
std::string shown(std::string_view question) {
  constexpr std::size_t longest = 60;
  std::string text(question.substr(0, std::min(longest, question.find_first_of("\r\n"))));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i)
    text.append(text.empty() ? "" : ", ").append(names[i]);
  if (names.size() <= most_named) return text;
  return fmt::format("{} and {} more", text, names.size() - most_named);
}

}  // namespace

std::optional<AgentQuestion> question_from_line(std::string_view line) {
  line = line.substr(0, line.find_first_of("\r\n"));
  auto const slash = line.find('/');
  if (line.size() > longest_question || slash == std::string_view::npos) return std::nullopt;
  AgentQuestion const question{line.substr(0, slash), line.substr(slash + 1)};
  if (!is_name(question.backend) || !is_name(question.server)) return std::nullopt;
  return question;
}

unsigned haproxy_percent(std::uint32_t weight, std::uint32_t base) {
  if (weight == 0 || base == 0) return 0;
  auto const exact = (std::uint64_t{100} * weight + base - 1) / base;
  return static_cast<unsigned>(std::min<std::uint64_t>(exact, largest_percent));
}

void HaproxyAnswers::declare(const std::vector<OutputPool>& pools, bool acts, Moment now) {
  auto const before = std::exchange(servers_, {});
  bool const begins = acts && !acts_;
  acts_ = acts;
  backends_.clear();
  for (auto const& pool : pools) {
    backends_[pool.service] = pool.place;
    for (auto const& server : pool.servers) {
      auto const known = before.find(Name{pool.place, server.name});
      auto& mine = servers_[Name{pool.place, server.name}];
      if (known != before.end()) mine = known->second;
      if (begins || known == before.end() || known->second.let_go) mine.since = now;
      auto const same =
          haproxy_percent(mine.weight, mine.base) == haproxy_percent(server.weight, server.base);
      mine.told = mine.told && same;
      mine.pool = pool.service;
      mine.base = server.base;
      mine.weight = server.weight;
      mine.let_go = false;
    }
  }
  for (auto const& [name, server] : before) {
    if (!acts || server.weight != 0 || servers_.contains(name)) continue;
    auto& freed = servers_[name] = server;
    freed.let_go = true;
    freed.told = false;
    freed.weight = server.base;
  }
}

std::vector<Output::Result> HaproxyAnswers::apply(const ipvs::ServiceKey& service,
                                                  std::span<const OutputServer> weights) {
  std::vector<Result> results;
  auto const backend = backends_.find(service);
  for (auto const& wanted : weights) {
    auto const server = backend == backends_.end()
                            ? servers_.end()
                            : servers_.find(Name{backend->second, wanted.name});
    if (server == servers_.end()) {
      results.push_back(tl::unexpected(ipvs::no_such_destination_error(service, wanted.key)));
      continue;
    }
    server->second.told = server->second.told && server->second.weight == wanted.weight;
    server->second.weight = wanted.weight;
    results.emplace_back();
  }
  return results;
}

HaproxyAnswers::Servers::iterator HaproxyAnswers::find(const AgentQuestion& question) {
  return servers_.find(Name{question.backend, question.server});
}

std::string HaproxyAnswers::answer(std::string_view question, Moment now) {
  auto const asked = question_from_line(question);
  if (!asked) {
    ++counters_.malformed;
    faults_["malformed"] = shown(question);
    return "monitord-expects-BACKEND/SERVER\n";
  }
  auto const found = find(*asked);
  if (found == servers_.end()) {
    ++counters_.unknown;
    faults_["unknown"] = shown(question);
    return fmt::format("monitord-has-no-server-{}/{}\n", asked->backend, asked->server);
  }
  ++counters_.answered;
  auto& server = found->second;
  server.asked = now;
  server.told = true;
  auto answer = fmt::format("up {}%\n", haproxy_percent(server.weight, server.base));
  if (server.let_go) servers_.erase(found);
  return answer;
}

std::string HaproxyAnswers::answer_to_slow() {
  ++counters_.timeouts;
  faults_["timeout"] = "the end of agent-send has to be \\n";
  return "monitord-expects-BACKEND/SERVER-and-a-line-feed\n";
}

bool HaproxyAnswers::all_told() const {
  return std::ranges::all_of(servers_, [](auto const& item) {
    return item.second.told || !item.second.asked.has_value();
  });
}

bool HaproxyAnswers::is_silent(const Server& server, Moment now) {
  return !server.let_go &&
         now - std::max(server.since, server.asked.value_or(server.since)) > silence;
}

std::vector<std::string> HaproxyAnswers::notes(Moment now) const {
  if (!acts_) return {};
  std::map<ipvs::ServiceKey, std::vector<std::string>> silent;
  for (auto const& [name, server] : servers_) {
    if (is_silent(server, now)) silent[server.pool].push_back(name.second);
  }
  std::vector<std::string> notes;
  notes.reserve(silent.size());
  for (auto const& [pool, names] : silent) {
    notes.push_back(fmt::format(
        "{}: HAProxy does not ask for {}, and keeps the weight it has: does its server line in "
        "backend {} have agent-check, and agent-send \"{}/NAME\\n\"?",
        ipvs::string_from_service_key(pool), joined(names), backends_.at(pool),
        backends_.at(pool)));
  }
  return notes;
}

}  // namespace lvs::monitord
