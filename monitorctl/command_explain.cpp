#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

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

  const auto service_name = ipvs::string_from_service_key(options.service);
  const auto name = ipvs::string_from_destination_key(options.destination);
  for (const auto& service : status->services) {
    if (service.service != service_name) continue;
    const auto& all = service.destinations;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&name](const auto& one) { return one.destination == name; });
    if (found == all.end()) break;
    if (options.output == OutputFormat::json) return {verdict_json(*document, service_name, name)};
    return {explain_text(service, *found)};
  }
  return failed_with(exit_status::failure, unknown_target_text(*status, service_name, name));
}

}  // namespace lvs::monitorctl
