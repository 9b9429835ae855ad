// ip_vs_mh.c: Maglev hashing of the source address, without mh-fallback and mh-port: the clients of
// a destination with weight 0 are refused.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "clustersim/scheduler.hpp"

namespace lvs::clustersim {
namespace {

constexpr std::uint32_t table_size = 4093;  ///< primes[CONFIG_IP_VS_MH_TAB_INDEX - 8]
constexpr int turn_bits = 6;                ///< IP_VS_MH_TAB_BITS
constexpr std::uint64_t first_key = 2654435761;
constexpr std::uint64_t second_key = 2654446892;
constexpr std::uint32_t nobody = UINT32_MAX;

struct SipState {
  std::uint64_t a, b, c, d;

  void round() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }
};

/// hsiphash_1u32 of lib/siphash.c on 64 bit (SipHash-1-3), both halves of the key alike.
std::uint32_t hash_of(std::uint32_t value, std::uint64_t key) {
  SipState state{0x736f6d6570736575 ^ key, 0x646f72616e646f6d ^ key, 0x6c7967656e657261 ^ key,
                 0x7465646279746573 ^ key};
  std::uint64_t const block = (std::uint64_t{4} << 56U) | value;
  state.d ^= block;
  state.round();
  state.a ^= block;
  state.c ^= 0xff;
  for (int round = 0; round < 3; ++round)
    state.round();
  return static_cast<std::uint32_t>((state.a ^ state.b) ^ (state.c ^ state.d));
}

struct Preference {
  std::uint32_t next{};   ///< slot that is asked for next
  std::uint32_t skip{};   ///< to the one after
  std::uint32_t turns{};  ///< slots taken in a row
};

/// ip_vs_mh_permutate.
std::vector<Preference> preferences_of(const Destinations& destinations) {
  std::uint32_t divisor = 0;
  std::uint32_t most = 0;
  for (auto const weight : destinations.last_weight) {
    divisor = std::gcd(divisor, weight);
    most = std::max(most, weight);
  }
  std::vector<Preference> preferences(destinations.size());
  if (divisor == 0) return {};
  auto const shift = std::max(0, static_cast<int>(std::bit_width(most / divisor)) - turn_bits);
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    auto const key = destinations.address[i] + destinations.port;
    auto const weight = destinations.last_weight[i];
    std::uint32_t const turns = (weight / divisor) >> static_cast<unsigned>(shift);
    preferences[i] = {hash_of(key, first_key) % table_size,
                      hash_of(key, second_key) % (table_size - 1) + 1,
                      turns > 0 ? turns : std::min(weight, 1U)};
  }
  return preferences;
}

/// ip_vs_mh_populate.
std::vector<std::uint32_t> table_of(const Destinations& destinations) {
  std::vector<std::uint32_t> table(table_size, nobody);
  auto preferences = preferences_of(destinations);
  if (preferences.empty()) return table;
  std::uint32_t filled = 0;
  while (true) {
    for (std::size_t i = 0; i < preferences.size(); ++i) {
      auto& preference = preferences[i];
      for (std::uint32_t turn = 0; turn < preference.turns; ++turn) {
        while (table[preference.next] != nobody)
          preference.next = (preference.next + preference.skip) % table_size;
        table[preference.next] = static_cast<std::uint32_t>(i);
        if (++filled == table_size) return table;
      }
    }
  }
}

class MaglevHashing : public Scheduler {
 public:
  std::optional<std::size_t> pick(const Destinations& destinations, std::uint32_t source) override {
    if (table_.empty()) table_ = table_of(destinations);
    auto const found = table_[hash_of(source, first_key) % table_size];
    if (found == nobody || destinations.weight[found] == 0) return std::nullopt;
    return found;
  }

  /// The kernel builds its table at once; nobody sees that this one waits for the next connection.
  void edited(const Destinations& /*destinations*/) override { table_.clear(); }

 private:
  std::vector<std::uint32_t> table_{};
};

}  // namespace

std::unique_ptr<Scheduler> make_mh() {
  return std::make_unique<MaglevHashing>();
}

}  // namespace lvs::clustersim
