#include "monitord/size_text.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "strictyaml/number.hpp"

namespace lvs::monitord {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 3> units{
    {{"GiB", std::uint64_t{1} << 30U},
     {"MiB", std::uint64_t{1} << 20U},
     {"KiB", std::uint64_t{1} << 10U}}};

}  // namespace

std::optional<std::uint64_t> size_from_string(std::string_view text) {
  for (const auto& [unit, bytes] : units) {
    if (!text.ends_with(unit)) continue;
    const auto count =
        strictyaml::number_from_string<std::uint64_t>(text.substr(0, text.size() - unit.size()));
    if (!count || *count > std::numeric_limits<std::uint64_t>::max() / bytes) return std::nullopt;
    return *count * bytes;
  }
  return std::nullopt;
}

std::string string_from_size(std::uint64_t bytes) {
  for (const auto& [unit, size] : units) {
    if (bytes != 0 && bytes % size == 0) return fmt::format("{}{}", bytes / size, unit);
  }
  return fmt::format("{}", bytes);
}

}  // namespace lvs::monitord
