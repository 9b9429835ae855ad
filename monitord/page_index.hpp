#pragma once

// The status page: every service with its destinations.

#include <string>

#include "monitord/published.hpp"

namespace lvs::monitord {

/// What the page's form asks for; its script does the same without asking.
struct PageQuery {
  std::string filter{};  ///< rows that hold this text, in any case of letters
  bool needs_look{};     ///< only rows that need a look
};

std::string index_page(const Published& published, const PageQuery& query);

/// What the page's script renews it with:
/// {"cycle":…,"interval_ms":…,"updated":"…","facts":"<html>","banner":"<html>",
///  "pools":{"tcp 10.9.9.9:80":{"line":"…","bars":"<svg>"}},
///  "rows":{"tcp 10.9.9.9:80 10.0.0.11:80":["ok",false,"● ok","12",…,"",""]}}
/// A row is the style of its condition, whether it needs a look, its texts, its last change, and
/// the paths of its small charts. Charts and bars are the most of it and move slowly: only where
/// `charts` asks for them, else null.
std::string live_json(const Published& published, bool charts);

}  // namespace lvs::monitord
