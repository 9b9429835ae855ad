#pragma once

// The options on a line that `ipvsadm -S` prints: which there are, and which a line has. Pure.

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "strictyaml/problem_list.hpp"
#include "strictyaml/source.hpp"

namespace lvs::monitorctl {

struct SavedWord {
  std::string_view text{};
  strictyaml::Position where{};
};

/// Of a line without its end.
std::vector<SavedWord> words_of(std::string_view line, std::size_t number);

enum class SavedOption {
  tcp,
  udp,
  sctp,
  mark,
  ipv6,
  scheduler,
  persistent,
  netmask,
  engine,
  one_packet,
  flags,
  server,
  direct,
  tunnel,
  masquerade,
  weight,
  upper,
  lower,
  tunnel_type,
  tunnel_port,
  no_checksum,
  checksum,
  remote_checksum,
};

struct GivenOption {
  SavedWord option{};
  std::optional<SavedWord> value{};

  /// The value where there is one, for messages.
  [[nodiscard]] const SavedWord& place() const { return value ? *value : option; }
};

using GivenOptions = std::map<SavedOption, GivenOption>;

/// Whose line it is.
enum class SavedCommand { service, destination };

/// -A or -a; nothing for another word.
std::optional<SavedCommand> saved_command_from_word(std::string_view word);

struct LineOptions {
  GivenOptions given{};
  bool good{true};  ///< none is unknown, twice there, without its value, or the other command's
};

/// `words` are those after the command. What is not good is a problem and left out.
LineOptions options_from_words(const std::vector<SavedWord>& words, SavedCommand command,
                               strictyaml::ProblemList& problems);

}  // namespace lvs::monitorctl
