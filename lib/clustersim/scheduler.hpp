#pragma once

// The dispatch rules of Linux 6.1 (net/netfilter/ipvs/ip_vs_{wrr,wlc,sed,nq,rr,mh}.c), on values.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lvs::clustersim {

/// The destinations of a service as schedulers see them, in the kernel's list order: the newest
/// first (list_add_rcu in ip_vs_ctl.c), so that ties go to the one that was added last.
struct Destinations {
  std::vector<std::uint32_t> weight{};
  std::vector<std::uint32_t> last_weight{};  ///< the last one that was not 0
  std::vector<std::uint32_t> active{};       ///< connections
  std::vector<std::uint32_t> inactive{};     ///< TIME_WAIT and CLOSE entries
  std::vector<std::uint32_t> address{};      ///< IPv4, host order
  std::uint16_t port{};

  [[nodiscard]] std::size_t size() const { return weight.size(); }
};

class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  virtual ~Scheduler() = default;

  /// Who gets a connection from `source` (IPv4, host order); empty: nobody, it is refused.
  virtual std::optional<std::size_t> pick(const Destinations& destinations,
                                          std::uint32_t source) = 0;
  /// A destination was added or edited, even if nothing changed (the add_dest, upd_dest hooks).
  virtual void edited(const Destinations& destinations);
};

std::unique_ptr<Scheduler> make_wrr();
std::unique_ptr<Scheduler> make_wlc();
std::unique_ptr<Scheduler> make_sed();
std::unique_ptr<Scheduler> make_nq();
std::unique_ptr<Scheduler> make_rr();
std::unique_ptr<Scheduler> make_mh();

/// By the kernel's name; null for one that is not simulated.
std::unique_ptr<Scheduler> scheduler_from_name(std::string_view name);

/// wrr, wlc, sed, nq, rr, mh.
bool is_scheduler(std::string_view name);

}  // namespace lvs::clustersim
