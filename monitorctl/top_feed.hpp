#pragma once

// Asks monitord again and again for `monitorctl top`.
//
// Threading: a thread of its own, so that keys work while monitord does not answer; everything here
// is called from the other one. Errors: a failure is news like any other, and it goes on asking.

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/history_points.hpp"
#include "monitorctl/top_memory.hpp"
#include "plainfile/file_descriptor.hpp"

namespace lvs::monitorctl {

/// What one round of questions brought.
struct TopNews {
  tl::expected<Status, ControlFailure> status{};
  std::vector<std::pair<TopName, std::vector<HistoryNumbers>>> histories{};
};

/// The status, and the histories of the destinations that come first on the screen.
TopNews first_news(const TopOptions& options);
void take_news(TopMemory& memory, TopNews news, double now);

class TopFeed {
 public:
  explicit TopFeed(TopOptions options);

  /// Readable when take() has something.
  [[nodiscard]] int descriptor() const { return event_.get(); }
  std::vector<TopNews> take();
  /// With the next round the histories of these.
  void want(std::vector<TopName> names);

 private:
  void run(const std::stop_token& stop);
  [[nodiscard]] TopNews ask(bool first);
  void publish(TopNews news);

  const TopOptions options_;
  FileDescriptor event_;
  std::mutex mutex_{};
  std::condition_variable_any ended_{};
  std::vector<TopNews> news_{};
  std::vector<TopName> wanted_{};
  std::jthread thread_{};  ///< last: it ends before the rest goes
};

}  // namespace lvs::monitorctl
