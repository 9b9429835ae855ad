#include "monitord/outputs/dns_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ipvs/error.hpp"
#include "monitord/outputs/dns_name.hpp"

namespace lvs::monitord {
namespace {

using Method = DnsQuestion::Method;

/// Nobody takes a copy of the zone: no version of it is older than another.
constexpr unsigned serial = 1;
constexpr std::uint32_t name_server_ttl_s = 3600;

std::string contact_of(const DnsConfig& zone) {
  return zone.contact.empty() ? "hostmaster." + zone.zone : zone.contact;
}

}  // namespace

void DnsAnswers::configure(const Config& config) {
  zone_ = config.outputs.dns;
  ttl_s_ = static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::seconds>(zone_.ttl).count());
  choices_.clear();
  for (auto const& pool : config.pools) {
    if (pool.service.output == OutputKind::dns) choices_[pool.service.key] = pool.choice;
  }
}

void DnsAnswers::declare(const std::vector<OutputPool>& pools, bool acts, Moment /*now*/) {
  acts_ = acts;
  hosts_.clear();
  for (auto const& pool : pools)
    hosts_[plain_dns_name(pool.place)] = {pool.service, pool.servers};
}

std::vector<Output::Result> DnsAnswers::apply(const ipvs::ServiceKey& service,
                                              std::span<const OutputServer> weights) {
  std::vector<Result> results;
  auto const host =
      std::ranges::find_if(hosts_, [&](auto const& item) { return item.second.pool == service; });
  for (auto const& wanted : weights) {
    std::span<OutputServer> servers;
    if (host != hosts_.end()) servers = host->second.servers;
    auto const known = std::ranges::find(servers, wanted.key, &OutputServer::key);
    if (known == servers.end()) {
      results.push_back(tl::unexpected(ipvs::no_such_destination_error(service, wanted.key)));
      continue;
    }
    known->weight = wanted.weight;
    results.emplace_back();
  }
  return results;
}

std::string DnsAnswers::answer(std::string_view line, std::uint64_t chance) {
  auto const question = dns_question_from_line(line);
  if (!question) {
    ++counters_.malformed;
    return dns_no_line();
  }
  if (question->method == Method::lookup) return lookup(*question, chance);
  ++counters_.other;
  switch (question->method) {
    case Method::initialize:
      return dns_yes_line();
    case Method::domain_info:
      return plain_dns_name(question->name) == zone_.zone ? dns_zone_line(zone_.zone, false)
                                                          : dns_no_line();
    case Method::all_domains:
      return dns_zone_line(zone_.zone, true);
    case Method::all_metadata:
      return dns_no_metadata_line(true);
    case Method::metadata:
      return dns_no_metadata_line(false);
    default:
      return dns_no_line();
  }
}

/// Of another type than was asked for PowerDNS takes nothing, above all beside an SOA.
std::string DnsAnswers::lookup(const DnsQuestion& question, std::uint64_t chance) {
  auto const name = plain_dns_name(question.name);
  std::vector<DnsRecord> records;
  if (name == zone_.zone) add_zone(records);
  if (auto const host = hosts_.find(name); host != hosts_.end())
    add_addresses(host->second, chance, records);
  if (question.type != "ANY") {
    std::erase_if(records, [&](const DnsRecord& one) { return one.type != question.type; });
  }
  bool const has_address = std::ranges::any_of(
      records, [](const DnsRecord& one) { return one.type == "A" || one.type == "AAAA"; });
  ++(has_address ? counters_.addresses : counters_.other);
  return dns_records_line(question.name, records);
}

void DnsAnswers::add_zone(std::vector<DnsRecord>& records) const {
  if (zone_.nameservers.empty()) return;
  // Refresh, retry and expiry are for copies; the last number is how long "no such name" is kept.
  auto const soa = fmt::format("{}. {}. {} 3600 600 604800 {}", zone_.nameservers.front(),
                               contact_of(zone_), serial, ttl_s_);
  records.push_back({"SOA", soa, ttl_s_});
  for (auto const& server : zone_.nameservers)
    records.push_back({"NS", server + ".", name_server_ttl_s});
}

void DnsAnswers::add_addresses(const Host& host, std::uint64_t chance,
                               std::vector<DnsRecord>& records) const {
  auto const known = choices_.find(host.pool);
  auto const choice = known == choices_.end() ? DnsChoice::weighted : known->second;
  for (auto const family : {ipvs::Family::inet, ipvs::Family::inet6}) {
    auto const chosen = chosen_server(host.servers, family, choice, chance);
    if (!chosen) continue;
    records.push_back({family == ipvs::Family::inet ? "A" : "AAAA",
                       ipvs::string_from_ip_address(host.servers[*chosen].key.address), ttl_s_});
  }
}

}  // namespace lvs::monitord
