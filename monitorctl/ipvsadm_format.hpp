#pragma once

// The table as `ipvsadm -Ln` of version 1.31 prints it, byte for byte: scripts and Zabbix templates
// parse that text. Pure.

#include <cstdint>
#include <span>
#include <string>

#include "ipvs/types.hpp"

namespace lvs::monitorctl {

/// Which columns: ipvsadm's --stats, --rate, --thresholds, --persistent-conn, --tun-info.
enum class Listing { standard, statistics, rates, thresholds, persistent_connections, tunnels };

struct ListingFormat {
  Listing listing{Listing::standard};
  bool exact{};  ///< --exact: all digits of large counters

  friend bool operator==(const ListingFormat&, const ListingFormat&) = default;
};

/// A counter, right aligned in 9 columns: plain below 10^8, then K, M, G, T (decimal, cut, not
/// rounded). With `exact` all digits, and always a blank in front of them.
std::string number_column(std::uint64_t number, bool exact);

/// "ipip", "gue:5555:+c", "gre:-c"; "n/a" for what is no tunnel.
std::string tunnel_name(const ipvs::Destination& destination);
/// "persistent 360 mask 255.255.255.0 pe sip", without what does not apply; may be empty.
std::string persistence_text(const ipvs::Service& service);
/// "sh-fallback,sh-port", "mh-port", "flag-1"; empty without scheduler flags.
std::string scheduler_flags_text(const ipvs::Service& service);
/// "TCP  10.9.9.9:80", "FWM  7", "FWM  7 IPv6".
std::string service_name(const ipvs::ServiceKey& key);
/// The service's line of the standard listing, without the line's end.
std::string service_heading(const ipvs::Service& service);

/// "1.2.1"
std::string version_text(const ipvs::KernelInfo& info);
/// "IP Virtual Server version 1.2.1 (size=4096)\n"
std::string version_line(const ipvs::KernelInfo& info);
/// Headings and services, in the order given. ipvsadm omits the version line for one service only.
std::string listing_text(std::span<const ipvs::ServiceEntry> services, const ListingFormat& format);

}  // namespace lvs::monitorctl
