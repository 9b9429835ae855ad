#pragma once

// Output `nginx`: a file for each pool, with the server lines of an upstream, and one reload for
// all that changed.
//
//   keep     what nginx has now is copied to .NAME.before
//   rename   the new file takes the place of the old one at once
//   test     `nginx -t`; where it fails the kept file is put back
//   reload   `nginx -s reload`; where it fails the new file stays, for nginx when it starts, and so
//            does the kept one until a reload has succeeded
//
// A kept file at the start tells of a change that did not come to its end: it is gone through
// again, and the kept file stays the one to go back to.
//
// Threading: the io_context's one thread; the two programs run beside it. Errors: one line each, in
// notes(); what failed is tried again after an interval. Monitoring: counters().

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "monitord/config.hpp"
#include "monitord/outputs/command.hpp"
#include "monitord/outputs/output.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

class NginxFiles : public Output {
 public:
  explicit NginxFiles(boost::asio::io_context& io) : io_(io) {}
  ~NginxFiles() override;

  /// Before declare().
  void configure(NginxConfig commands) { commands_ = std::move(commands); }

  [[nodiscard]] OutputKind kind() const override { return OutputKind::nginx; }
  /// A file that is missing, or says something else, is written with the weights as they are. Of a
  /// pool that is let go, servers that are down get their base back: nobody else would raise them.
  void declare(const std::vector<OutputPool>& pools, bool acts, Moment now) override;
  /// Never fails: nginx is told by begin_cycle().
  std::vector<Result> apply(const ipvs::ServiceKey& service,
                            std::span<const OutputServer> weights) override;
  [[nodiscard]] std::vector<std::string> notes(Moment now) const override;

  /// Tells nginx what it has not been told, unless it was told something within the last interval.
  void begin_cycle(Moment now);
  /// The same without waiting for the interval: monitord ends.
  void hurry(Moment now);
  /// Nothing runs, and nothing is left that was not tried.
  [[nodiscard]] bool all_told() const;

  [[nodiscard]] const ReloadCounters& counters() const { return counters_; }

 private:
  struct File {
    ipvs::ServiceKey pool{};
    std::vector<OutputServer> servers{};
    std::string in_force{};  ///< what nginx was given last; empty: not known
    std::string tried{};     ///< what was given to it last, whatever came of it
    std::string problem{};
    bool let_go{};  ///< no pool has it any more
  };
  using Files = std::map<std::string, File>;  ///< by their paths
  struct Change {
    std::string path{}, text{};
  };

  void begin(Moment now);
  void test();
  void take_back(const std::string& reason);
  void reload();
  void take(Files::iterator file, const Change& change, const CommandResult& reloaded);
  void run(const std::vector<std::string>& words, Command::Done done);

  boost::asio::io_context& io_;
  NginxConfig commands_{};
  Files files_{};
  bool acts_{};
  std::vector<Change> changes_{};  ///< under way
  std::shared_ptr<Command> running_{};
  std::optional<Moment> begun_{};  ///< the last change
  ReloadCounters counters_{};
};

}  // namespace lvs::monitord
