#pragma once

// Somebody at the director who changes the table all the time, by ipvsadm and by chance.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kernel/chaos/judge.hpp"

namespace lvs::chaos {

using Random = std::mt19937;

/// A destination that may be in the table.
struct Seat {
  std::string service_option{};  ///< "-t 10.9.9.9:80"
  std::string address{};         ///< "10.2.0.11:80"
  std::string forwarding{};      ///< "-m", with all that belongs to it
};

/// A service that is there but for moments, with the seats of its pool.
struct Pool {
  std::string name{};  ///< "tcp 10.9.9.9:80"
  std::string option{};
  std::string scheduler{};
  std::vector<Seat> seats{};
};

/// Four pools of the servers 1 to `servers`: NAT, tunnel, direct routing, both families.
std::vector<Pool> four_pools(int servers);

class Operator {
 public:
  /// `clock` tells the time of the judge's looks.
  Operator(std::vector<Pool> pools, Random& random, Moment (*clock)());

  /// All pools with all their seats, each at a weight of its own.
  void build();

  /// One edit by chance; `now` is what is there. Nothing: there was nothing to do.
  std::optional<Edit> edit(const Look& now);

  /// Everything away, ip_vs unloaded where `reload`, and everything built anew. False: the module
  /// could not be unloaded.
  bool rebuild(bool reload);

  /// An edit was lost: what counted before it may count on.
  void lost(const std::string& destination);

  /// The base weights that monitord may have for a destination by now. Empty: none of ours is in
  /// the table.
  [[nodiscard]] const std::map<std::string, std::set<std::uint32_t>>& bases() const {
    return bases_;
  }
  [[nodiscard]] std::string counts() const;
  [[nodiscard]] std::size_t edits() const;

 private:
  struct Thresholds {
    std::uint32_t upper{}, lower{};
  };
  struct Choice {
    const Seat* seat{};
    std::string name{};  ///< as the judge names it
  };

  [[nodiscard]] std::optional<Choice> chosen(const Look& now, bool present);
  std::uint32_t another_weight(const std::string& name, const Look& now);
  void set(const Choice& choice, const char* command, std::uint32_t weight);
  Edit done(const Choice& choice, std::optional<std::uint32_t> wanted);
  void expect(const std::string& name, std::uint32_t weight);

  std::optional<Edit> reweight(const Look& now);
  std::optional<Edit> drain(const Look& now);
  std::optional<Edit> undrain(const Look& now);
  std::optional<Edit> limit(const Look& now);
  std::optional<Edit> remove(const Look& now);
  std::optional<Edit> add(const Look& now);

  std::vector<Pool> pools_;
  Random& random_;
  Moment (*clock_)();
  std::map<std::string, Thresholds> thresholds_{};
  std::map<std::string, std::set<std::uint32_t>> bases_{};
  std::map<std::string, std::set<std::uint32_t>> bases_before_{};  ///< the newest edit
  std::map<std::string, std::uint32_t> last_weights_{};  ///< of destinations that are not there
  std::map<std::string, Moment> touched_{};
  std::map<std::string, std::size_t> counts_{};
};

}  // namespace lvs::chaos
