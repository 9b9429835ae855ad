#pragma once

// A finished cycle, and its rendering as JSON. Log, CLI and page only render this.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "monitord/decision.hpp"

namespace lvs::monitord {

/// What became of the questions to the agents; totals since start.
struct PollCounters {
  std::uint64_t asked{};     ///< polls: questions, each sent once or twice
  std::uint64_t sent{};      ///< requests, second tries included
  std::uint64_t answered{};  ///< replies that were taken
  std::uint64_t late{};      ///< of these, the ones after the deadline
  std::uint64_t timeouts{};  ///< questions without a reply within the deadline
  std::uint64_t bad_mac{}, bad_nonce{}, bad_length{}, bad_name{}, bad_source{}, malformed{};

  friend bool operator==(const PollCounters&, const PollCounters&) = default;
};

/// What became of the response-time probes; totals since start.
struct ProbeCounters {
  std::uint64_t sent{};
  std::uint64_t answered{};
  std::uint64_t timeouts{};     ///< each counted as the deadline
  std::uint64_t refused{};      ///< these and the following gave no number
  std::uint64_t unreachable{};  ///< no connection for another reason
  std::uint64_t bad_reply{};    ///< not HTTP, cut short or without end
  std::uint64_t bad_status{};   ///< not one that is expected

  [[nodiscard]] std::uint64_t failed() const {
    return refused + unreachable + bad_reply + bad_status;
  }
  friend bool operator==(const ProbeCounters&, const ProbeCounters&) = default;
};

/// What became of HAProxy's questions for weights; totals since start.
struct QuestionCounters {
  std::uint64_t answered{};   ///< with a weight
  std::uint64_t unknown{};    ///< for a server that no pool has
  std::uint64_t malformed{};  ///< not BACKEND/SERVER
  std::uint64_t timeouts{};   ///< the line did not end in time

  friend bool operator==(const QuestionCounters&, const QuestionCounters&) = default;
};

/// What became of reading the counters of pools without IPVS; totals since start.
struct StatsCounters {
  std::uint64_t read{};
  std::uint64_t failed{};

  friend bool operator==(const StatsCounters&, const StatsCounters&) = default;
};

/// What became of telling nginx weights; totals since start.
struct ReloadCounters {
  std::uint64_t reloaded{};
  std::uint64_t test_failed{};    ///< `nginx -t` refused, and the file before was put back
  std::uint64_t reload_failed{};  ///< the file stays; nginx takes it when it starts

  friend bool operator==(const ReloadCounters&, const ReloadCounters&) = default;
};

/// What became of PowerDNS's questions; totals since start.
struct DnsCounters {
  std::uint64_t addresses{};  ///< answered with one
  std::uint64_t other{};      ///< with anything else that was right: SOA, NS, no such name
  std::uint64_t malformed{};  ///< not what PowerDNS asks

  friend bool operator==(const DnsCounters&, const DnsCounters&) = default;
};

struct OutputCounters {
  QuestionCounters questions{};
  StatsCounters stats{};
  ReloadCounters reloads{};
  DnsCounters dns{};

  friend bool operator==(const OutputCounters&, const OutputCounters&) = default;
};

struct CycleReport {
  std::uint64_t cycle{};
  Moment now{};
  double wall_time{};  ///< seconds since the epoch, for people only
  Moment interval{};   ///< between two cycles
  bool dry_run{};
  std::string version{};
  std::string degraded{};            ///< why the table could not be read; empty: it could
  std::vector<std::string> notes{};  ///< what is missing or wrong around the loop, for people
  std::vector<Verdict> verdicts{};
  std::vector<Applied> applied{};
  Orders orders{};  ///< that stand
  PollCounters polls{};
  ProbeCounters probes{};
  OutputCounters outputs{};
  /// Totals since start: weights written; writes refused or whose destination had vanished; targets
  /// within the boundary or waiting; edits of others.
  std::uint64_t writes{}, failed_writes{}, suppressed{}, foreign_edits{};
};

/// The verdicts in the order of (service, destination), which is that of most tables already.
std::vector<const Verdict*> verdicts_in_order(const CycleReport& report);

/// {"monitord":{"version":…,"cycle":…,"wall_time":…,"interval_s":…,"dry_run":…,"degraded":null,"notes":[],
///  "polls":{"sent":…,"answered":…,"late":…,"timeouts":…,"bad_mac":…,"bad_nonce":…,"bad_length":…,
///  "bad_name":…,"bad_source":…,"malformed":…},
///  "probes":{"sent":…,"answered":…,"timeouts":…,"failed":…,"refused":…,"unreachable":…,
///  "bad_reply":…,"bad_status":…},"writes":…,"failed_writes":…,"suppressed":…,
///  "foreign_edits":…,"outputs":{"answered":…,"unknown":…,"malformed":…,"timeouts":…,
///  "stats_read":…,"stats_failed":…,"nginx_reloaded":…,"nginx_test_failed":…,
///  "nginx_reload_failed":…,"dns_addresses":…,"dns_other":…,"dns_malformed":…},"orders":[{"order":"pin","service":…,"destination":…,"weight":5,
///  "until":null,"text":"…"}]},
///  "services":[{"service":"tcp 10.9.9.9:80","scheduler":"wrr","persistent_s":0,"destinations":[
/// {"destination":"10.0.0.11:80","server":…,"forwarding":"Masq","base":…,"current":…,"target":…,
///  "write":…,"boundary":…,"reading":"fresh","age_s":…,"cpu_busy":…,"mem_available":…,
///  "composite":…,"input":…,"new_connections":…,"completed":…,"active":…,"inactive":…,
///  "capacity":…,"correction":…,"ratio_exponent":…,"strategy":"feedback","score":…,
///  "terms":{"CPU":{"coefficient":…,"value":…},…},"note":null,"own_zero":null,
///  "outcome":"change","reason":"…",
///  "network_utilisation":…,"disk_utilisation":…,"processes":…,"load_per_cpu":…,
///  "cpu_pressure":…,"memory_pressure":…,"io_pressure":…,"response_s":…,"wish":…,
///  "eased":…,"scaled":…}]}],
///  "applied":[{"service":…,"destination":…,"from":…,"to":…,"result":"written","error":null}]}
/// Unknown numbers are null, and so is "forwarding" of a pool without IPVS. Services and
/// destinations come in the order of the verdicts, each service once.
boost::json::object json_from_report(const CycleReport& report);

/// See "orders" there: pause, restore, pin and drain.
boost::json::array json_from_orders(const Orders& orders, Moment now);

/// The words of `ipvsadm -Ln`: Masq, Local, Tunnel, Route, Bypass.
std::string_view forwarding_name(ipvs::ForwardingMethod method);

/// The verdicts as a table for people: what `--once` and `--dry-run` print.
std::string table_from_report(const CycleReport& report);

}  // namespace lvs::monitord
