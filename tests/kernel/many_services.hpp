#pragma once

// A table of any size with services of all kinds, for tests that compare whole outputs.

#include <array>
#include <cstddef>
#include <string>

#include "guest.hpp"

namespace lvs::guest {

template <std::size_t Size>
inline const char* one_of(const std::array<const char*, Size>& choices, int index) {
  return choices[static_cast<std::size_t>(index) % Size];
}

/// Networks on both sides of 128.0.0.0, where ipvsadm's order wraps round.
inline std::string address_v4(int index) {
  return std::string(one_of<5>({"10.9.", "192.168.", "172.16.", "200.1.", "127.0."}, index)) +
         std::to_string(index / 200) + "." + std::to_string(index % 200 + 1);
}

inline std::string address_v6(int index) {
  return std::string(one_of<3>({"[fd00::", "[2001:db8::1:", "[fd00:0:0:7:1:0:0:"}, index)) +
         std::to_string(index + 1) + "]";
}

inline bool is_v6(int index) {
  return index % 10 == 7 || index % 10 == 9;
}
inline bool is_mark(int index) {
  return index % 10 >= 8;
}

inline std::string service_of(int index) {
  const auto port = ":" + std::to_string(80 + index % 7);
  switch (index % 10) {
    case 4:
    case 5:
      return "-u " + address_v4(index) + port;
    case 6:
      return "--sctp-service " + address_v4(index) + port;
    case 7:
      return "-t " + address_v6(index) + port;
    case 8:
      return "-f " + std::to_string(index);
    case 9:
      return "-f " + std::to_string(index - 1) + " -6";  // the same mark once more
    default:
      return "-t " + address_v4(index) + port;
  }
}

inline std::string scheduling_of(int index) {
  constexpr std::array<const char*, 13> schedulers{"rr", "wrr", "lc", "wlc", "lblc", "lblcr", "dh",
                                                   "sh", "sed", "nq", "fo",  "ovf",  "mh"};
  const std::string scheduler = one_of(schedulers, index);
  auto text = " -s " + scheduler;
  if (scheduler == "sh" || scheduler == "mh") {
    text +=
        " -b " + scheduler + (index % 2 == 0 ? "-fallback" : "-fallback," + scheduler + "-port");
  } else if (index % 11 == 0) {
    text += " -b flag-1,flag-3";
  }
  if (index % 4 == 1) text += " -p " + std::to_string(60 + index);
  if (index % 8 == 1) text += is_v6(index) ? " -M 64" : " -M 255.255.255.0";
  if (index % 20 == 5) text += " --pe sip";
  if (index % 10 == 4) text += " -o";
  return text;
}

inline std::string forwarding_of(int index) {
  switch (index % 6) {
    case 0:
      return " -m -x 1000 -y " + std::to_string(index % 900);
    case 1:
      return " -g";
    case 2:
      return " -i";
    case 3:
      return " -i --tun-type gue --tun-port 5555 --tun-csum";
    case 4:
      return " -i --tun-type gue --tun-port 65535 --tun-remcsum";
    default:
      return " -i --tun-type gre --tun-nocsum";
  }
}

inline std::string rules_of(int index) {
  auto text = "-A " + service_of(index) + scheduling_of(index) + "\n";
  for (int number = 0; number < 4; ++number) {
    const int which = 7 * index + 3 * number;
    const auto address = is_v6(index) ? address_v6(which) : address_v4(which % 900);
    const auto port = is_mark(index) ? ":0" : ":" + std::to_string(8080 + (index + number) % 3);
    text += "-a " + service_of(index) + " -r " + address + port + forwarding_of(index + number) +
            " -w " + std::to_string(which % 101) + "\n";
  }
  return text;
}

/// Starts from an empty table, so that all tests may also run in one kernel.
inline void build_table(int services) {
  must("ipvsadm -C");
  std::string rules;
  for (int index = 0; index < services; ++index)
    rules += rules_of(index);
  ipvsadm_restore(rules);
}

}  // namespace lvs::guest
