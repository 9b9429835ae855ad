#include "monitorctl/target_choice.hpp"

#include <string>

#include "monitorctl/status_text.hpp"

namespace lvs::monitorctl {

tl::expected<Target, Printed> chosen_target(const Status& status, std::string_view command,
                                            const std::optional<ipvs::ServiceKey>& service,
                                            const ipvs::DestinationKey& destination) {
  std::optional<std::string> service_name;
  if (service) service_name = ipvs::string_from_service_key(*service);
  const auto name = ipvs::string_from_destination_key(destination);
  const auto found = services_with(status, name, service_name);
  if (found.empty()) {
    return tl::make_unexpected(failed_with(
        exit_status::failure, service_name ? unknown_target_text(status, *service_name, name)
                                           : unknown_destination_text(status, name)));
  }
  if (found.size() > 1) {
    return tl::make_unexpected(
        failed_with(exit_status::usage, which_service_text(found, command, name)));
  }
  return Target{found.front(), destination_of(*found.front(), name)};
}

}  // namespace lvs::monitorctl
