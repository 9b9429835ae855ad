#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "monitord/cycle_clock.hpp"
#include "monitord/daemon.hpp"
#include "monitord/history_text.hpp"

// What the control socket answers. Short answers are written at once; what grows with the table is
// written beside the loop.

namespace lvs::monitord {

namespace json = boost::json;

void Daemon::answer(const ControlRequest& request, ControlServer::Respond respond) {
  const auto at_once = [&respond](std::string text) {
    respond(std::make_shared<const std::string>(std::move(text)));
  };
  switch (request.command) {
    case ControlCommand::status:
      return answer_status(std::move(respond));
    case ControlCommand::version:
      return at_once(control_answer(json::object{{"version", source_.version}}));
    case ControlCommand::reload:
      return at_once(reload_answer());
    case ControlCommand::order:
      return at_once(order_answer(request.order));
    case ControlCommand::state_export:
      return answer_export(std::move(respond));
    case ControlCommand::state_import:
      return at_once(import_answer(request.journal));
    case ControlCommand::history:
      return answer_history(request.order, std::move(respond));
    case ControlCommand::config:
      return at_once(control_answer(json::object{{"config", shown_configuration(configuration_)}}));
    case ControlCommand::events:
      return at_once(control_answer(json_from_events(publisher_.history())));
  }
  at_once(control_answer(ControlError{"unknown command", ""}));
}

std::string Daemon::order_answer(const Order& order) {
  controller_.set_wall_time(wall_time_now());
  const auto done = controller_.take(order, parts_.clock());
  if (!done) return control_answer(done.error());
  log_event({LogLevel::info, "order", {{"text", *done}}});
  return control_answer(json::object{{"message", *done}});
}

void Daemon::answer_export(ControlServer::Respond respond) {
  controller_.set_wall_time(wall_time_now());
  auto memory = std::make_shared<const Memory>(controller_.memory(parts_.clock()));
  renderer_.render(
      [memory = std::move(memory)] {
        return control_answer(json::object{{"journal", journal_text(*memory)}});
      },
      std::move(respond));
}

/// Only what was learned: bases, zeros and orders belong to the director that they were made on.
std::string Daemon::import_answer(const std::string& journal) {
  auto content = journal_from_text(journal);
  if (content.fault == JournalContent::Fault::newer_version) {
    return control_answer(
        ControlError{"this state was written by a newer monitord", "update this one first"});
  }
  if (content.fault != JournalContent::Fault::none) {
    return control_answer(
        ControlError{fmt::format("this is no state of monitord's: line {}", content.line),
                     "give it what `monitorctl state export` printed"});
  }
  const auto known = content.memory.learned.servers.size();
  controller_.set_wall_time(wall_time_now());
  const auto taken = controller_.take(std::move(content.memory.learned), parts_.clock());
  log_event({LogLevel::info, "state_import", {{"servers", fmt::format("{} of {}", taken, known)}}});
  return control_answer(json::object{
      {"message", fmt::format("took over what was learned about {} of {} servers; the others are "
                              "not in this table, known better here, or an hour old",
                              taken, known)}});
}

/// One document for all who ask while it is written, and until the next cycle.
void Daemon::answer_status(ControlServer::Respond respond) {
  if (report_->cycle == 0) {
    return respond(std::make_shared<const std::string>(
        control_answer(ControlError{"no cycle is done yet", "ask again in a moment"})));
  }
  if (status_) return respond(status_);
  status_asked_.push_back(std::move(respond));
  if (status_asked_.size() > 1) return;
  renderer_.render([report = report_] { return control_answer(json_from_report(*report)); },
                   [this, report = report_](const ControlServer::Answer& text) {
                     if (report == report_) status_ = text;
                     for (auto& asked : std::exchange(status_asked_, {}))
                       asked(text);
                   });
}

void Daemon::answer_history(const Order& about, ControlServer::Respond respond) {
  const DestinationId id{about.service.value(), about.destination.value()};
  renderer_.render([history = publisher_.history(),
                    id] { return control_answer(json_from_series(history, id)); },
                   std::move(respond));
}

}  // namespace lvs::monitord
