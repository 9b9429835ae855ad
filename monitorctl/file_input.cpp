#include "monitorctl/file_input.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iostream>
#include <istream>

namespace lvs::monitorctl {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;

tl::expected<std::string, std::string> text_from(std::istream& stream, const std::string& name) {
  const auto failed = [&name](int error) {
    return tl::make_unexpected(fmt::format("{}: {}", name, std::strerror(error)));
  };
  std::string text;
  std::array<char, 65536> block{};
  do {
    stream.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most_bytes) return failed(EFBIG);
  } while (stream);
  // A directory can be opened, but not read.
  if (stream.bad()) return failed(errno);
  return text;
}

}  // namespace

tl::expected<std::string, std::string> text_from_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return tl::make_unexpected(fmt::format("{}: {}", path, std::strerror(errno)));
  return text_from(file, path);
}

tl::expected<std::string, std::string> text_from_argument(const std::string& path) {
  return path == "-" ? text_from(std::cin, "standard input") : text_from_file(path);
}

}  // namespace lvs::monitorctl
