#include "monitorctl/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "monitorctl/check_report.hpp"
#include "monitorctl/printed.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitorctl {
namespace {

/// "-Ln", "-nL", but not "--list" and not "-".
bool is_short_options(std::string_view argument) {
  return argument.size() > 1 && argument[0] == '-' && argument[1] != '-';
}

/// -n is what list always does; on its own it says nothing.
std::string without_list_letter(const std::string& options) {
  std::string kept;
  std::copy_if(options.begin(), options.end(), std::back_inserter(kept),
               [](char letter) { return letter != 'L' && letter != 'l'; });
  return kept;
}

/// "-S", "-Sn", "-nS".
bool is_save(const std::string& argument) {
  return is_short_options(argument) && argument.find('S') != std::string::npos &&
         argument.find_first_not_of("Sn", 1) == std::string::npos;
}

std::optional<ipvs::ServiceKey> key_of(const std::string& prefix, const std::string& text) {
  if (const auto key = ipvs::service_key_from_string(prefix + text)) return key;
  const auto with_port = prefix == "fwm:" || prefix == "fwm6:" ? text : text + ":0";
  return ipvs::service_key_from_string(prefix + with_port);
}

}  // namespace

std::vector<std::string> with_ipvsadm_habits(std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  const auto first = arguments.front();
  if (first == "--list" || first == "--save" || is_save(first)) {
    arguments.front() = first == "--list" ? "list" : "save";
    return arguments;
  }
  if (!is_short_options(first) || first.find_first_of("Ll") == std::string::npos) {
    return arguments;
  }
  const auto rest = without_list_letter(first);
  arguments.front() = "list";
  if (rest != "-") arguments.insert(arguments.begin() + 1, rest);
  return arguments;
}

std::vector<std::string> with_sort_key(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "list") return arguments;
  for (auto option = arguments.begin(); option != arguments.end(); ++option) {
    const auto key = std::next(option);
    if (*option != "--sort" || key == arguments.end()) continue;
    if (key->empty() || key->starts_with('-') || key->find(':') != std::string::npos) continue;
    *option += "=" + *key;
    arguments.erase(key);
    return arguments;
  }
  return arguments;
}

int broken_status(const std::vector<std::string>& arguments) {
  const auto command = arguments.empty() ? std::string() : arguments.front();
  if (command == "check") return static_cast<int>(CheckState::unknown);
  return command == "diff" ? exit_status::trouble : exit_status::failure;
}

std::vector<std::string> with_help_last(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  if (arguments.size() > 1 && arguments[1].starts_with('-')) return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

std::string table_change_text(const std::vector<std::string>& arguments) {
  constexpr std::string_view letters = "AEDCRSZaed";
  if (arguments.empty() || arguments.front().size() < 2) return "";
  const auto& first = arguments.front();
  if (!is_short_options(first) || letters.find(first[1]) == std::string_view::npos) return "";
  return fmt::format("monitorctl has no {}: it shows the table, ipvsadm changes it: ipvsadm {} …",
                     first, first);
}

std::string unknown_command_text(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& commands) {
  if (arguments.empty() || arguments.front().starts_with('-')) return "";
  const auto& word = arguments.front();
  if (std::find(commands.begin(), commands.end(), word) != commands.end()) return "";
  return fmt::format("unknown command {}; {}", strictyaml::in_quotes(word),
                     strictyaml::hint_from_words(word, commands, "commands"));
}

tl::expected<std::optional<ipvs::ServiceKey>, std::string> service_from_arguments(
    const ServiceArguments& arguments) {
  const std::vector<std::pair<std::string, std::string>> given{
      {"tcp:", arguments.tcp},
      {"udp:", arguments.udp},
      {"sctp:", arguments.sctp},
      {arguments.ipv6 ? "fwm6:" : "fwm:", arguments.fwmark},
      {"", arguments.name}};
  std::optional<ipvs::ServiceKey> found;
  for (const auto& [prefix, text] : given) {
    if (text.empty()) continue;
    if (found) return tl::unexpected(std::string("name one service only"));
    found = key_of(prefix, text);
    if (!found) {
      return tl::unexpected(fmt::format(
          "{} is no service: -t VIP:PORT, -u VIP:PORT, -f MARK, or tcp:VIP:PORT, udp:VIP:PORT, "
          "sctp:VIP:PORT, fwm:MARK, fwm6:MARK, pool:NAME; an IPv6 VIP in [brackets]",
          strictyaml::in_quotes(text)));
    }
  }
  return found;
}

}  // namespace lvs::monitorctl
