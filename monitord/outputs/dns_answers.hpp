#pragma once

// Output `dns`: what PowerDNS is answered when it asks for a name. Pure: connections are in
// dns_server.hpp.
//
// The zone has an SOA record, its name servers, and for each pool a name with one A and one AAAA
// record, drawn anew for each question. Weights are those of the last decision, whoever is silent
// since.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "monitord/config.hpp"
#include "monitord/outputs/dns_choice.hpp"
#include "monitord/outputs/output.hpp"
#include "monitord/outputs/remote_backend.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

class DnsAnswers : public Output {
 public:
  /// Before declare().
  void configure(const Config& config);

  [[nodiscard]] OutputKind kind() const override { return OutputKind::dns; }
  void declare(const std::vector<OutputPool>& pools, bool acts, Moment now) override;
  /// Never fails: PowerDNS is told when it asks.
  std::vector<Result> apply(const ipvs::ServiceKey& service,
                            std::span<const OutputServer> weights) override;
  /// None: nobody has to ask.
  [[nodiscard]] std::vector<std::string> notes(Moment /*now*/) const override { return {}; }

  /// One line. `chance`: see chosen_server().
  std::string answer(std::string_view line, std::uint64_t chance);

  /// There is something to answer.
  [[nodiscard]] bool is_wanted() const { return acts_ && !hosts_.empty(); }
  [[nodiscard]] const DnsCounters& counters() const { return counters_; }

 private:
  struct Host {
    ipvs::ServiceKey pool{};
    std::vector<OutputServer> servers{};
  };

  std::string lookup(const DnsQuestion& question, std::uint64_t chance);
  void add_zone(std::vector<DnsRecord>& records) const;
  void add_addresses(const Host& host, std::uint64_t chance, std::vector<DnsRecord>& records) const;

  DnsConfig zone_{};
  std::uint32_t ttl_s_{};
  std::map<ipvs::ServiceKey, DnsChoice> choices_{};
  std::map<std::string, Host, std::less<>> hosts_{};  ///< by their plain names
  bool acts_{};
  DnsCounters counters_{};
};

}  // namespace lvs::monitord
