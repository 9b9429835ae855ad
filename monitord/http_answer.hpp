#pragma once

// What a request is answered with. Pure: the server moves bytes and time, and knows no page.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/published.hpp"

namespace lvs::monitord {

struct HttpRequest {
  std::string method{};
  std::string target{};  ///< as it was sent
  std::string host{};    ///< as it was sent; empty: none
};

struct HttpAnswer {
  unsigned status{200};
  std::string content_type{"text/plain; charset=utf-8"};
  std::string body{};
  std::string allow{};  ///< methods, with status 405
  bool is_fixed{};      ///< part of the program: may be kept, and asked after each time

  friend bool operator==(const HttpAnswer&, const HttpAnswer&) = default;
};

/// Only GET and HEAD are answered with more than a refusal; the body of HEAD is that of GET, and
/// whoever sends it leaves it out.
HttpAnswer http_answer(const HttpRequest& request, const Published& published,
                       const std::vector<std::string>& names);

/// Of every answer: no script, style, font or frame from elsewhere, nothing of it kept by a proxy.
std::vector<std::pair<std::string_view, std::string_view>> http_headers(const HttpAnswer& answer);

}  // namespace lvs::monitord
