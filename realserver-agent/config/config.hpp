#pragma once

// The agent's configuration as values. How it is written down is in config_yaml.hpp.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentproto/key.hpp"
#include "agentproto/lfb1.hpp"
#include "ipvs/types.hpp"
#include "realserver-agent/config/prefix.hpp"

namespace lvs::agent {

enum class Security { keys, none };

struct Config {
  std::vector<ipvs::IpAddress> listen{};  ///< never empty after parsing
  std::uint16_t port{agentproto::default_port};
  /// Empty: the agent goes by the address that it was asked at.
  std::optional<std::string> name{};
  Security security{Security::keys};
  std::string keys_file{"/etc/realserver-agent/keys.yaml"};
  std::vector<Prefix> allow{};  ///< empty: everybody (with keys only)
  std::chrono::nanoseconds sample_interval{std::chrono::seconds{1}};
  unsigned rate_limit{20};  ///< requests per second and source
  std::string drain_file{"/etc/realserver-agent/drain"};
  std::uint64_t line_rate_mbit{};  ///< of the network in one direction; 0: what the kernel says
  std::string log_level{"info"};
  std::string log_format{"text"};  ///< or "json"

  friend bool operator==(const Config&, const Config&) = default;
};

/// One of the keys that the agent answers to.
struct AgentKey {
  std::uint32_t id{};  ///< never 0: that is the keyless form
  agentproto::Key key{};

  friend bool operator==(const AgentKey&, const AgentKey&) = default;
};

}  // namespace lvs::agent
