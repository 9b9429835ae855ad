#pragma once

// All outputs of a daemon together: who is wired to whom. To add one, add a member here, to the
// list that the table gets, and to notes() what it has to say beyond the port.
//
// Threading: the io_context's one thread. Errors: an output that does not work is a note.

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ipvs/table.hpp"
#include "monitord/config.hpp"
#include "monitord/outputs/agent_check_server.hpp"
#include "monitord/outputs/dns_answers.hpp"
#include "monitord/outputs/dns_server.hpp"
#include "monitord/outputs/haproxy_answers.hpp"
#include "monitord/outputs/nginx_files.hpp"
#include "monitord/outputs/output_table.hpp"
#include "monitord/outputs/stats_reader.hpp"
#include "monitord/outputs/stats_weights.hpp"
#include "monitord/outputs/track_files.hpp"
#include "monitord/remembered.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

class Outputs {
 public:
  /// `remembered`: of an earlier process.
  Outputs(boost::asio::io_context& io, ipvs::Table& kernel, std::function<Moment()> clock,
          const Config& config, const Remembered& remembered);

  /// After a reload.
  void configure(const Config& config, const Remembered& remembered = {});

  /// Answers HAProxy and PowerDNS from now on, where there is anything to answer and it is no dry
  /// run. Called again after a reload: what is the same is left open.
  void serve();

  /// The table that the controller works on.
  [[nodiscard]] ipvs::Table& table() { return table_; }
  /// As the configuration, with the pools among its services: for who asks agents by the list of
  /// services and knows no pools.
  [[nodiscard]] const Config& listed() const { return listed_; }

  /// Between two cycles.
  void begin_cycle() {
    stats_.begin_cycle();
    nginx_.begin_cycle(clock_());
  }

  /// monitord ends: what waits for its time is done now. Again and again, until all_told().
  void hurry() { nginx_.hurry(clock_()); }
  /// HAProxy has been told the last weights, as far as it asks, and nginx what it would take.
  [[nodiscard]] bool all_told() const {
    return nginx_.all_told() && (!server_ || haproxy_.all_told());
  }

  [[nodiscard]] OutputCounters counters() const {
    return {haproxy_.counters(), stats_.counters(), nginx_.counters(), dns_.counters()};
  }
  std::map<std::string_view, std::string> take_faults() { return haproxy_.take_faults(); }
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  void serve_haproxy();
  void serve_dns();
  void take_stats(const std::string& socket, std::span<const ServerStats> stats);

  boost::asio::io_context& io_;
  std::function<Moment()> clock_;
  TrackFiles track_files_{};
  HaproxyAnswers haproxy_{};
  NginxFiles nginx_;
  DnsAnswers dns_{};
  OutputTable table_;
  StatsReader stats_;
  Config listed_{};
  /// Of a pool, with the number of readings in a row that said so.
  std::map<ipvs::ServiceKey, std::pair<std::string, unsigned>> mismatches_{};
  std::string wanted_listen_{};  ///< empty: nothing is to be answered
  std::string open_listen_{};
  std::unique_ptr<AgentCheckServer> server_{};
  std::string problem_{};        ///< why it is not open
  std::string wanted_socket_{};  ///< PowerDNS's, as above
  std::string open_socket_{};
  std::unique_ptr<DnsServer> dns_server_{};
  std::string dns_problem_{};
  /// Who is answered with is no secret, only a matter of chance.
  std::mt19937_64 chance_{std::random_device{}()};
};

}  // namespace lvs::monitord
