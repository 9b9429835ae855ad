#pragma once

// The numbers in what monitord answers to `history`. Pure.

#include <boost/json/value.hpp>
#include <optional>
#include <vector>

namespace lvs::monitorctl {

/// One destination in one cycle that monitord kept.
struct HistoryNumbers {
  std::optional<double> time{};  ///< seconds since the epoch
  std::optional<double> weight{}, target{}, cpu_busy{}, mem_available{}, composite{}, active{};
  std::optional<double> new_connections{};  ///< since the point before

  friend bool operator==(const HistoryNumbers&, const HistoryNumbers&) = default;
};

/// One for each point of the document, oldest first. Columns are found by their names.
std::vector<HistoryNumbers> numbers_from_history(const boost::json::value& document);

}  // namespace lvs::monitorctl
