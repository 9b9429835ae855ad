#pragma once

// The journal of what is remembered as text: a header line, then one JSON object a line; the last
// word about each thing wins. `monitorctl state export` gives the same.
//
//   {"monitord_journal":2,"boot":"1f0c…"}
//   {"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","base":10,"weight":8}
//   {"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","intend":7}
//   {"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","forget":true}
//   {"server":"10.0.0.11","at":1764500000.0,"model":{"work":…,"load":…,…}}
//   {"service":"tcp 10.9.9.9:80","ratio_exponent":1.2}
//   {"order":"pause","service":null}
//   {"order":"pin","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","weight":5,"until":…}
//   {"order":"drain","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80"}
//
// A destination may add "configured":true, "intended":7, "zero":"hand" and "overridden":true, an
// intent of 0 the zero; a server "forget":true instead of its model; a pause "restoring":true; an
// order that is taken back says "end":true.

#include <string>
#include <string_view>

#include "monitord/remembered.hpp"

namespace lvs::monitord {

std::string journal_header(const std::string& boot = {});
std::string journal_line_known(const DestinationId& id, const RememberedDestination& known);
std::string journal_line_intent(const Intent& intent);
std::string journal_line_forget(const DestinationId& id);

/// Lines that lead from `recorded` to `now`; empty when nothing changed. Both are of one boot.
std::string journal_lines_between(const Memory& recorded, const Memory& now);
/// The same where nothing new was learned.
std::string journal_lines_between(const Memory& recorded, const Remembered& destinations,
                                  const Orders& orders);

/// A whole journal of its own: the header and what leads to `memory` from nothing.
std::string journal_text(const Memory& memory);

struct JournalContent {
  enum class Fault {
    none,
    newer_version,  ///< written by a later monitord
    corrupt,        ///< a complete line that is no journal line
  };
  Fault fault{Fault::none};
  std::size_t line{};  ///< 1-based, of the fault
  std::size_t unusable_lessons{};
  Memory memory{};
};

/// Reads a journal. An incomplete last line (a kill in the middle of a write) is dropped without
/// fault; an empty text is an empty journal. Weights come back exactly; of a lesson's numbers of 16
/// digits and more the last may be one off, as Boost.JSON rounds.
JournalContent journal_from_text(std::string_view text);

}  // namespace lvs::monitord
