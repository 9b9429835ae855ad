#include <fmt/format.h>

#include "monitorctl/probe_report.hpp"

namespace lvs::monitorctl {
namespace {

std::string silence_text(const AgentQuestion& question, const std::string& target) {
  const auto& name = question.name;
  auto text = fmt::format(
      "no answer from {} within {} ms (asked twice). Check on the real server:\n"
      "  - does the agent run?            systemctl status realserver-agent\n"
      "  - does the firewall let UDP port {} in from this host?\n"
      "  - is this host in the agent's allow list?\n",
      target, question.deadline.count(), question.endpoint.port);
  if (question.key) {
    text += fmt::format(
        "  - is its key (id {}) the one for the name \"{}\"? A wrong key looks exactly like no\n"
        "    answer: an agent says nothing to those who cannot prove that they know its key.\n"
        "    The right one: monitorctl keygen --agent {}. Another name: --name NAME",
        question.key_id, name, name);
  } else {
    text += "  - does it have keys? Then it drops questions without one: leave --insecure out.";
  }
  return text;
}

}  // namespace

std::string probe_failure_text(const AgentError& error, const AgentQuestion& question) {
  const auto target = string_from_endpoint(question.endpoint);
  switch (error.kind) {
    case AgentFailure::bad_host:
      return fmt::format("{}: {}", question.endpoint.host, error.detail);
    case AgentFailure::refused:
      return fmt::format("nothing listens on UDP {}: is realserver-agent running there?", target);
    case AgentFailure::no_route:
      return fmt::format("{} cannot be asked: {}", target, error.detail);
    case AgentFailure::wrong_name:
      return fmt::format(
          "{} answered, but it is not the agent \"{}\": say its name with --name, or correct "
          "`name` in its configuration",
          target, question.name);
    case AgentFailure::bad_reply:
      return fmt::format("{} answered, but not as the agent \"{}\" would: {}", target,
                         question.name, error.detail);
    case AgentFailure::silent:
      break;
  }
  return silence_text(question, target);
}

}  // namespace lvs::monitorctl
