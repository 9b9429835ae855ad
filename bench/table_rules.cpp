#include "bench/table_rules.hpp"

#include <cassert>

namespace lvs::bench {
namespace {

constexpr std::size_t hosts_of_a_byte = 250;  // 1 to 250
constexpr std::size_t upper_threshold = 1000, lower_threshold = 10;

/// "A.B.C.D:80" with `first` as A.B, where B grows with large indices.
std::string address(std::size_t second_byte, std::size_t index) {
  const auto fourth = index % hosts_of_a_byte + 1;
  const auto third = index / hosts_of_a_byte % hosts_of_a_byte;
  const auto second = second_byte + index / hosts_of_a_byte / hosts_of_a_byte;
  assert(second < 256);
  return "10." + std::to_string(second) + "." + std::to_string(third) + "." +
         std::to_string(fourth) + ":80";
}

std::string service_address(std::size_t index) {
  return address(9, index);
}
std::string destination_address(std::size_t index) {
  return address(20, index);
}

std::string options_of(std::size_t weight, std::size_t upper, std::size_t lower) {
  return " -m -w " + std::to_string(weight) + " -x " + std::to_string(upper) + " -y " +
         std::to_string(lower);
}

}  // namespace

std::string name_of(const TableShape& shape) {
  return std::to_string(shape.services) + "x" + std::to_string(shape.destinations);
}

std::string rules_of(const TableShape& shape) {
  constexpr std::size_t weights = 100;
  std::string rules;
  std::size_t number = 0;
  for (std::size_t service = 0; service < shape.services; ++service) {
    const auto name = service_address(service);
    rules += "-A -t " + name + " -s wrr\n";
    for (std::size_t i = 0; i < shape.destinations; ++i, ++number) {
      rules += "-a -t " + name + " -r " + destination_address(number) +
               options_of(number % weights + 1, upper_threshold, lower_threshold) + "\n";
    }
  }
  return rules;
}

std::string edit_rule(const ipvs::ServiceKey& service, const ipvs::Destination& destination,
                      std::uint32_t weight) {
  return "-e -t " + ipvs::string_from_destination_key({service.address, service.port}) + " -r " +
         ipvs::string_from_destination_key(destination.key) +
         options_of(weight, destination.upper_threshold, destination.lower_threshold);
}

}  // namespace lvs::bench
