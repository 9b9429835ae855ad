#include "monitord/postponed_zeros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace lvs::monitord {
namespace {

void tell(Verdict& verdict) {
  verdict.write.reset();
  verdict.own_zero.reset();
  verdict.reason =
      "to be set to 0, but that cannot be written down first (monitorctl status has why): the "
      "weight stays, tried again in the next cycle";
}

}  // namespace

std::optional<std::string> tell_postponed(std::vector<Verdict>& verdicts,
                                          std::span<const Applied> applied) {
  std::size_t postponed = 0;
  for (auto const& item : applied) {
    if (item.result != Applied::Result::unrecorded) continue;
    ++postponed;
    auto const found = std::ranges::find_if(verdicts, [&](const Verdict& verdict) {
      return verdict.service == item.service && verdict.destination == item.change.destination;
    });
    if (found != verdicts.end()) tell(*found);
  }
  if (postponed == 0) return std::nullopt;
  return fmt::format(
      "{} to be set to 0 by monitord, and the state file does not take that: after a crash nobody "
      "would know whose 0 it is. Not set until it can be written down; make room, or make the "
      "file writable",
      postponed == 1 ? "1 destination is" : fmt::format("{} destinations are", postponed));
}

}  // namespace lvs::monitord
