#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <string_view>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/status_text.hpp"
#include "monitorctl/target_choice.hpp"

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

  const auto target = chosen_target(*status, "explain", options.service, options.destination);
  if (!target) return target.error();
  const auto& service = *target->service;
  const auto name = target->destination->destination;
  if (options.output == OutputFormat::json) {
    return {verdict_json(*document, service.service, name)};
  }
  return {explain_text(service, *target->destination)};
}

}  // namespace lvs::monitorctl
