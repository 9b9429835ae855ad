#include "ipvs/error.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

namespace lvs::ipvs {
namespace {

std::string in_service(const ServiceKey& service, const DestinationKey& destination) {
  return string_from_destination_key(destination) + " in " + string_from_service_key(service);
}

}  // namespace

Error no_ipvs_error() {
  return {ErrorKind::no_ipvs, ENOENT,
          "no IPVS in this kernel: run modprobe ip_vs (in a container: on its host)"};
}

Error no_permission_error() {
  return {ErrorKind::no_permission, EPERM,
          "no permission for IPVS: reading and writing need CAP_NET_ADMIN in the initial user "
          "namespace (run as root there, or with AmbientCapabilities=CAP_NET_ADMIN; root of a "
          "user namespace or of a rootless container is not enough)"};
}

Error no_such_service_error(const ServiceKey& service) {
  return {ErrorKind::no_such_service, ESRCH,
          "no such service: " + string_from_service_key(service) + " is not in the IPVS table"};
}

Error no_such_destination_error(const ServiceKey& service, const DestinationKey& destination) {
  return {ErrorKind::no_such_destination, ENOENT,
          "no such destination: " + in_service(service, destination)};
}

Error malformed_error(std::string message) {
  return {ErrorKind::malformed, 0, std::move(message)};
}

Error weight_error(std::uint32_t weight) {
  return {ErrorKind::refused, ERANGE,
          "weight " + std::to_string(weight) + " is above the kernel's limit of 2147483647"};
}

Error error_from_errno(int error_number, std::string_view action) {
  if (error_number == EPERM) return no_permission_error();
  const auto what = std::string(action);
  if (error_number == ETIMEDOUT) {
    return {ErrorKind::timed_out, ETIMEDOUT, "the kernel did not answer in time: " + what};
  }
  if (error_number == ENOBUFS) {
    return {ErrorKind::timed_out, ENOBUFS, "the kernel's answer was lost: " + what};
  }
  return {ErrorKind::refused, error_number,
          what + " failed: " + std::generic_category().message(error_number)};
}

Error read_error_from_errno(int error_number, const ServiceKey& service) {
  if (error_number == ESRCH) return no_such_service_error(service);
  return error_from_errno(error_number, "reading " + string_from_service_key(service));
}

Error write_error_from_errno(int error_number, const ServiceKey& service,
                             const DestinationKey& destination) {
  if (error_number == ESRCH) return no_such_service_error(service);
  if (error_number == ENOENT) return no_such_destination_error(service, destination);
  return error_from_errno(error_number,
                          "writing the weight of " + in_service(service, destination));
}

}  // namespace lvs::ipvs
