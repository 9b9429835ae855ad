// The file behind key_file.hpp.

#include "monitorctl/key_file_read.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace lvs::monitorctl {
namespace {

KeyFileFailure not_opened(const std::string& path, int error) {
  auto message = fmt::format("{}: {}", path, std::strerror(error));
  if (error == EACCES) message += "\nhint: keys are for root: sudo";
  return {false, error == ENOENT, std::move(message)};
}

}  // namespace

tl::expected<std::vector<StoredKey>, KeyFileFailure> read_stored_keys(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return tl::make_unexpected(not_opened(path, errno));
  }
  std::string text{std::istreambuf_iterator<char>(file), {}};
  auto keys = stored_keys_from_yaml(std::move(text), path);
  if (!keys) return tl::make_unexpected(KeyFileFailure{true, false, std::move(keys.error())});
  return std::move(*keys);
}

}  // namespace lvs::monitorctl
