#pragma once

// keys.yaml, for everybody who reads one: the director's has master keys, an agent's has that
// agent's own. Pure: the file is read, and its mode checked, elsewhere. No message ever shows a
// part of the file.
//
//   keys:
//     - id: 1
//       master: 64 hexadecimal digits        (the director's; an agent's has `key:` instead)

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "agentproto/key.hpp"
#include "strictyaml/document.hpp"

namespace lvs::keyfile {

/// What the entries of a file may be.
enum class Holds {
  masters,     ///< `master:`, and at least one
  agent_keys,  ///< `key:`, or none at all
  either,      ///< each entry the one or the other, and at least one
};

struct Entry {
  std::uint32_t id{};  ///< key id on the wire, >= 1 (0 means "no key" there)
  agentproto::Key key{};
  bool master{};  ///< false: one agent's key

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// In the order of the file; at most 16, no id twice, no key of zeros only.
tl::expected<std::vector<Entry>, std::vector<strictyaml::Problem>> entries_from_yaml(
    std::string text, std::string file, Holds holds);

}  // namespace lvs::keyfile
