#pragma once

// What may be better about a service: one function a rule, each pure, each empty where it has
// nothing to say. Sources of what they claim: net/netfilter/ipvs of Linux 6.1, and the figures in
// docs/BENCHMARKS.md.

#include <optional>
#include <vector>

#include "monitorctl/advice.hpp"

namespace lvs::monitorctl {

// advice_rules_weights.cpp
/// wrr with weights of large integers: it deals in runs, and smaller integers say the same.
std::optional<Finding> wrr_bursts(const ServiceFacts& facts);
/// wrr where connections are short: sed with equal weights looks at the queues instead.
std::optional<Finding> sed_is_the_rival(const ServiceFacts& facts);
/// rr, lc and dh with weights that somebody means something by.
std::optional<Finding> weights_ignored(const ServiceFacts& facts);
/// wrr and rr whose connections do not go where the weights say.
std::optional<Finding> shares_differ(const ServiceFacts& facts);

// advice_rules_connections.cpp
/// wlc and lc with next to no open connections: past ones decide.
std::optional<Finding> wlc_sees_the_past(const ServiceFacts& facts);
/// sed and nq on UDP: no connection is ever active there, and one server gets all.
std::optional<Finding> udp_is_never_active(const ServiceFacts& facts);
/// A destination at its upper threshold, or near it.
std::optional<Finding> threshold_reached(const ServiceFacts& facts);
/// Weight 0 and still connections.
std::optional<Finding> drained_with_connections(const ServiceFacts& facts);
/// Open connections come and go while no counter moves.
std::optional<Finding> counters_stand_still(const ServiceFacts& facts);

// advice_rules_clients.cpp
/// Persistence with so few clients that chance decides.
std::optional<Finding> few_persistent_clients(const ServiceFacts& facts);
/// sh and mh whose weights change: clients move.
std::optional<Finding> hash_moves_clients(const ServiceFacts& facts);
/// sh with more weight than its table has slots: somebody gets none.
std::optional<Finding> hash_has_no_slot(const ServiceFacts& facts);
/// sh and mh without a way round weight 0: clients are refused.
std::optional<Finding> hash_refuses_clients(const ServiceFacts& facts);

/// All of them, the worst first.
std::vector<Finding> findings_of(const ServiceFacts& facts);

}  // namespace lvs::monitorctl
