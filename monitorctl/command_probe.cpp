#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "agentproto/lfb1.hpp"
#include "monitorctl/agent_client.hpp"
#include "monitorctl/commands.hpp"
#include "monitorctl/key_file_read.hpp"
#include "monitorctl/probe_report.hpp"

namespace lvs::monitorctl {
namespace {

tl::expected<StoredKey, Printed> chosen_key(const ProbeOptions& options) {
  const auto keys = read_stored_keys(options.keys_file);
  if (!keys && keys.error().bad_content) {
    return tl::make_unexpected(Printed{"", keys.error().message, exit_status::bad_file});
  }
  if (!keys) {
    const auto hint = keys.error().missing
                          ? "\nhint: --keys FILE names another, --insecure asks without one"
                          : "";
    return tl::make_unexpected(failed_with(exit_status::failure, keys.error().message + hint));
  }
  if (!options.key_id) return keys->front();
  const auto found = std::find_if(keys->begin(), keys->end(), [&options](const auto& key) {
    return key.id == *options.key_id;
  });
  if (found == keys->end()) {
    return tl::make_unexpected(failed_with(
        exit_status::failure, fmt::format("{} has no key {}", options.keys_file, *options.key_id)));
  }
  return *found;
}

tl::expected<AgentQuestion, Printed> question_from(const ProbeOptions& options) {
  const auto endpoint = endpoint_from_text(options.target, agentproto::default_port);
  if (!endpoint) {
    return tl::make_unexpected(
        failed_with(exit_status::usage, options.target + " is no HOST or HOST:PORT"));
  }
  AgentQuestion question;
  question.endpoint = *endpoint;
  question.name = options.name.empty() ? endpoint->host : options.name;
  question.deadline = options.deadline;
  if (options.insecure) return question;
  const auto stored = chosen_key(options);
  if (!stored) return tl::make_unexpected(stored.error());
  question.key_id = stored->id;
  question.key = key_for_agent(*stored, question.name);
  return question;
}

int status_of(AgentFailure failure) {
  const bool heard = failure == AgentFailure::wrong_name || failure == AgentFailure::bad_reply;
  return heard ? exit_status::failure : exit_status::unreachable;
}

}  // namespace

Printed run(const ProbeOptions& options) {
  const auto question = question_from(options);
  if (!question) return question.error();
  const auto failed = [&question](const AgentError& error) {
    return failed_with(status_of(error.kind), probe_failure_text(error, *question));
  };
  const auto before = ask_agent(*question);
  if (!before) return failed(before.error());
  // C is a difference: the agent takes a sample every second on its own clock.
  std::this_thread::sleep_for(options.interval);
  const auto after = ask_agent(*question);
  if (!after) return failed(after.error());

  const ProbeReport report{string_from_endpoint(question->endpoint), question->name,
                           static_cast<double>(after->round_trip.count()) / 1000, before->sample,
                           after->sample};
  return {options.output == OutputFormat::json ? probe_json(report) : probe_text(report)};
}

}  // namespace lvs::monitorctl
