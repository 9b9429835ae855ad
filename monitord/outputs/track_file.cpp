#include "monitord/outputs/track_file.hpp"

namespace lvs::monitord {

std::string track_file_name(const ipvs::DestinationKey& destination) {
  return ipvs::string_from_destination_key(destination);
}

std::string track_file_text(std::uint32_t weight) {
  return std::to_string(weight) + "\n";
}

bool is_unsaid(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace lvs::monitord
