#pragma once

// `outputs: {dns: …}`, and the names of pools with `output: dns`.

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

void set_dns(const strictyaml::Node& node, DnsConfig& dns);

/// `host:` and `choice:` of a pool; the default of the host has to wait for finish_dns().
void set_dns_pool(const strictyaml::Node& node, PoolConfig& pool);

/// Once all is read: pools get the names that they have by default; each is a name of the zone, and
/// of no other pool.
void finish_dns(const strictyaml::Node& root, Config& config);

}  // namespace lvs::monitord
