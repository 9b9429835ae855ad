#pragma once

// The finished cycle as metrics. Destinations have the labels of node_exporter's ipvs collector, so
// that its series and these can be joined.

#include <string>

#include "monitord/metric_families.hpp"
#include "monitord/published.hpp"

namespace lvs::monitord {

/// What `GET /metrics` answers; docs/OPERATIONS.md explains every family.
std::string metrics_from_published(const Published& published);

/// local_address, local_port, local_mark, proto, remote_address, remote_port: as node_exporter
/// reads them from /proc/net/ip_vs.
Labels backend_labels(const DestinationId& id);
/// The first four of them. A mark has no address and, as node_exporter writes it, the port 0.
Labels service_labels(const ipvs::ServiceKey& service);

}  // namespace lvs::monitord
