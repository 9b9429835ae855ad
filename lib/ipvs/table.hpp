#pragma once

// The port to the kernel's IPVS table. NetlinkTable is the real one, FakeTable the recording one.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "ipvs/types.hpp"

namespace lvs::ipvs {

/// What went wrong, in the operator's terms. The kernel's errno is kept beside it.
enum class ErrorKind {
  no_ipvs,              ///< no ip_vs in this kernel (family unknown and not loadable)
  no_permission,        ///< CAP_NET_ADMIN in the initial user namespace is missing (EPERM)
  no_such_service,      ///< ESRCH, or an empty dump confirmed by GET_SERVICE
  no_such_destination,  ///< ENOENT where it cannot mean a stale family
  timed_out,            ///< the kernel did not answer before the deadline
  malformed,            ///< an answer that cannot be decoded
  refused,              ///< any other errno from the kernel
};

struct Error {
  ErrorKind kind{ErrorKind::refused};
  int error_number{};     ///< positive errno of the kernel, 0 when there is none
  std::string message{};  ///< one line: what, where, what to do
  /// Of a write: its answer was lost, so that the kernel may have carried it out all the same.
  /// Without it the weight is as it was: the kernel refused, or nothing was sent.
  bool perhaps_done{};

  friend bool operator==(const Error&, const Error&) = default;
};

/// A weight for a destination as it was read right before.
struct WeightWrite {
  Destination as_read{};
  std::uint32_t weight{};
};

/// So many writes go to the kernel together. All acks of such a batch, refusals with a copy of
/// their requests included, fit many times into the receive queue, and none is lost.
inline constexpr std::size_t batch_limit = 32;

class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  virtual ~Table() = default;

  /// The whole table, duplicates dropped by key. A dump is not a snapshot: a destination that is
  /// missing from one is not gone.
  virtual tl::expected<std::vector<ServiceEntry>, Error> services() = 0;

  /// One service, read again. no_such_service when it is gone.
  virtual tl::expected<ServiceEntry, Error> service(const ServiceKey& key) = 0;

  /// For each write, in its order: `as_read.raw` goes back with the weight replaced. Nothing is
  /// added when it is absent, and one failure stops no other. At most `batch_limit` of them.
  /// The caller has read `as_read` right before: the kernel has no compare-and-set.
  virtual std::vector<tl::expected<void, Error>> set_weights(
      const ServiceKey& key, std::span<const WeightWrite> writes) = 0;

  tl::expected<void, Error> set_weight(const ServiceKey& key, const Destination& as_read,
                                       std::uint32_t weight) {
    const WeightWrite write{as_read, weight};
    return std::move(set_weights(key, {&write, 1}).front());
  }
};

}  // namespace lvs::ipvs
