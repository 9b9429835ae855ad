#include "monitord/config_yaml_dns.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "monitord/config_yaml_fields.hpp"
#include "monitord/config_yaml_seen.hpp"
#include "monitord/outputs/dns_name.hpp"
#include "monitord/policy_words.hpp"

namespace lvs::monitord {

using strictyaml::Node;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t max_socket_bytes = 107;  // sun_path less the final zero (unix(7))

std::string hint_for_name(const std::string& text) {
  if (text.ends_with('.') && is_dns_name(text.substr(0, text.size() - 1)))
    return "did you mean \"" + text.substr(0, text.size() - 1) + "\"?";
  if (text.find('@') != std::string::npos)
    return "write a mail address as the DNS does, with a dot: hostmaster.example.org";
  return "write it whole and without a dot at the end: www.example.org";
}

/// In small letters.
std::optional<std::string> name_from_node(const Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  if (is_dns_name(*text)) return plain_dns_name(*text);
  node.refuse_value("is no name of the DNS", hint_for_name(*text));
  return std::nullopt;
}

void set_name(const Node& node, std::string& target) {
  if (auto name = name_from_node(node)) target = *std::move(name);
}

/// PowerDNS is asked for whole seconds.
void set_ttl(const Node& node, std::chrono::nanoseconds& ttl) {
  auto wanted = ttl;
  set_duration(node, 1s, 1h, wanted);
  if (wanted % 1s == 0s) {
    ttl = wanted;
  } else {
    node.refuse_value("is no whole number of seconds", "write 1s or 2s");
  }
}

void set_nameservers(const Node& node, DnsConfig& dns) {
  if (!node.exists()) return;
  dns.nameservers.clear();
  for (const Node& item : node.items()) {
    auto name = name_from_node(item);
    if (!name) continue;
    if (!dns.zone.empty() && is_within_zone(*name, dns.zone)) {
      item.refuse_value("is within the zone, which has no address for it",
                        "name servers by names of another zone: ns1.example.org");
    }
    dns.nameservers.push_back(*std::move(name));
  }
}

}  // namespace

void set_dns(const Node& node, DnsConfig& dns) {
  if (!node.exists()) return;
  set_path(node["socket"], max_socket_bytes, dns.socket);
  const Node zone = node["zone"];
  set_name(zone, dns.zone);
  const Node servers = node["nameservers"];
  set_nameservers(servers, dns);
  set_name(node["contact"], dns.contact);
  set_ttl(node["ttl"], dns.ttl);
  if (zone.exists() && (!servers.exists() || (servers.is_sequence() && servers.items().empty()))) {
    (servers.exists() ? servers : zone)
        .error(node.path() + ": a zone has name servers, and none is named",
               "name those that the zone above delegates it to: nameservers: [ns1.example.org]");
  }
  node.reject_unknown_keys();
}

void set_dns_pool(const Node& node, PoolConfig& pool) {
  set_name(node["host"], pool.host);
  set_choice(node["choice"], dns_choice_words, pool.choice);
}

namespace {

void finish_pool(const Node& node, const DnsConfig& dns, PoolConfig& pool,
                 Seen<std::string>& seen) {
  const Node written = node["host"];
  const Node& place = written.exists() ? written : node["pool"];
  if (dns.zone.empty()) {
    node["output"].error(node.path() + ": there is no zone for it",
                         "outputs: {dns: {zone: lb.example.org, nameservers: [ns1.example.org]}}");
    return;
  }
  if (!written.exists()) {
    pool.host = plain_dns_name(std::string(pool.service.key.pool.text()) + "." + dns.zone);
  }
  if (pool.host.empty()) return;  // a problem already
  if (!is_dns_name(pool.host)) {
    place.error(node.path() + ": \"" + pool.host + "\" is no name of the DNS",
                "the pool's own name does not do: give it one, host: www." + dns.zone);
  } else if (!is_within_zone(pool.host, dns.zone)) {
    place.refuse_value("is no name of the zone " + dns.zone, "write www." + dns.zone);
  } else if (const auto [first, is_new] = seen.try_emplace(pool.host, place); !is_new) {
    place.error(node.path() + ": \"" + pool.host + "\" is another pool's name",
                "it is already in " + first->second.place_seen_from(node));
  }
}

}  // namespace

void finish_dns(const Node& root, Config& config) {
  const Node list = root["pools"];
  if (!list.is_sequence()) return;
  Seen<std::string> seen;
  auto pool = config.pools.begin();
  for (const Node& node : list.items()) {
    if (pool->service.output == OutputKind::dns && !pool->service.key.pool.empty())
      finish_pool(node, config.outputs.dns, *pool, seen);
    ++pool;
  }
}

}  // namespace lvs::monitord
