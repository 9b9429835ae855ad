#pragma once

// `outputs:`, and the output of an entry of `services:` in monitord.yaml.

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// Warns where others than this host could ask for weights.
void set_outputs(const strictyaml::Node& node, OutputsConfig& outputs);

/// What a pool of this output has instead of what `defaults:` say, unless it says otherwise itself.
/// Everything else is inherited.
Policy policy_for_output(OutputKind output, const Policy& defaults);

/// `output:` and `folder:` of a service. Its policy has to be known.
void set_output(const strictyaml::Node& node, ServiceConfig& service);

/// What the policy of a service or pool asks of its output, and the output cannot do, is a problem.
void check_capabilities(const strictyaml::Node& node, const ServiceConfig& service);

/// Once all is read: track files need bases, a folder has the files of one service, and a backend
/// of HAProxy's or a file that nginx includes is one pool's.
void check_outputs(const strictyaml::Node& root, const Config& config);

}  // namespace lvs::monitord
