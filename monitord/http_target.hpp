#pragma once

// What stands in a request line: a path and its query. And whose name a request may call.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::monitord {

struct HttpTarget {
  std::string path{};                          ///< decoded, begins with "/"
  std::map<std::string, std::string> query{};  ///< decoded; of a repeated key the first counts

  [[nodiscard]] std::string value(const std::string& key) const;
  friend bool operator==(const HttpTarget&, const HttpTarget&) = default;
};

/// Empty: not in origin form, badly encoded, or with control characters.
std::optional<HttpTarget> http_target_from_text(std::string_view text);

/// A page in a browser can make its own name point to this host (DNS rebinding), but it cannot make
/// the browser say another name than its own. So an address and localhost are believed, and the
/// names that the operator lists; nothing else. A port behind them counts for nothing.
bool is_known_host(std::string_view host, const std::vector<std::string>& names);

}  // namespace lvs::monitord
