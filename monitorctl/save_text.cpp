#include "monitorctl/save_text.hpp"

#include "monitorctl/saved_table.hpp"

namespace lvs::monitorctl {

Printed printed_save(const KernelView& kernel) {
  if (!kernel.complete) return failed_with(exit_status::failure, incomplete_table);
  Printed printed{saved_text(kernel.services)};
  for (const auto& loss : losses_of(kernel.services)) {
    printed.err += "monitorctl: " + loss.text + "\n";
    if (loss.left_out) printed.status = exit_status::failure;
  }
  return printed;
}

Printed printed_diff(std::span<const Difference> all, const std::string& from,
                     const std::string& to) {
  return {difference_text(all, from, to), "",
          all.empty() ? exit_status::ok : exit_status::different};
}

}  // namespace lvs::monitorctl
