#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/status_text.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

bool names(const json::value& value, std::string_view key, std::string_view text) {
  if (!value.is_object()) return false;
  const auto* const member =
      value.get_object().if_contains(json::string_view(key.data(), key.size()));
  return member != nullptr && member->is_string() &&
         member->get_string() == json::string_view(text.data(), text.size());
}

/// The destination's own object out of the document, with every key that the daemon knows.
std::string verdict_json(const json::value& document, std::string_view service,
                         std::string_view destination) {
  for (const auto& one : document.at("services").as_array()) {
    if (!names(one, "service", service)) continue;
    for (const auto& candidate : one.at("destinations").as_array()) {
      if (!names(candidate, "destination", destination)) continue;
      auto object = candidate.as_object();
      object["service"] = one.at("service");
      object["scheduler"] = one.at("scheduler");
      return json::serialize(object) + "\n";
    }
  }
  return "";
}

}  // namespace

Printed run(const ExplainOptions& options) {
  const auto document = ask_daemon(options.socket, "status");
  if (!document) return failed_with(exit_status_of(document.error()), document.error().message);
  const auto status = status_from_json(*document);
  if (!status) return failed_with(exit_status::failure, status.error());

  std::optional<std::string> service_name;
  if (options.service) service_name = ipvs::string_from_service_key(*options.service);
  const auto name = ipvs::string_from_destination_key(options.destination);
  const auto found = services_with(*status, name, service_name);
  if (found.empty()) {
    return failed_with(exit_status::failure, service_name
                                                 ? unknown_target_text(*status, *service_name, name)
                                                 : unknown_destination_text(*status, name));
  }
  if (found.size() > 1)
    return failed_with(exit_status::usage, which_service_text(found, "explain", name));
  const auto& service = *found.front();
  if (options.output == OutputFormat::json) {
    return {verdict_json(*document, service.service, name)};
  }
  return {explain_text(service, *destination_of(service, name))};
}

}  // namespace lvs::monitorctl
