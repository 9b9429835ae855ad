#include "monitorctl/file_input.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>

namespace lvs::monitorctl {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;

}  // namespace

tl::expected<std::string, std::string> text_from_file(const std::string& path) {
  const auto failed = [&path](int error) {
    return tl::make_unexpected(fmt::format("{}: {}", path, std::strerror(error)));
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed(errno);
  std::string text;
  std::array<char, 65536> block{};
  do {
    file.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes) return failed(EFBIG);
  } while (file);
  // A directory can be opened, but not read.
  if (file.bad()) return failed(errno);
  return text;
}

}  // namespace lvs::monitorctl
