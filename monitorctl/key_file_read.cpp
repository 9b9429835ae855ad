// The file behind key_file.hpp.

#include "monitorctl/key_file_read.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "plainfile/plain_file.hpp"

namespace lvs::monitorctl {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20U;

KeyFileFailure not_opened(const std::string& path, const plainfile::Failure& why) {
  auto message = fmt::format("{}: {}", path, why.reason);
  if (why.error == EACCES) message += "\nhint: keys are for root: sudo";
  return {false, why.error == ENOENT, std::move(message)};
}

}  // namespace

tl::expected<std::vector<StoredKey>, KeyFileFailure> read_stored_keys(const std::string& path) {
  auto text = plainfile::text_from_file(path, most_bytes);
  if (!text) return tl::make_unexpected(not_opened(path, text.error()));
  auto keys = stored_keys_from_yaml(std::move(*text), path);
  if (!keys) return tl::make_unexpected(KeyFileFailure{true, false, std::move(keys.error())});
  return std::move(*keys);
}

}  // namespace lvs::monitorctl
