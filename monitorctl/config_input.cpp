#include "monitorctl/config_input.hpp"

#include <utility>

#include "monitorctl/file_input.hpp"
#include "monitord/config_files.hpp"

namespace lvs::monitorctl {

tl::expected<std::vector<strictyaml::TextFile>, Printed> config_files_from_argument(
    const std::string& path) {
  auto text = text_from_file(path);
  if (!text) return tl::make_unexpected(failed_with(exit_status::failure, text.error()));
  monitord::ConfigFiles found;
  found.files.push_back({path, *std::move(text)});
  monitord::add_folder_beside(path, found);
  if (found.failures.empty()) return std::move(found.files);
  return tl::make_unexpected(Printed{"", std::move(found.failures), exit_status::failure});
}

}  // namespace lvs::monitorctl
