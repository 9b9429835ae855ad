#pragma once

// Asks HAProxy's stats sockets for their counters between two cycles, so that no cycle waits for
// them. One question a cycle and socket, never two at a time.
//
// Threading: the io_context's one thread. Errors: a socket that cannot be asked is a note until it
// answers again; its pools then have the counters of before.

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "monitord/outputs/haproxy_stats.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

class StatsReader {
 public:
  /// The rows of one socket.
  using Sink = std::function<void(const std::string& socket, std::span<const ServerStats>)>;

  StatsReader(boost::asio::io_context& io, Sink sink);
  ~StatsReader();
  StatsReader(const StatsReader&) = delete;
  StatsReader& operator=(const StatsReader&) = delete;

  /// The sockets to ask from now on.
  void configure(std::set<std::string> sockets);
  /// Asks each that does not owe an answer.
  void begin_cycle();

  [[nodiscard]] const StatsCounters& counters() const { return counters_; }
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  class Conversation;

  void ended(const std::string& socket, const std::string& text, const std::string& problem);

  boost::asio::io_context& io_;
  Sink sink_;
  std::map<std::string, std::shared_ptr<Conversation>> sockets_{};  ///< null: asked by nobody now
  std::map<std::string, std::string> problems_{};
  StatsCounters counters_{};
};

}  // namespace lvs::monitord
