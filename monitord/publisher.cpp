#include "monitord/publisher.hpp"

#include <utility>

namespace lvs::monitord {

void Publisher::serve(const HttpConfig& http) {
  if (http == served_ && problem_.empty()) return;
  served_ = http;
  problem_.clear();
  server_.reset();
  if (http.listen.empty()) return;
  server_ = std::make_unique<HttpServer>(
      [hosts = http.hosts](const HttpRequest& request, const Published& published) {
        return http_answer(request, published, hosts);
      });
  if (auto opened = server_->open(http.listen); !opened) {
    problem_ = std::move(opened.error());
    server_.reset();
  } else if (last_) {
    server_->publish(last_);
  }
}

void Publisher::event(double wall_time, LogLine line) {
  history_.add(HistoryEvent{wall_time, std::move(line)});
}

void Publisher::loaded(double wall_time, std::chrono::nanoseconds interval) {
  facts_.loaded = wall_time;
  facts_.interval = interval;
  facts_.reload_problem.clear();
}

void Publisher::publish(std::shared_ptr<const CycleReport> report,
                        const DurationHistogram& poll_times) {
  history_.add(*report);
  facts_.poll_times = poll_times;
  if (!server_) return;
  last_ = std::make_shared<const Published>(Published{std::move(report), history_, facts_});
  server_->publish(last_);
}

}  // namespace lvs::monitord
