// The file behind key_file.hpp.

#include "monitorctl/key_file_read.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "plainfile/plain_file.hpp"

namespace lvs::monitorctl {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20U;

}  // namespace

tl::expected<std::vector<StoredKey>, KeyFileFailure> read_stored_keys(const std::string& path) {
  auto text = plainfile::text_from_file(path, most_bytes);
  if (!text) {
    return tl::make_unexpected(
        KeyFileFailure{false, fmt::format("{}: {}", path, text.error().reason)});
  }
  auto keys = stored_keys_from_yaml(std::move(*text), path);
  if (!keys) return tl::make_unexpected(KeyFileFailure{true, std::move(keys.error())});
  return std::move(*keys);
}

}  // namespace lvs::monitorctl
