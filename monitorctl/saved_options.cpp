#include "monitorctl/saved_options.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "strictyaml/words.hpp"

namespace lvs::monitorctl {
namespace {

enum class Takes { nothing, maybe_a_value, a_value };
enum class Of { both, service, destination };

struct Known {
  SavedOption option;
  std::string_view letter, name;
  Takes takes;
  Of of;
  std::string_view choice{};  ///< one of several that exclude each other
};

constexpr std::string_view which_service = "service";
constexpr std::string_view which_method = "forwarding method";
constexpr std::string_view which_checksum = "checksum of the tunnel";

constexpr std::array<Known, 23> all_known{{
    {SavedOption::tcp, "-t", "--tcp-service", Takes::a_value, Of::both, which_service},
    {SavedOption::udp, "-u", "--udp-service", Takes::a_value, Of::both, which_service},
    {SavedOption::sctp, "", "--sctp-service", Takes::a_value, Of::both, which_service},
    {SavedOption::mark, "-f", "--fwmark-service", Takes::a_value, Of::both, which_service},
    {SavedOption::ipv6, "-6", "--ipv6", Takes::nothing, Of::both},
    {SavedOption::scheduler, "-s", "--scheduler", Takes::a_value, Of::service},
    {SavedOption::persistent, "-p", "--persistent", Takes::maybe_a_value, Of::service},
    {SavedOption::netmask, "-M", "--netmask", Takes::a_value, Of::service},
    {SavedOption::engine, "", "--pe", Takes::a_value, Of::service},
    {SavedOption::one_packet, "-o", "--ops", Takes::nothing, Of::service},
    {SavedOption::flags, "-b", "--sched-flags", Takes::a_value, Of::service},
    {SavedOption::server, "-r", "--real-server", Takes::a_value, Of::destination},
    {SavedOption::direct, "-g", "--gatewaying", Takes::nothing, Of::destination, which_method},
    {SavedOption::tunnel, "-i", "--ipip", Takes::nothing, Of::destination, which_method},
    {SavedOption::masquerade, "-m", "--masquerading", Takes::nothing, Of::destination,
     which_method},
    {SavedOption::weight, "-w", "--weight", Takes::a_value, Of::destination},
    {SavedOption::upper, "-x", "--u-threshold", Takes::a_value, Of::destination},
    {SavedOption::lower, "-y", "--l-threshold", Takes::a_value, Of::destination},
    {SavedOption::tunnel_type, "", "--tun-type", Takes::a_value, Of::destination},
    {SavedOption::tunnel_port, "", "--tun-port", Takes::a_value, Of::destination},
    {SavedOption::no_checksum, "", "--tun-nocsum", Takes::nothing, Of::destination, which_checksum},
    {SavedOption::checksum, "", "--tun-csum", Takes::nothing, Of::destination, which_checksum},
    {SavedOption::remote_checksum, "", "--tun-remcsum", Takes::nothing, Of::destination,
     which_checksum},
}};

const Known* known_from_word(std::string_view word) {
  const auto* const found = std::ranges::find_if(all_known, [word](const Known& known) {
    return word == known.name || (!known.letter.empty() && word == known.letter);
  });
  return found == all_known.end() ? nullptr : &*found;
}

/// For a word that is no option.
std::string hint_for(std::string_view word) {
  if (!word.starts_with("--")) return "one option a word, as ipvsadm -Sn and monitorctl save do";
  std::vector<std::string> names;
  names.reserve(all_known.size());
  for (const auto& known : all_known)
    names.emplace_back(known.name);
  const auto nearest = strictyaml::nearest_word(word, names);
  return nearest.empty() ? "" : "did you mean " + nearest + "?";
}

bool fits(const Known& known, SavedCommand command) {
  return known.of == Of::both || (known.of == Of::service) == (command == SavedCommand::service);
}

/// The option that was given before and that this one may not stand beside.
const GivenOption* rival_of(const Known& known, const GivenOptions& given) {
  for (const auto& other : all_known) {
    const bool rival =
        other.option == known.option || (!known.choice.empty() && other.choice == known.choice);
    const auto found = rival ? given.find(other.option) : given.end();
    if (found != given.end()) return &found->second;
  }
  return nullptr;
}

class Taker {
 public:
  Taker(SavedCommand command, strictyaml::ProblemList& problems)
      : command_(command), problems_(problems) {}

  /// Takes the words of one option off `rest`; false: a problem.
  bool take(std::span<const SavedWord>& rest) {
    const auto word = rest.front();
    rest = rest.subspan(1);
    const auto* const known = known_from_word(word.text);
    if (known == nullptr) {
      // What follows is most likely its value: one problem is enough.
      while (word.text.starts_with('-') && !rest.empty() && !rest.front().text.starts_with('-'))
        rest = rest.subspan(1);
      return refuse(word, "is no option of ipvsadm -A or -a", hint_for(word.text));
    }
    GivenOption option{word, {}};
    const bool offered =
        !rest.empty() && (known->takes == Takes::a_value || !rest.front().text.starts_with('-'));
    if (known->takes != Takes::nothing && offered) {
      option.value = rest.front();
      rest = rest.subspan(1);
    }
    if (known->takes == Takes::a_value && !option.value) return refuse(word, "has no value", "");
    return add(*known, option);
  }

  [[nodiscard]] const GivenOptions& given() const { return given_; }

 private:
  bool add(const Known& known, const GivenOption& option) {
    if (!fits(known, command_)) {
      const bool service = command_ == SavedCommand::service;
      return refuse(option.option, service ? "belongs to a destination" : "belongs to a service",
                    service ? "on an -a line" : "on an -A line");
    }
    const auto* const rival = rival_of(known, given_);
    if (rival == nullptr) {
      given_.emplace(known.option, option);
      return true;
    }
    if (rival->option.text == option.option.text)
      return refuse(option.option, "is there twice", "");
    return refuse(option.option, "stands beside " + std::string(rival->option.text),
                  known.choice.empty() ? "" : "one " + std::string(known.choice) + " a line");
  }

  bool refuse(const SavedWord& word, const std::string& why, const std::string& hint) {
    problems_.error(word.where, strictyaml::in_quotes(word.text) + " " + why, hint);
    return false;
  }

  SavedCommand command_;
  strictyaml::ProblemList& problems_;
  GivenOptions given_{};
};

}  // namespace

std::vector<SavedWord> words_of(std::string_view line, std::size_t number) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<SavedWord> words;
  auto begin = line.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const auto end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back({line.substr(begin, end - begin), {number, begin}});
    begin = line.find_first_not_of(blanks, end);
  }
  return words;
}

std::optional<SavedCommand> saved_command_from_word(std::string_view word) {
  if (word == "-A" || word == "--add-service") return SavedCommand::service;
  if (word == "-a" || word == "--add-server") return SavedCommand::destination;
  return std::nullopt;
}

LineOptions options_from_words(const std::vector<SavedWord>& words, SavedCommand command,
                               strictyaml::ProblemList& problems) {
  Taker taker(command, problems);
  std::span<const SavedWord> rest(words);
  bool good = true;
  while (!rest.empty())
    good = taker.take(rest) && good;
  return {taker.given(), good};
}

}  // namespace lvs::monitorctl
