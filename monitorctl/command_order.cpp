#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/status_text.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds between_looks{1};

std::string name_of(const OrderOptions& options) {
  return ipvs::string_from_destination_key(*options.destination);
}

/// The service that has the destination, or what to print instead.
tl::expected<std::string, Printed> service_name(const OrderOptions& options) {
  if (options.service) return ipvs::string_from_service_key(*options.service);
  const auto status = daemon_status(options.socket);
  if (!status) {
    return tl::make_unexpected(failed_with(exit_status_of(status.error()), status.error().message));
  }
  const auto name = name_of(options);
  const auto found = services_with(*status, name, std::nullopt);
  if (found.size() == 1) return found.front()->service;
  return tl::make_unexpected(
      found.empty()
          ? failed_with(exit_status::failure, unknown_destination_text(*status, name))
          : failed_with(exit_status::usage, which_service_text(found, options.command, name)));
}

tl::expected<json::object, Printed> request_from(const OrderOptions& options) {
  json::object request{{"command", options.command}};
  if (options.destination) {
    auto service = service_name(options);
    if (!service) return tl::make_unexpected(std::move(service.error()));
    request["service"] = *service;
    request["destination"] = name_of(options);
  } else if (options.service) {
    request["service"] = ipvs::string_from_service_key(*options.service);
  }
  if (options.weight) request["weight"] = *options.weight;
  if (options.lasting) {
    request["for_s"] = std::chrono::duration<double>(*options.lasting).count();
  }
  return request;
}

std::string message_of(const json::value& result) {
  const auto* const object = result.if_object();
  const auto* const message = object == nullptr ? nullptr : object->if_contains("message");
  if (message == nullptr || !message->is_string()) return "done\n";
  return std::string(message->get_string()) + "\n";
}

/// Where a drain stands.
struct Look {
  bool dry_run{};  ///< nothing will come of it
  bool unknown{};  ///< monitord cannot read the table now
  bool gone{};     ///< the destination is not in the table any more
  bool drained{};  ///< at 0
  std::uint64_t active{};
};

tl::expected<Look, ControlFailure> look(const OrderOptions& options, const std::string& service) {
  const auto status = daemon_status(options.socket);
  if (!status) return tl::make_unexpected(status.error());
  const auto found = services_with(*status, name_of(options), service);
  if (status->dry_run) return Look{.dry_run = true};
  if (!status->degraded.empty()) return Look{.unknown = true};
  if (found.empty()) return Look{.gone = true};
  const auto* const destination = destination_of(*found.front(), name_of(options));
  return Look{.drained = destination->current == 0U, .active = destination->active.value_or(0)};
}

/// Until nobody talks to it any more, or somebody ends the drain.
Printed wait_for_drain(const OrderOptions& options, const std::string& service, Printed printed) {
  bool was_drained = false;
  while (true) {
    const auto now = look(options, service);
    if (!now) return failed_with(exit_status_of(now.error()), now.error().message);
    if (now->dry_run) {
      printed.err += "monitorctl: this monitord runs dry: it will not be drained\n";
      printed.status = exit_status::failure;
      return printed;
    }
    if (now->gone) {
      printed.out += name_of(options) + " is gone from the table\n";
      return printed;
    }
    if (was_drained && !now->drained && !now->unknown) {
      return failed_with(exit_status::failure, name_of(options) + " is not drained any more");
    }
    was_drained = now->drained || (was_drained && now->unknown);
    if (now->drained && now->active == 0) {
      printed.out += name_of(options) + " has no active connection left\n";
      return printed;
    }
    std::this_thread::sleep_for(between_looks);
  }
}

}  // namespace

Printed run(const OrderOptions& options) {
  const auto request = request_from(options);
  if (!request) return request.error();
  const auto result = ask_daemon(options.socket, *request);
  if (!result) return failed_with(exit_status_of(result.error()), result.error().message);
  Printed printed{message_of(*result)};
  if (!options.wait) return printed;
  return wait_for_drain(options, std::string(request->at("service").as_string()),
                        std::move(printed));
}

}  // namespace lvs::monitorctl
