#include "monitord/config_yaml_http.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ipvs/types.hpp"
#include "monitord/config_yaml_fields.hpp"

namespace lvs::monitord {

using strictyaml::Node;

namespace {

constexpr std::size_t max_socket_bytes = 107;  // sun_path less the final zero (unix(7))
constexpr std::size_t max_host_bytes = 253;    // RFC 1035 in text

void set_listen(const Node& node, std::string& listen) {
  const auto text = node.as_string();
  if (!text) return;
  if (*text == "none") {
    listen.clear();
    return;
  }
  if (text->starts_with('/')) return set_path(node, max_socket_bytes, listen);
  const auto place = ipvs::destination_key_from_string(*text);
  if (!place || place->port == 0) {
    node.refuse_value("is no place to listen at",
                      "write 127.0.0.1:6354, [::1]:6354, the path of a Unix socket, or none");
    return;
  }
  listen = *text;
  if (is_loopback(place->address)) return;
  node.warn(node.path() + ": others than this host can read the status page",
            "it shows addresses and load without a password; let a proxy ask for one");
}

bool is_host_name(std::string_view text) {
  return !text.empty() && text.size() <= max_host_bytes && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
}

void set_hosts(const Node& node, std::vector<std::string>& hosts) {
  if (!node.exists()) return;
  hosts.clear();
  for (const Node& item : node.items()) {
    const auto name = item.as_string();
    if (!name) continue;
    if (is_host_name(*name)) {
      hosts.push_back(*name);
    } else {
      item.refuse_value("is no name of a host", "write it without a port: lvs1.example.org");
    }
  }
}

}  // namespace

void set_http(const Node& node, HttpConfig& http) {
  if (!node.exists()) return;
  set_listen(node["listen"], http.listen);
  set_hosts(node["hosts"], http.hosts);
  node.reject_unknown_keys();
}

}  // namespace lvs::monitord
