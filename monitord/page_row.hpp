#pragma once

// A destination as the words of its row: the page shows them at first, its script renews them.

#include <array>
#include <string>
#include <string_view>

#include "monitord/history.hpp"
#include "monitord/pool_summary.hpp"

namespace lvs::monitord {

/// How a destination stands, in a colour, a sign and a word: never by colour alone.
struct Condition {
  std::string_view style{};  ///< class of page.css: ok, note, hand, quiet or bad
  std::string_view sign{};
  std::string word{};  ///< "ok", or the outcome in plain words
  bool needs_look{};   ///< a person may have to do something
};
Condition condition_of(const Verdict& verdict);

/// A column: its heading, what it means, whether a narrow screen leaves it out.
struct Column {
  std::string_view head{}, meaning{};
  bool is_number{};
  bool is_minor{};
  bool is_of_pool{};  ///< means something beside the others of its service only
};
inline constexpr std::size_t column_count = 16;
extern const std::array<Column, column_count> columns;

/// The texts of a row, one for each column.
using RowTexts = std::array<std::string, column_count>;
RowTexts texts_of(const MemberSummary& member, const Condition& condition);

/// Paths of the two small charts of a row: ten minutes of the weight and of C.
struct RowSparks {
  std::string weight{}, cpu{};
};
RowSparks sparks_of(const History& history, const DestinationId& id);

/// Names a row; unique on the page.
std::string row_key(const Verdict& verdict);

/// "12 -> 7 at 12:00:07Z: C 0.80 …", of the last write to it; empty: none is known.
std::string last_change_of(const History& history, const DestinationId& id);

}  // namespace lvs::monitord
