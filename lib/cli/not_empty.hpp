#pragma once

// What the command lines of all programs check alike.

#include <string>

namespace lvs::cli {

/// A check for CLI11, which puts the option's name before the text: an empty value is mostly a
/// variable of a script that was never set.
inline std::string not_empty(const std::string& value) {
  return value.empty() ? "the value is empty" : "";
}

}  // namespace lvs::cli
