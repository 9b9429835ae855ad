#include <algorithm>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "monitorctl/commands.hpp"
#include "monitorctl/file_input.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/kernel_failure.hpp"
#include "monitorctl/kernel_view.hpp"
#include "monitorctl/save_text.hpp"
#include "monitorctl/saved_parser.hpp"

namespace lvs::monitorctl {
namespace {

using Table = tl::expected<std::vector<ipvs::ServiceEntry>, Printed>;

std::string name_of(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

Table table_from_file(const std::string& path) {
  auto text = text_from_argument(path);
  if (!text) return tl::make_unexpected(failed_with(exit_status::trouble, text.error()));
  auto table = table_from_saved(*std::move(text), name_of(path));
  if (!table) return tl::make_unexpected(Printed{"", table.error(), exit_status::bad_file});
  return *std::move(table);
}

/// Never ends with 1, which would say that the tables differ.
Table table_from_kernel() {
  auto kernel = read_kernel(std::nullopt);
  if (!kernel) {
    auto failed = kernel_failed(kernel.error(), std::nullopt);
    failed.status = exit_status::unreachable;
    return tl::make_unexpected(std::move(failed));
  }
  if (!kernel->complete)
    return tl::make_unexpected(failed_with(exit_status::unreachable, incomplete_table));
  return std::move(kernel->services);
}

}  // namespace

Printed run(const DiffOptions& options) {
  const bool with_kernel = options.files.size() == 1;
  auto from = table_from_file(options.files.front());
  if (!from) return from.error();
  auto to = with_kernel ? table_from_kernel() : table_from_file(options.files.back());
  if (!to) return to.error();
  sort_as_ipvsadm(*from);
  sort_as_ipvsadm(*to);
  return printed_diff(differences(*from, *to, options.weights), name_of(options.files.front()),
                      with_kernel ? "the kernel's table" : name_of(options.files.back()));
}

}  // namespace lvs::monitorctl
