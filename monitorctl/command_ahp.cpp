#include <utility>

#include "monitorctl/ahp_text.hpp"
#include "monitorctl/commands.hpp"
#include "monitorctl/file_input.hpp"
#include "monitorctl/judgements.hpp"

namespace lvs::monitorctl {

Printed run(const AhpOptions& options) {
  auto text = text_from_file(options.file);
  if (!text) return failed_with(exit_status::failure, text.error());
  const auto judgements = judgements_from_yaml(*std::move(text), options.file);
  if (!judgements) return {"", judgements.error(), exit_status::bad_file};
  const auto priorities = loadcalc::priorities(judgements->matrix);
  const auto render = options.output == OutputFormat::json ? ahp_json : ahp_text;
  return {render(judgements->criteria, priorities), ahp_warning(judgements->criteria, priorities),
          exit_status::ok};
}

}  // namespace lvs::monitorctl
