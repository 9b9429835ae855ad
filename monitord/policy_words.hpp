#pragma once

// The words of monitord.yaml for the choices in config.hpp, each at the place of its value.

#include <array>
#include <cstddef>
#include <string>

#include "monitord/config.hpp"

namespace lvs::monitord {

inline const std::array<std::string, 2> foreign_words{"adopt", "reassert"};
inline const std::array<std::string, 3> silence_words{"hold", "base", "drain"};
inline const std::array<std::string, 2> standby_words{"keep", "steer"};
inline const std::array<std::string, 2> exit_words{"keep", "restore"};
inline const std::array<std::string, 2> dns_choice_words{"weighted", "best"};

template <typename Choice, std::size_t count>
const std::string& word_of(Choice choice, const std::array<std::string, count>& words) {
  return words.at(static_cast<std::size_t>(choice));
}

}  // namespace lvs::monitord
