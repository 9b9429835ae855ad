#pragma once

// What the control thread gives away after each cycle: history and facts are kept here, and what is
// finished goes to the thread that serves the page.
//
// Threading: the control thread. Errors: a page that cannot be served is a note, and no more.

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "monitord/config.hpp"
#include "monitord/http_server.hpp"
#include "monitord/published.hpp"

namespace lvs::monitord {

class Publisher {
 public:
  explicit Publisher(Facts facts) : facts_(std::move(facts)) {}

  /// Serves what the configuration wants; the same again changes nothing.
  void serve(const HttpConfig& http);

  void event(double wall_time, LogLine line);
  void cycle_took(double seconds) { facts_.cycle_times.add(seconds); }
  /// Of a configuration that is in force from now on.
  void loaded(double wall_time, std::chrono::nanoseconds interval);
  /// Its first line is shown; the log has all of them.
  void reload_refused(const std::string& problems) {
    facts_.reload_problem = problems.substr(0, problems.find('\n'));
  }

  void publish(std::shared_ptr<const CycleReport> report, const DurationHistogram& poll_times);

  [[nodiscard]] const History& history() const { return history_; }
  /// Why the page is not served; empty: it is, or nobody wants it.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  Facts facts_;
  History history_{};
  HttpConfig served_{"", {}};
  std::unique_ptr<HttpServer> server_{};
  std::shared_ptr<const Published> last_{};  ///< for a server that is opened anew
  std::string problem_{};
};

}  // namespace lvs::monitord
