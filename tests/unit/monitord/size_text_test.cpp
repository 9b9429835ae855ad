#include "monitord/size_text.hpp"

#include <cstdint>
#include <string>

#include "support/catch.hpp"

using namespace lvs::monitord;

TEST_CASE("size: what is no size with a unit is refused") {
  const auto* const text = GENERATE("", "64", "MiB", "-1MiB", "1.5MiB", "64 MiB", "64MB", "64mib",
                                    "17179869184GiB", "99999999999999999999KiB", "1MiB ");
  INFO(text);
  CHECK_FALSE(size_from_string(text).has_value());
}

TEST_CASE("size: text and bytes") {
  const auto [text, bytes] = GENERATE(table<std::string, std::uint64_t>({
      {"1KiB", 1024},
      {"64MiB", std::uint64_t{64} << 20U},
      {"3GiB", std::uint64_t{3} << 30U},
      {"1025KiB", 1025 * 1024},
  }));
  CHECK(size_from_string(text) == bytes);
  CHECK(string_from_size(bytes) == text);
}
