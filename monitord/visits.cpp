#include "monitord/visits.hpp"

namespace lvs::monitord {

bool Visits::admits(User user) const {
  if (is_trusted(user)) return true;
  auto const found = each_.find(user);
  auto const here = found == each_.end() ? 0 : found->second;
  return others_ < of_others && here < of_one_user;
}

void Visits::begin(User user) {
  ++all_;
  if (is_trusted(user)) return;
  ++others_;
  ++each_[user];
}

void Visits::end(User user) {
  --all_;
  if (is_trusted(user)) return;
  --others_;
  auto const found = each_.find(user);
  if (--found->second == 0) each_.erase(found);
}

}  // namespace lvs::monitord
