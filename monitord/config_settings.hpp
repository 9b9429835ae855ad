#pragma once

// A configuration as the settings of monitord.yaml: for telling what a reload changes, and for
// writing the configuration down again.

#include <string>
#include <vector>

#include "monitord/config.hpp"

namespace lvs::monitord {

struct Setting {
  enum class Form {
    plain,  ///< a number, a duration, a word of monitord.yaml
    text,   ///< whatever people wrote
    list,   ///< of texts
  };
  std::string key{};  ///< within its section: "weights.min"
  Form form{Form::plain};
  std::vector<std::string> values{};  ///< one; of a list any number; none: not set

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// All but `defaults:`, `servers:`, `services:` and `pools:`. Here and below in the order of
/// monitord.yaml, what belongs to one map together.
std::vector<Setting> settings_from_config(const Config& config);
/// Of `defaults:` or of a service. Without a probe `probe.type` is "none".
std::vector<Setting> settings_from_policy(const Policy& policy);
/// Where the weights of a service go: `output`, and what belongs to it.
std::vector<Setting> settings_from_output(const ServiceConfig& service);
/// Of an entry of `pools:`, but for its policy and its servers.
std::vector<Setting> settings_from_pool(const PoolConfig& pool);
/// Of an entry of `servers:`.
std::vector<Setting> settings_from_server(const ServerConfig& server);

/// `tcp:10.9.9.9:80`, as monitord.yaml writes it.
std::string yaml_from_service_key(const ipvs::ServiceKey& service);

}  // namespace lvs::monitord
