// Any datagram at either end of LFB1. Keyless, so that mutations get past the MAC: the first byte
// tells whether the MAC and the length are made right first.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agentproto/key.hpp"
#include "agentproto/lfb1.hpp"
#include "agentproto/reading.hpp"
#include "require.hpp"

namespace agentproto = lvs::agentproto;
using lvs::fuzz::require;

namespace {

void make_plausible(std::vector<std::uint8_t>& datagram) {
  if (datagram.size() < 48 || datagram.size() > 512) return;
  datagram[6] = static_cast<std::uint8_t>(datagram.size() >> 8U);
  datagram[7] = static_cast<std::uint8_t>(datagram.size());
  std::fill(datagram.begin() + 8, datagram.begin() + 12, std::uint8_t{0});
  std::fill(datagram.end() - 16, datagram.end(), std::uint8_t{0});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::vector<std::uint8_t> datagram{data + 1, data + size};
  if ((data[0] & 1U) != 0) make_plausible(datagram);

  static const agentproto::MacKey key{agentproto::Key{}};
  require(!agentproto::decode_reply(datagram, key, std::nullopt));
  require(!agentproto::decode_request(datagram, key));

  if (const auto request = agentproto::decode_request(datagram, agentproto::keyless)) {
    require(agentproto::peek_request(datagram) == request);
  }
  const auto reply = agentproto::decode_reply(datagram, agentproto::keyless, std::nullopt);
  if (!reply) return 0;
  const auto encoded = agentproto::encode_reply(*reply, agentproto::keyless);
  require(encoded.size() <= agentproto::max_reply_size);
  require(agentproto::decode_reply(encoded, agentproto::keyless, std::nullopt) == reply);

  const auto measured = agentproto::measured_from_samples(agentproto::Sample{}, reply->sample);
  if (measured.mem_available) {
    require(*measured.mem_available >= 0.0 && *measured.mem_available <= 1.0);
  }
  return 0;
}
