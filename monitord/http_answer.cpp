#include "monitord/http_answer.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "monitord/history_text.hpp"
#include "monitord/http_target.hpp"
#include "monitord/json_text.hpp"
#include "monitord/metrics.hpp"
#include "monitord/page_events.hpp"
#include "monitord/page_index.hpp"
#include "monitord/page_server.hpp"
#include "monitord/web_assets.hpp"

namespace lvs::monitord {
namespace {

constexpr std::string_view html = "text/html; charset=utf-8";
constexpr std::string_view json_type = "application/json";
constexpr std::string_view csv = "text/csv; charset=utf-8";

HttpAnswer good(std::string_view type, std::string body) {
  return {200, std::string(type), std::move(body), {}, false};
}

HttpAnswer asset(std::string_view type, std::string_view body) {
  return {200, std::string(type), std::string(body), {}, true};
}

HttpAnswer refusal(unsigned status, std::string_view why) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = fmt::format("{}\n", why);
  return answer;
}

HttpAnswer index(const Published& published, const HttpTarget& target) {
  return good(html, index_page(published, {target.value("q"), target.value("look") == "1"}));
}

HttpAnswer events(const Published& published, const HttpTarget&) {
  return good(html, events_page(published));
}

HttpAnswer metrics(const Published& published, const HttpTarget&) {
  return good("text/plain; version=0.0.4; charset=utf-8", metrics_from_published(published));
}

HttpAnswer status_json(const Published& published, const HttpTarget&) {
  return good(json_type, json_text(json_from_report(*published.report)) + "\n");
}

HttpAnswer status_csv(const Published& published, const HttpTarget&) {
  return good(csv, csv_from_report(*published.report));
}

HttpAnswer live(const Published& published, const HttpTarget& target) {
  return good(json_type, live_json(published, target.value("charts") == "1"));
}

HttpAnswer events_json(const Published& published, const HttpTarget&) {
  return good(json_type, json_text(json_from_events(published.history)) + "\n");
}

HttpAnswer events_csv(const Published& published, const HttpTarget&) {
  return good(csv, csv_from_events(published.history));
}

std::optional<DestinationId> id_from(const HttpTarget& target) {
  const auto service = ipvs::service_key_from_string(target.value("service"));
  const auto destination = ipvs::destination_key_from_string(target.value("destination"));
  if (!service || !destination) return std::nullopt;
  return DestinationId{*service, *destination};
}

HttpAnswer no_such_id() {
  return refusal(400, "write ?service=tcp:10.9.9.9:80&destination=10.0.0.11:80");
}

HttpAnswer history_json(const Published& published, const HttpTarget& target) {
  const auto id = id_from(target);
  if (!id) return no_such_id();
  return good(json_type, json_text(json_from_series(published.history, *id)) + "\n");
}

HttpAnswer history_csv(const Published& published, const HttpTarget& target) {
  const auto id = id_from(target);
  if (!id) return no_such_id();
  return good(csv, csv_from_series(published.history, *id));
}

HttpAnswer script(const Published&, const HttpTarget&) {
  return asset("text/javascript; charset=utf-8", page_script);
}

HttpAnswer style(const Published&, const HttpTarget&) {
  return asset("text/css; charset=utf-8", page_style);
}

HttpAnswer icon(const Published&, const HttpTarget&) {
  return asset("image/svg+xml", page_icon);
}

struct Place {
  std::string_view path{};
  HttpAnswer (*answer)(const Published&, const HttpTarget&){};
};
constexpr std::array<Place, 13> places{{
    {"/", index},
    {"/events", events},
    {"/metrics", metrics},
    {"/api/status", status_json},
    {"/api/history", history_json},
    {"/api/events", events_json},
    {"/api/live", live},
    {"/status.csv", status_csv},
    {"/history.csv", history_csv},
    {"/events.csv", events_csv},
    {"/page.js", script},
    {"/page.css", style},
    {"/icon.svg", icon},
}};

HttpAnswer server(const Published& published, std::string_view name) {
  const auto address = ipvs::ip_address_from_string(name);
  const auto page = address ? server_page(published, *address) : std::nullopt;
  if (!page) return refusal(404, "no destination of the table has this address");
  return good(html, *page);
}

HttpAnswer answer_to(const HttpTarget& target, const Published& published) {
  constexpr std::string_view servers = "/server/";
  for (const auto& place : places) {
    if (place.path == target.path) return place.answer(published, target);
  }
  if (target.path.starts_with(servers)) {
    return server(published, std::string_view(target.path).substr(servers.size()));
  }
  return refusal(404, "there is no such page; / leads to all");
}

}  // namespace

HttpAnswer http_answer(const HttpRequest& request, const Published& published,
                       const std::vector<std::string>& names) {
  if (request.method != "GET" && request.method != "HEAD") {
    auto answer = refusal(405, "this page only shows; orders are given with monitorctl");
    answer.allow = "GET, HEAD";
    return answer;
  }
  if (!is_known_host(request.host, names)) {
    return refusal(421, "this name is not known here: list it under http: hosts: in monitord.yaml");
  }
  const auto target = http_target_from_text(request.target);
  if (!target) return refusal(400, "this is no path");
  return answer_to(*target, published);
}

std::vector<std::pair<std::string_view, std::string_view>> http_headers(const HttpAnswer& answer) {
  return {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
       "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", answer.is_fixed ? "no-cache" : "no-store"},
  };
}

}  // namespace lvs::monitord
