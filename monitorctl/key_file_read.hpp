#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitorctl/key_file.hpp"

namespace lvs::monitorctl {

struct KeyFileFailure {
  bool bad_content{};  ///< read, but with mistakes: exit status 78
  bool missing{};      ///< there is no such file
  std::string message{};
};

tl::expected<std::vector<StoredKey>, KeyFileFailure> read_stored_keys(const std::string& path);

}  // namespace lvs::monitorctl
