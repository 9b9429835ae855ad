#pragma once

// Arguments before CLI11 sees them, and what it cannot check. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/types.hpp"

namespace lvs::monitorctl {

/// ipvsadm's habits: "-Ln …", "-L -n …", "-lnt VIP", "--list …" become "list -n …", and "-Sn" and
/// "--save" become "save -n". Arguments that begin with a command stay as they are.
std::vector<std::string> with_ipvsadm_habits(std::vector<std::string> arguments);

/// "list --sort cpu" becomes "list --sort=cpu": --sort may stand alone, before a SERVICE as well. A
/// word with a colon is that, and no key.
std::vector<std::string> with_sort_key(std::vector<std::string> arguments);

/// The exit status for what no command expects, such as output that cannot be written: 1, unless 1
/// says something else there.
int broken_status(const std::vector<std::string>& arguments);

/// "help COMMAND" becomes "COMMAND --help", "help" alone "--help". `help --help` stays.
std::vector<std::string> with_help_last(std::vector<std::string> arguments);

/// For ipvsadm's commands that change the table ("-A", "-e", "-C" …): that monitorctl has none.
/// Else empty.
std::string table_change_text(const std::vector<std::string>& arguments);

/// `unknown command "lst"; did you mean "list"?` when the first argument is no option and none of
/// `commands`; else empty.
std::string unknown_command_text(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& commands);

/// The ways in which a service may be named; at most one of the texts is not empty.
struct ServiceArguments {
  std::string tcp{}, udp{}, sctp{};  ///< -t, -u, --sctp-service: VIP[:PORT]
  std::string fwmark{};              ///< -f N
  bool ipv6{};                       ///< -6: the mark's IPv6 service
  std::string name{};                ///< "tcp:VIP:PORT", "fwm:N", …

  friend bool operator==(const ServiceArguments&, const ServiceArguments&) = default;
};

/// Empty when no service is named. A missing port is port 0, as with ipvsadm. The error is one
/// line.
tl::expected<std::optional<ipvs::ServiceKey>, std::string> service_from_arguments(
    const ServiceArguments& arguments);

}  // namespace lvs::monitorctl
