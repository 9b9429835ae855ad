#include "monitorctl/top_feed.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

namespace lvs::monitorctl {
namespace {

using Clock = std::chrono::steady_clock;

/// Quitting waits for a question that is under way, and nobody wants to wait long.
constexpr std::chrono::seconds patience{2};

/// Of a daemon that does not know the command, or no such destination: nothing, once and for all.
/// Of one that has gone: what came until then.
decltype(TopNews::histories) histories_of(const std::string& socket,
                                          const std::vector<TopName>& names) {
  decltype(TopNews::histories) histories;
  for (const auto& name : names) {
    const auto answer = ask_daemon(
        socket,
        boost::json::object{
            {"command", "history"}, {"service", name.service}, {"destination", name.destination}},
        patience);
    if (!answer && answer.error().unreachable) break;
    histories.emplace_back(name,
                           answer ? numbers_from_history(*answer) : std::vector<HistoryNumbers>{});
  }
  return histories;
}

/// A thread inherits the mask of the one that makes it: this one shall see no signal.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

TopNews first_news(const TopOptions& options) {
  TopNews news{daemon_status(options.socket, patience), {}};
  if (!news.status) return news;
  TopMemory memory;
  memory.take(*news.status, 0);
  const auto groups = top_groups(memory, options.sort, options.filter);
  news.histories = histories_of(options.socket, without_history(memory, names_of(groups)));
  return news;
}

void take_news(TopMemory& memory, TopNews news, double now) {
  if (news.status) {
    memory.take(std::move(*news.status), now);
  } else {
    memory.take_failure(news.status.error().message);
  }
  for (const auto& [name, points] : news.histories)
    memory.take_history(name, points);
}

TopFeed::TopFeed(TopOptions options)
    : options_(std::move(options)), event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.valid()) throw std::system_error(errno, std::generic_category(), "eventfd");
  const AllSignalsBlocked blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

std::vector<TopNews> TopFeed::take() {
  eventfd_t count = 0;
  ::eventfd_read(event_.get(), &count);  // that nothing was there is no fault
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

void TopFeed::want(std::vector<TopName> names) {
  const std::lock_guard lock(mutex_);
  wanted_ = std::move(names);
}

TopNews TopFeed::ask(bool first) {
  if (first) return first_news(options_);
  std::vector<TopName> wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted = std::exchange(wanted_, {});
  }
  TopNews news{daemon_status(options_.socket, patience), {}};
  if (news.status) news.histories = histories_of(options_.socket, wanted);
  return news;
}

void TopFeed::publish(TopNews news) {
  const std::lock_guard lock(mutex_);
  news_.push_back(std::move(news));
  ::eventfd_write(event_.get(), 1);  // fails only when it is full: then it wakes anyway
}

void TopFeed::run(const std::stop_token& stop) {
  bool first = true;
  while (!stop.stop_requested()) {
    const auto begun = Clock::now();
    auto news = ask(first);
    first = first && !news.status;
    publish(std::move(news));
    std::unique_lock lock(mutex_);
    ended_.wait_until(lock, stop, begun + options_.interval, [] { return false; });
  }
}

}  // namespace lvs::monitorctl
