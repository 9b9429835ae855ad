// Any method, host and target as a request for a page: answered, and nothing of it comes back as an
// element of the page.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "monitord/http_answer.hpp"
#include "require.hpp"

using namespace lvs::monitord;
using lvs::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Published published;
  std::string_view rest{reinterpret_cast<const char*>(data), size};
  const auto next = [&rest] {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string part(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  HttpRequest request;
  request.method = next();
  request.host = next();
  request.target = std::string(rest);
  const auto answer = http_answer(request, published, {"lvs1"});
  constexpr std::array<unsigned, 5> statuses{200, 400, 404, 405, 421};
  require(std::ranges::find(statuses, answer.status) != statuses.end());
  require((answer.status == 405) == !answer.allow.empty());
  const bool is_page = answer.content_type.starts_with("text/html");
  const auto script = answer.body.find("<script");
  // The page's own script, and no other.
  require(!is_page || (script != std::string::npos &&
                       answer.body.find("<script", script + 1) == std::string::npos));
  return 0;
}
