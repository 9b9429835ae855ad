#pragma once

// The ways to write many changed weights that are compared, all alike to who measures them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ipvs/netlink_table.hpp"

namespace lvs::bench {

/// A destination as it was read, and the weight that it is to have.
struct Change {
  ipvs::ServiceKey service{};
  ipvs::Destination as_read{};
  std::uint32_t weight{};
};

struct Way {
  std::string name{};
  bool a_process_each{};  ///< slow: not every table is written with it as a whole
  /// What is measured. Throws std::runtime_error where a change was not carried out.
  std::function<void(std::span<const Change>)> write{};
  /// Made ready beforehand, not measured; may be empty.
  std::function<void(std::span<const Change>)> prepare{};
};

/// monitord's own path (re-read, write, read back), NetlinkTable alone in batches and one by one,
/// `ipvsadm -R` of one file, and one `ipvsadm -e` a change from a shell script and without a shell.
/// The first is what is measured against the others. `table` has to outlive them.
std::vector<Way> ways_to_write(ipvs::NetlinkTable& table);

}  // namespace lvs::bench
