#pragma once

// `probe:` of monitord.yaml.

#include <chrono>
#include <optional>

#include "ipvs/types.hpp"
#include "monitord/probe_config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// Changes the inherited probe by what `node` says; `type: none` takes it away.
void set_probe(const strictyaml::Node& node, std::optional<ProbeConfig>& probe);

/// After the interval of the cycles is known: a probe has to end before the next one begins. `node`
/// is the section; where there is none, what it would inherit was checked before.
void check_probe_times(const strictyaml::Node& node, const std::optional<ProbeConfig>& probe,
                       std::chrono::nanoseconds cycle);

/// Warns of a probe over TCP for a service that takes none.
void warn_probe_without_port(const strictyaml::Node& node, const std::optional<ProbeConfig>& probe,
                             const ipvs::ServiceKey& service);

}  // namespace lvs::monitord
