#pragma once

// Values of the kernel's IPVS table: what a service and a destination are. No I/O, no libnl.
// Numbers and names follow include/uapi/linux/ip_vs.h.

#include <endian.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::ipvs {

/// Address family, with the kernel's numbers (AF_INET, AF_INET6).
enum class Family : std::uint16_t { inet = 2, inet6 = 10 };

/// An IPv4 or IPv6 address as IPVS_*_ATTR_ADDR holds it: 16 bytes, IPv4 in the first four.
struct IpAddress {
  Family family{Family::inet};
  std::array<std::uint8_t, 16> bytes{};

  /// By family, then by bytes as they go over the wire. Eight at a time: tables of thousands are
  /// kept in this order, and most of their time went into calls of memcmp.
  friend std::strong_ordering operator<=>(const IpAddress& a, const IpAddress& b) {
    if (const auto order = a.family <=> b.family; order != 0) return order;
    if (const auto order = a.half(0) <=> b.half(0); order != 0) return order;
    return a.half(1) <=> b.half(1);
  }
  friend bool operator==(const IpAddress& a, const IpAddress& b) { return (a <=> b) == 0; }

  /// For tables of addresses that nobody outside chooses.
  struct Hash {
    std::size_t operator()(const IpAddress& address) const {
      constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
      const auto mixed = (address.half(0) ^ (address.half(1) * odd)) * odd;
      return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
    }
  };

 private:
  /// The first or the second eight bytes as a big-endian number.
  [[nodiscard]] std::uint64_t half(std::size_t which) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + 8 * which, sizeof value);
    return be64toh(value);
  }
};

/// "10.0.0.11", "2001:db8::1" (RFC 5952; no brackets, no zone). Empty when it is neither.
std::optional<IpAddress> ip_address_from_string(std::string_view text);
std::string string_from_ip_address(const IpAddress& address);

/// Transport protocol with its IP protocol number. A fwmark service has none.
enum class Protocol : std::uint16_t { none = 0, tcp = 6, udp = 17, sctp = 132 };

/// Name of a pool that monitord's configuration declares and no kernel knows: 1 to 31 of A-Z a-z
/// 0-9 . _ -, a letter or digit first. Held in place, since keys of services are copied a lot.
class PoolName {
 public:
  static constexpr std::size_t longest = 31;

  PoolName() = default;  ///< none
  static std::optional<PoolName> from_string(std::string_view text);

  [[nodiscard]] bool empty() const { return bytes_[0] == '\0'; }
  [[nodiscard]] std::string_view text() const { return bytes_.data(); }

  friend auto operator<=>(const PoolName&, const PoolName&) = default;

 private:
  std::array<char, longest + 1> bytes_{};  ///< zeros behind the name
};

/// Identity of a virtual service: (family, fwmark) or (family, protocol, address, port). Of a pool
/// without IPVS its name, all else as it is by default.
struct ServiceKey {
  Family family{Family::inet};
  Protocol protocol{Protocol::none};
  IpAddress address{};     ///< all zero for a fwmark service
  std::uint16_t port{};    ///< host byte order
  std::uint32_t fwmark{};  ///< 0: not a fwmark service
  PoolName pool{};         ///< empty: a service of the kernel's table

  [[nodiscard]] bool is_fwmark() const { return fwmark != 0; }
  [[nodiscard]] bool is_pool() const { return !pool.empty(); }
  friend auto operator<=>(const ServiceKey&, const ServiceKey&) = default;
};

/// Identity of a destination within one service. Port 0 is an ordinary port (fwmark + DR/TUN).
struct DestinationKey {
  IpAddress address{};
  std::uint16_t port{};  ///< host byte order

  friend auto operator<=>(const DestinationKey&, const DestinationKey&) = default;
};

/// "tcp 10.9.9.9:80", "udp [fd00::9]:53", "fwm 7", "fwm6 7", "pool web": how JSON, logs and
/// verdicts name it.
std::string string_from_service_key(const ServiceKey& key);
/// "10.0.0.11:80", "[fd00::11]:80".
std::string string_from_destination_key(const DestinationKey& key);
/// Takes "tcp:VIP:PORT", "udp:...", "sctp:...", "fwm:N", "fwm6:N", "pool:NAME" and the JSON form
/// above.
std::optional<ServiceKey> service_key_from_string(std::string_view text);
std::optional<DestinationKey> destination_key_from_string(std::string_view text);

/// IP_VS_CONN_F_FWD_MASK of the connection flags. 5 to 7 have no name but the kernel stores them.
enum class ForwardingMethod : std::uint32_t {
  masquerade = 0,
  local_node = 1,
  tunnel = 2,
  direct_route = 3,
  bypass = 4,
};
/// As ipvsadm -Ln has them: "Masq", "Local", "Tunnel", "Route", "Bypass"; "(null)" for 5 to 7.
std::string_view string_from_forwarding_method(ForwardingMethod method);

/// IPVS_DEST_ATTR_TUN_TYPE: how a `tunnel` destination is encapsulated.
enum class TunnelType : std::uint8_t { ipip = 0, gue = 1, gre = 2 };

struct Tunnel {
  TunnelType type{TunnelType::ipip};
  std::uint16_t port{};   ///< GUE only, host byte order
  std::uint16_t flags{};  ///< IP_VS_TUNNEL_ENCAP_FLAG_*: 1 checksum, 2 remote checksum

  friend bool operator==(const Tunnel&, const Tunnel&) = default;
};

/// Counters of a service or destination. Totals count since creation (or the last ZERO) and are
/// refreshed by the kernel's estimator every 2 s only; rates settle over about 10 s.
struct Statistics {
  std::uint64_t connections{};  ///< scheduled, not current
  std::uint64_t in_packets{};
  std::uint64_t out_packets{};
  std::uint64_t in_bytes{};
  std::uint64_t out_bytes{};
  std::uint64_t connections_per_second{};
  std::uint64_t in_packets_per_second{};
  std::uint64_t out_packets_per_second{};
  std::uint64_t in_bytes_per_second{};
  std::uint64_t out_bytes_per_second{};

  friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// IP_VS_SVC_F_*
namespace service_flag {
inline constexpr std::uint32_t persistent = 0x1;
inline constexpr std::uint32_t hashed = 0x2;  ///< always set on read: not a setting
inline constexpr std::uint32_t one_packet = 0x4;
inline constexpr std::uint32_t sched1 = 0x8;   ///< sh-fallback, mh-fallback
inline constexpr std::uint32_t sched2 = 0x10;  ///< sh-port, mh-port
inline constexpr std::uint32_t sched3 = 0x20;
}  // namespace service_flag

/// A virtual service as read.
struct Service {
  ServiceKey key{};
  std::string scheduler{};           ///< "wrr", "wlc", …; "none" when no scheduler is bound
  std::uint32_t flags{};             ///< service_flag, `hashed` masked off
  std::uint32_t timeout_s{};         ///< persistence timeout in seconds
  std::uint32_t netmask{};           ///< IPv4: mask, host order; IPv6: prefix length
  std::string persistence_engine{};  ///< "" or "sip"
  Statistics statistics{};

  friend bool operator==(const Service&, const Service&) = default;
};

/// A destination as read. `raw` is the payload of its IPVS_CMD_ATTR_DEST attribute, byte for byte:
/// a weight is written by sending it back with WEIGHT alone changed, so that forwarding method,
/// thresholds, tunnel data and attributes that this version does not know survive (SET_DEST is a
/// full replace: net/netfilter/ipvs/ip_vs_ctl.c, __ip_vs_update_dest).
struct Destination {
  DestinationKey key{};
  std::uint32_t weight{};  ///< 0..2147483647
  ForwardingMethod forwarding{ForwardingMethod::masquerade};
  Tunnel tunnel{};
  std::uint32_t upper_threshold{};         ///< 0: none
  std::uint32_t lower_threshold{};         ///< 0: none
  std::uint32_t active_connections{};      ///< live
  std::uint32_t inactive_connections{};    ///< live; TIME_WAIT entries among them
  std::uint32_t persistent_connections{};  ///< live
  Statistics statistics{};
  std::vector<std::byte> raw{};

  friend bool operator==(const Destination&, const Destination&) = default;
};

/// A service with its destinations, in the kernel's order (newest first).
struct ServiceEntry {
  Service service{};
  std::vector<Destination> destinations{};

  friend bool operator==(const ServiceEntry&, const ServiceEntry&) = default;
};

/// The answer to GET_INFO: the first line of `ipvsadm -L`.
struct KernelInfo {
  std::uint32_t version{};                ///< 0x010201 is 1.2.1; the same in all kernels so far
  std::uint32_t connection_table_size{};  ///< buckets of the connection hash table

  friend bool operator==(const KernelInfo&, const KernelInfo&) = default;
};

}  // namespace lvs::ipvs
