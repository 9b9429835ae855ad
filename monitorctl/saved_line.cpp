#include "monitorctl/saved_line.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "monitorctl/saved_table.hpp"
#include "strictyaml/number.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitorctl {
namespace {

using strictyaml::in_quotes;
using strictyaml::number_from_string;
using strictyaml::ProblemList;
namespace flag = ipvs::service_flag;

constexpr std::uint32_t largest_number = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t default_timeout_s = 300;
/// For what is no address.
std::string hint_on_names(std::string_view text) {
  return text.starts_with('[') ? "" : "names are not looked up: ipvsadm -Sn saves numbers";
}

/// What one line gives, with a problem for each value that is none.
class LineReader {
 public:
  LineReader(const SavedLine& line, ProblemList& problems)
      : command_(line.command), given_(line.given), problems_(problems) {}

  std::optional<ipvs::ServiceKey> key() {
    for (const auto& [option, prefix] : service_options) {
      if (const auto* const value = value_of(option)) return key_of(*value, prefix);
    }
    if (const auto* const mark = value_of(SavedOption::mark)) return key_of_mark(*mark);
    problems_.error(command_.where, "the line names no service", "-t, -u, --sctp-service or -f");
    return std::nullopt;
  }

  std::optional<ipvs::Service> service(const ipvs::ServiceKey& key) {
    ipvs::Service made;
    made.key = key;
    const auto* const scheduler = value_of(SavedOption::scheduler);
    made.scheduler = scheduler == nullptr ? "wlc" : std::string(scheduler->text);
    if (made.scheduler == "none") refuse(*scheduler, "is no scheduler");
    take_persistence(made);
    take_flags(made);
    check_service(made);
    if (!good_) return std::nullopt;
    return made;
  }

  std::optional<ipvs::Destination> destination(const ipvs::ServiceKey& service) {
    ipvs::Destination made;
    take_forwarding(made);
    if (!take_address(service, made)) return std::nullopt;
    made.weight = number(SavedOption::weight, 0, largest_number).value_or(1);
    made.upper_threshold = number(SavedOption::upper, 0, largest_number).value_or(0);
    made.lower_threshold = number(SavedOption::lower, 0, largest_number).value_or(0);
    take_tunnel(made);
    check_destination(service, made);
    if (!good_) return std::nullopt;
    return made;
  }

 private:
  static constexpr std::array<std::pair<SavedOption, std::string_view>, 3> service_options{
      {{SavedOption::tcp, "tcp:"}, {SavedOption::udp, "udp:"}, {SavedOption::sctp, "sctp:"}}};

  [[nodiscard]] const GivenOption* find(SavedOption option) const {
    const auto found = given_.find(option);
    return found == given_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const SavedWord* value_of(SavedOption option) const {
    const auto* const found = find(option);
    return found == nullptr || !found->value ? nullptr : &*found->value;
  }
  [[nodiscard]] bool has(SavedOption option) const { return find(option) != nullptr; }

  void refuse(const SavedWord& word, const std::string& why, const std::string& hint = {}) {
    good_ = false;
    problems_.error(word.where, in_quotes(word.text) + " " + why, hint);
  }

  std::optional<std::uint32_t> number(SavedOption option, std::uint32_t min, std::uint32_t max) {
    const auto* const word = value_of(option);
    if (word == nullptr) return std::nullopt;
    const auto value = number_from_string<std::uint32_t>(word->text);
    if (value && *value >= min && *value <= max) return value;
    refuse(*word, "is no number from " + std::to_string(min) + " to " + std::to_string(max));
    return std::nullopt;
  }

  std::optional<ipvs::ServiceKey> key_of(const SavedWord& word, std::string_view prefix) {
    if (const auto* const ipv6 = find(SavedOption::ipv6)) {
      refuse(ipv6->option, "goes with -f only");
      return std::nullopt;
    }
    const auto text = std::string(prefix) + std::string(word.text);
    auto key = ipvs::service_key_from_string(text);
    if (!key && !word.text.starts_with('[')) key = ipvs::service_key_from_string(text + ":0");
    if (!key) refuse(word, "is no ADDRESS:PORT, IPv6 in [brackets]", hint_on_names(word.text));
    return key;
  }

  /// ipvsadm -S prints marks from 2^31 on as negative numbers.
  std::optional<ipvs::ServiceKey> key_of_mark(const SavedWord& word) {
    auto mark = number_from_string<std::uint32_t>(word.text);
    if (const auto negative = number_from_string<std::int32_t>(word.text); !mark && negative) {
      mark = static_cast<std::uint32_t>(*negative);
    }
    if (!mark || *mark == 0) {
      refuse(word, "is no mark from 1 to 4294967295");
      return std::nullopt;
    }
    const auto family = has(SavedOption::ipv6) ? ipvs::Family::inet6 : ipvs::Family::inet;
    return ipvs::ServiceKey{.family = family, .fwmark = *mark};
  }

  void take_persistence(ipvs::Service& made) {
    const bool ipv6 = made.key.family == ipvs::Family::inet6;
    made.netmask = ipv6 ? 128 : 0xffffffff;
    const auto* const mask = value_of(SavedOption::netmask);
    if (mask != nullptr) {
      const auto given = ipv6 ? number(SavedOption::netmask, 1, 128) : netmask_from(*mask);
      made.netmask = given.value_or(made.netmask);
    }
    if (const auto* const engine = value_of(SavedOption::engine)) {
      made.persistence_engine = engine->text;
    }
    if (!has(SavedOption::persistent)) return;
    made.flags |= flag::persistent;
    made.timeout_s =
        number(SavedOption::persistent, 1, longest_timeout_s).value_or(default_timeout_s);
  }

  std::optional<std::uint32_t> netmask_from(const SavedWord& word) {
    const auto address = ipvs::ip_address_from_string(word.text);
    if (!address || address->family != ipvs::Family::inet) {
      refuse(word, "is no network mask like 255.255.255.0");
      return std::nullopt;
    }
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < 4; ++i)
      mask = mask << 8U | address->bytes.at(i);
    return mask;
  }

  void take_flags(ipvs::Service& made) {
    if (has(SavedOption::one_packet)) made.flags |= flag::one_packet;
    const auto* const word = value_of(SavedOption::flags);
    if (word == nullptr) return;
    std::size_t begin = 0;
    while (begin <= word->text.size()) {
      const auto end = std::min(word->text.find(',', begin), word->text.size());
      const SavedWord one{word->text.substr(begin, end - begin),
                          {word->where.line, word->where.byte + begin}};
      made.flags |= flag_from(one, made.scheduler);
      begin = end + 1;
    }
  }

  std::uint32_t flag_from(const SavedWord& word, const std::string& scheduler) {
    struct Named {
      std::string_view name, scheduler;
      std::uint32_t flag;
    };
    static constexpr std::array<Named, 7> all{{{"flag-1", "", flag::sched1},
                                               {"flag-2", "", flag::sched2},
                                               {"flag-3", "", flag::sched3},
                                               {"sh-fallback", "sh", flag::sched1},
                                               {"sh-port", "sh", flag::sched2},
                                               {"mh-fallback", "mh", flag::sched1},
                                               {"mh-port", "mh", flag::sched2}}};
    const auto* const found =
        std::ranges::find_if(all, [&](const Named& known) { return known.name == word.text; });
    if (found == all.end()) {
      refuse(word, "is no scheduler flag",
             "flag-1, flag-2, flag-3, sh-fallback, sh-port, mh-fallback, mh-port");
      return 0;
    }
    if (!found->scheduler.empty() && found->scheduler != scheduler) {
      refuse(word, "is a flag of " + std::string(found->scheduler) + ", not of " + scheduler);
      return 0;
    }
    return found->flag;
  }

  void check_service(const ipvs::Service& made) {
    if (made.key.is_fwmark()) return;
    const auto* const one_packet = find(SavedOption::one_packet);
    if (one_packet != nullptr && made.key.protocol != ipvs::Protocol::udp) {
      refuse(one_packet->option, "goes with UDP services and marks only");
    }
    if (made.key.port != 0 || has(SavedOption::persistent)) return;
    good_ = false;
    problems_.error(command_.where, "port 0 stands for all ports, which needs persistence",
                    "add -p");
  }

  void take_forwarding(ipvs::Destination& made) const {
    made.forwarding = ipvs::ForwardingMethod::direct_route;
    if (has(SavedOption::tunnel)) made.forwarding = ipvs::ForwardingMethod::tunnel;
    if (has(SavedOption::masquerade)) made.forwarding = ipvs::ForwardingMethod::masquerade;
  }

  bool take_address(const ipvs::ServiceKey& service, ipvs::Destination& made) {
    const auto* const word = value_of(SavedOption::server);
    if (word == nullptr) {
      problems_.error(command_.where, "the line names no destination", "-r ADDRESS:PORT");
      return false;
    }
    if (const auto address = ipvs::ip_address_from_string(word->text)) {
      made.key = {*address, service.port};
    } else if (const auto key = ipvs::destination_key_from_string(word->text)) {
      made.key = *key;
    } else {
      refuse(*word, "is no ADDRESS:PORT, IPv6 in [brackets]", hint_on_names(word->text));
      return false;
    }
    // ipvsadm does so without a word: only masquerading can change a port.
    if (!service.is_fwmark() && made.forwarding != ipvs::ForwardingMethod::masquerade) {
      made.key.port = service.port;
    }
    return true;
  }

  void take_tunnel(ipvs::Destination& made) {
    auto& tunnel = made.tunnel;
    if (const auto* const type = value_of(SavedOption::tunnel_type)) {
      tunnel.type = type_from(*type);
    }
    const auto port = number(SavedOption::tunnel_port, 1, 65535);
    tunnel.port = static_cast<std::uint16_t>(port.value_or(0));
    if (has(SavedOption::checksum)) tunnel.flags = 1;
    if (has(SavedOption::remote_checksum)) tunnel.flags = 2;
  }

  ipvs::TunnelType type_from(const SavedWord& word) {
    if (word.text == "gue") return ipvs::TunnelType::gue;
    if (word.text == "gre") return ipvs::TunnelType::gre;
    if (word.text != "ipip") refuse(word, "is no kind of tunnel", "ipip, gue or gre");
    return ipvs::TunnelType::ipip;
  }

  void check_destination(const ipvs::ServiceKey& service, const ipvs::Destination& made) {
    const bool tunnels = made.forwarding == ipvs::ForwardingMethod::tunnel;
    if (!tunnels && made.key.address.family != service.family) {
      refuse(find(SavedOption::server)->place(), "is of another address family than the service",
             "only tunnels (-i) lead from one to the other");
    }
    check_tunnel(made, tunnels);
    if (made.lower_threshold <= made.upper_threshold) return;
    const auto* const lower = find(SavedOption::lower);
    refuse(lower->place(), "is above the upper threshold, " + std::to_string(made.upper_threshold));
  }

  void check_tunnel(const ipvs::Destination& made, bool tunnels) {
    const auto type = made.tunnel.type;
    const bool gue = type == ipvs::TunnelType::gue;
    refuse_unless(tunnels, SavedOption::tunnel_type, "goes with tunnels (-i) only");
    refuse_unless(tunnels && gue, SavedOption::tunnel_port, "goes with --tun-type gue only");
    refuse_unless(tunnels && gue, SavedOption::remote_checksum, "goes with --tun-type gue only");
    for (const auto option : {SavedOption::checksum, SavedOption::no_checksum}) {
      refuse_unless(tunnels && type != ipvs::TunnelType::ipip, option,
                    "goes with --tun-type gue and gre only");
    }
    if (tunnels && gue && !has(SavedOption::tunnel_port)) {
      refuse(find(SavedOption::tunnel_type)->place(), "needs a port", "--tun-port PORT");
    }
  }

  void refuse_unless(bool holds, SavedOption option, const std::string& why) {
    const auto* const found = find(option);
    if (found != nullptr && !holds) refuse(found->option, why);
  }

  const SavedWord& command_;
  const GivenOptions& given_;
  ProblemList& problems_;
  bool good_{true};
};

}  // namespace

std::optional<ipvs::ServiceKey> key_from_line(const SavedLine& line, ProblemList& problems) {
  return LineReader(line, problems).key();
}

std::optional<ipvs::Service> service_from_line(const SavedLine& line, const ipvs::ServiceKey& key,
                                               ProblemList& problems) {
  return LineReader(line, problems).service(key);
}

std::optional<ipvs::Destination> destination_from_line(const SavedLine& line,
                                                       const ipvs::ServiceKey& service,
                                                       ProblemList& problems) {
  return LineReader(line, problems).destination(service);
}

}  // namespace lvs::monitorctl
