#include "monitord/keys.hpp"

#include <utility>

#include "keyfile/keyfile.hpp"

namespace lvs::monitord {

tl::expected<std::vector<PollKey>, std::vector<strictyaml::Problem>> keys_from_yaml(
    std::string text, std::string file) {
  auto entries =
      keyfile::entries_from_yaml(std::move(text), std::move(file), keyfile::Holds::masters);
  if (!entries) return tl::make_unexpected(std::move(entries.error()));
  std::vector<PollKey> keys;
  for (const auto& entry : *entries)
    keys.push_back({entry.id, entry.key});
  return keys;
}

}  // namespace lvs::monitord
