#include "golden.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/catch.hpp"

namespace lvs::monitord::testing {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void check_golden(const std::string& name, const std::string& text) {
  const auto expected = text_of(std::string(LVS_SOURCE_DIR "/tests/golden/page/") + name);
  CHECK_FALSE(expected.empty());
  if (text == expected) return;
  const std::string folder = LVS_BINARY_DIR "/golden/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + name, std::ios::binary) << text;
  FAIL_CHECK("it differs; what was made is in " << folder << name);
}

}  // namespace lvs::monitord::testing
