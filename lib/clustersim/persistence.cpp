#include "clustersim/persistence.hpp"

#include <algorithm>

namespace lvs::clustersim {
namespace {

constexpr double prolongation_s = 60;  ///< expire_later in ip_vs_conn.c

}  // namespace

Persistence::Persistence(double timeout_s, std::size_t clients)
    : timeout_s_(timeout_s), templates_(timeout_s > 0 ? clients : 0) {}

std::optional<std::size_t> Persistence::find(double now, std::uint32_t client) {
  if (!enabled()) return std::nullopt;
  auto& known = templates_[client];
  if (!known.exists) return std::nullopt;
  // Nothing was opened since the timeout was last set, so what is open now was open all the time.
  while (known.expires_at <= now) {
    bool const controls = known.open > 0 || known.entries_gone_at > known.expires_at;
    if (!controls) {
      known.exists = false;
      return std::nullopt;
    }
    known.expires_at += prolongation_s;
  }
  return known.destination;
}

void Persistence::forget(std::uint32_t client) {
  if (enabled()) templates_[client].exists = false;
}

void Persistence::opened(double now, std::uint32_t client, std::size_t destination) {
  if (!enabled()) return;
  auto& known = templates_[client];
  if (!known.exists) known.entries_gone_at = 0;  // earlier entries belong to an earlier template
  known.exists = true;
  known.destination = static_cast<std::uint32_t>(destination);
  known.expires_at = now + timeout_s_;
  ++known.open;
}

void Persistence::closed(std::uint32_t client, double entry_gone_at) {
  if (!enabled()) return;
  auto& known = templates_[client];
  --known.open;
  known.entries_gone_at = std::max(known.entries_gone_at, entry_gone_at);
}

}  // namespace lvs::clustersim
