#pragma once

// The port through which weights leave for anything but the kernel's table, and how it fits into a
// cycle:
//
//   decide()      knows no output. It sees a table of services and says what to write.
//   apply()       knows ipvs::Table and no output: it reads again, writes, reads back.
//   OutputTable   is that table: the kernel's services, and behind them each declared pool as an
//                 entry whose weights monitord keeps itself. A write goes to the output of its
//                 service, by this port; one without an output here goes to the kernel as it is.
//   Output        takes a service's weights and says for each server what became of it. What it can
//                 do at all (range, zero, how often) the configuration was held to before.
//
// So verdicts, orders, journal and reports are the same for every output. docs/OUTPUTS.md has the
// operator's side.

#include <cstdint>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/table.hpp"
#include "monitord/outputs/output_kind.hpp"
#include "monitord/reading.hpp"

namespace lvs::monitord {

/// A server as an output knows it.
struct OutputServer {
  ipvs::DestinationKey key{};
  std::string name{};      ///< what the output calls it
  std::uint32_t base{};    ///< >= 1
  std::uint32_t weight{};  ///< that it has, or is to have; within the output's range, or 0

  friend bool operator==(const OutputServer&, const OutputServer&) = default;
};

/// A service, or a declared pool, whose weights go through an output.
struct OutputPool {
  ipvs::ServiceKey service{};
  std::string place{};  ///< where the output finds it: a backend, a folder, a file, a host
  std::vector<OutputServer> servers{};

  friend bool operator==(const OutputPool&, const OutputPool&) = default;
};

class Output {
 public:
  /// An error's message is one line: what, where, what to do.
  using Result = tl::expected<void, ipvs::Error>;

  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  virtual ~Output() = default;

  [[nodiscard]] virtual OutputKind kind() const = 0;
  [[nodiscard]] const Capabilities& capabilities() const { return traits_of(kind()).can; }

  /// All that goes through it from now on, with the weights as they are: at the start and after
  /// each reload. `acts` is false in a dry run: then nothing outside may change.
  virtual void declare(const std::vector<OutputPool>& pools, bool acts, Moment now) = 0;

  /// Servers of one declared service with the weights that they are to have. A result for each, in
  /// their order; one failure stops no other. Never waits for anybody.
  virtual std::vector<Result> apply(const ipvs::ServiceKey& service,
                                    std::span<const OutputServer> weights) = 0;

  /// What a person should look at. Stays the same while nothing changes.
  [[nodiscard]] virtual std::vector<std::string> notes(Moment now) const = 0;
};

}  // namespace lvs::monitord
