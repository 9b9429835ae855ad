#pragma once

// The configuration of the monitord of a kernel test: quick, willing to write, and with its files
// below /run. A test says what it needs otherwise.

#include <string>

namespace lvs::guest {

struct Settings {
  std::string interval{"500ms"};
  std::string hold_polls{"3"};
  std::string deadline{"200ms"};  ///< of an agent
  std::string state{"/run/state.journal"};
  /// The keys of `defaults:`. No traffic passes most tests: they need `standby: steer`.
  std::string defaults{"strategy: headroom, min_write_interval: 500ms, up_step: 1, standby: steer"};
  std::string servers{};  ///< lines made by server_line()
  std::string more{};     ///< further lines
};

inline std::string settings_text(const Settings& settings) {
  return "dry_run: false\ninterval: " + settings.interval + "\nhold_polls: " + settings.hold_polls +
         "\nagent: {deadline: " + settings.deadline +
         ", keys: /run/master.yaml}\ncontrol: {socket: /run/control.sock}\nstate: {file: " +
         settings.state + "}\ndefaults: {" + settings.defaults + "}\nservers:\n" +
         settings.servers + settings.more;
}

/// `more` is what the entry has besides the name: ", agent: 127.0.0.11".
inline std::string server_line(const std::string& address, int number, const std::string& more) {
  return "  \"" + address + "\": {name: rs" + std::to_string(number) + more + "}\n";
}

/// Servers 1 to `count` at `prefix`1, `prefix`2, …, their agents at 127.0.0.11, .12, ….
inline std::string agents_on_loopback(int count, const std::string& prefix = "10.2.0.1") {
  std::string lines;
  for (int i = 1; i <= count; ++i) {
    auto const number = std::to_string(i);
    lines += server_line(prefix + number, i, ", agent: 127.0.0.1" + number);
  }
  return lines;
}

}  // namespace lvs::guest
