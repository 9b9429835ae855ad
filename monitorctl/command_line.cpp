#include "monitorctl/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/command_from_app.hpp"
#include "cli/help_text.hpp"
#include "cli/not_empty.hpp"
#include "cli/parse.hpp"
#include "monitorctl/arguments.hpp"
#include "monitorctl/check_report.hpp"
#include "monitorctl/command_line_parts.hpp"
#include "monitorctl/control_client.hpp"
#include "strictyaml/duration.hpp"

namespace lvs::monitorctl {
namespace {

constexpr auto program = "monitorctl";
constexpr auto about = "Shows what LVS and monitord do, and takes orders";

constexpr auto exit_codes =
    "Exit status: 0 done, 1 failed, 2 usage, 3 daemon, agent or kernel not reachable,\n"
    "78 a file with mistakes. diff: 0 same, 1 different, 2 and above trouble.\n"
    "check: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.\n"
    "Examples: monitorctl list -n        as ipvsadm -Ln (monitorctl -Ln works too)\n"
    "          monitorctl list --wide    with load, targets and verdicts\n"
    "          monitorctl help pin       more about a command\n";

void add_status(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("status", "What monitord does: mode, cycle, polls, outcomes");
  auto options = std::make_shared<StatusOptions>(StatusOptions{.socket = default_control_socket});
  add_output(app, options->output, {{"text", OutputFormat::text}, {"json", OutputFormat::json}});
  add_socket(app, options->socket);
  app.footer("Example: monitorctl status\n");
  finishes[&app] = [options] { return *options; };
}

void add_reload(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("reload", "Makes monitord read its configuration again");
  auto options = std::make_shared<ReloadOptions>(ReloadOptions{default_control_socket});
  add_socket(app, options->socket);
  app.footer(
      "A bad configuration changes nothing: the running one stays.\n"
      "Example: monitord --check-config && monitorctl reload\n");
  finishes[&app] = [options] { return *options; };
}

struct ProbeArguments {
  ProbeOptions options{.keys_file = "/etc/monitord/keys.yaml"};
  std::string interval{"1s"}, deadline{"500ms"};
  std::uint32_t key_id{};
};

tl::expected<Command, std::string> probe_command(const ProbeArguments& arguments) {
  auto options = arguments.options;
  const auto interval = duration_from(arguments.interval);
  const auto deadline = duration_from(arguments.deadline);
  if (!interval || !deadline) {
    return tl::unexpected((interval ? arguments.deadline : arguments.interval) +
                          " is no duration up to 1h: write 500ms, 2s, 5m");
  }
  options.interval = *interval;
  options.deadline = *deadline;
  if (arguments.key_id != 0) options.key_id = arguments.key_id;
  return options;
}

void add_probe(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("probe", "Asks a real server's agent twice: C, M and F");
  auto arguments = std::make_shared<ProbeArguments>();
  auto& options = arguments->options;
  app.add_option("host", options.target, "The agent's address")
      ->type_name("HOST[:PORT]")
      ->required();
  app.add_option("--name", options.name, "The agent's name, where it is not HOST")
      ->type_name("NAME");
  auto* const keys =
      app.add_option("--keys", options.keys_file, "The director's keys, or an agent's")
          ->type_name("FILE")
          ->check(cli::not_empty)
          ->capture_default_str();
  app.add_flag("--insecure", options.insecure, "Without a key (agent: security: none)")
      ->excludes(keys);
  app.add_option("--key-id", arguments->key_id, "Which key of the file; default: its first")
      ->type_name("N")
      ->check(CLI::Range(std::uint32_t{1}, ~std::uint32_t{0}).description(""));
  app.add_option("--interval", arguments->interval, "Time between the two questions")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_option("--deadline", arguments->deadline, "How long to wait for an answer")
      ->type_name("TIME")
      ->capture_default_str();
  add_output(app, options.output, {{"text", OutputFormat::text}, {"json", OutputFormat::json}});
  app.footer(
      "Exit status 3: no answer. 1: it answers, but it is another agent.\n"
      "Example: monitorctl probe 10.0.0.11 --name web1\n");
  finishes[&app] = [arguments] { return probe_command(*arguments); };
}

void add_keygen(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("keygen", "Makes keys.yaml for the director or for an agent");
  auto options =
      std::make_shared<KeygenOptions>(KeygenOptions{.keys_file = "/etc/monitord/keys.yaml"});
  app.add_option("--agent", options->agent, "The agent's name; without it: a new master key")
      ->type_name("NAME");
  app.add_option("--keys", options->keys_file, "The director's keys.yaml")
      ->type_name("FILE")
      ->check(cli::not_empty)
      ->capture_default_str();
  app.add_option("--output", options->output, "Write there (0600; the director's 0640)")
      ->type_name("FILE")
      ->check(cli::not_empty);
  app.add_flag("--force", options->force, "Replace FILE");
  app.footer(
      "Examples: monitorctl keygen --output /etc/monitord/keys.yaml\n"
      "          monitorctl keygen --agent web1 | ssh web1 'umask 077; cat >keys.yaml'\n");
  finishes[&app] = [options] { return *options; };
}

void add_ahp(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("ahp", "Coefficients from comparisons of every two criteria");
  auto options = std::make_shared<AhpOptions>();
  app.add_option("file", options->file, "criteria: [cpu, disk], matrix: [[1, 3], [1/3, 1]]")
      ->type_name("FILE")
      ->check(cli::not_empty)
      ->required();
  add_output(app, options->output, {{"text", OutputFormat::text}, {"json", OutputFormat::json}});
  app.footer(
      "Warns when the comparisons contradict each other (consistency ratio from 0.1).\n"
      "Example: monitorctl ahp judgements.yaml\n");
  finishes[&app] = [options] { return *options; };
}

tl::unexpected<Printed> usage(const std::string& message) {
  return tl::make_unexpected(failed_with(exit_status::usage, message));
}

/// Words before a cursor: what precedes the last one is read as any command line is.
CompletionWordsOptions words_to_complete(const CLI::App& app, std::vector<std::string> words) {
  words.erase(words.begin());
  std::vector<std::string> before(words.begin(), words.end() - (words.empty() ? 0 : 1));
  before = with_help_last(with_ipvsadm_habits(std::move(before)));
  before.push_back(words.empty() ? "" : words.back());
  return {cli::completion_of(cli::command_from_app(app), before), default_control_socket};
}

}  // namespace

std::optional<std::chrono::milliseconds> duration_from(const std::string& text) {
  const auto duration = strictyaml::duration_ns_from_string(text);
  if (!duration) return std::nullopt;
  const auto rounded =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(*duration));
  return rounded <= std::chrono::hours(1) ? std::optional(rounded) : std::nullopt;
}

void add_socket(CLI::App& app, std::string& socket) {
  app.add_option("--socket", socket, "monitord's control socket")
      ->type_name("PATH")
      ->envname("MONITORCTL_SOCKET")
      ->check(cli::not_empty)
      ->capture_default_str();
}

void add_service(CLI::App& app, ServiceArguments& service) {
  app.add_option("-t,--tcp-service", service.tcp, "A TCP service")->type_name("VIP:PORT");
  app.add_option("-u,--udp-service", service.udp, "A UDP service")->type_name("VIP:PORT");
  app.add_option("--sctp-service", service.sctp, "An SCTP service")->type_name("VIP:PORT");
  app.add_option("-f,--fwmark-service", service.fwmark, "A firewall mark")->type_name("MARK");
  app.add_flag("-6,--ipv6", service.ipv6, "The mark's IPv6 service");
}

void add_output(CLI::App& app, OutputFormat& output,
                const std::vector<std::pair<std::string, OutputFormat>>& formats) {
  std::string placeholder;
  std::vector<std::string> names;
  for (const auto& [name, format] : formats) {
    placeholder += (placeholder.empty() ? "" : "|") + name;
    names.push_back(name);
  }
  // CLI11's own transformer would take "1" for a format as well.
  app.add_option_function<std::string>(
         "-o,--output",
         [&output, formats](const std::string& name) {
           for (const auto& format : formats) {
             if (format.first == name) output = format.second;
           }
         },
         "Output format")
      ->type_name(placeholder)
      ->check(CLI::IsMember(names).description(""));
}

namespace {

void add_commands(CLI::App& app, Finishes& finishes) {
  app.require_subcommand(1);
  app.footer(exit_codes);
  add_list(app, finishes);
  add_save(app, finishes);
  add_diff(app, finishes);
  add_status(app, finishes);
  add_check(app, finishes);
  add_explain(app, finishes);
  add_history(app, finishes);
  add_events(app, finishes);
  add_top(app, finishes);
  add_reload(app, finishes);
  add_config(app, finishes);
  add_orders(app, finishes);
  add_probe(app, finishes);
  add_keygen(app, finishes);
  add_replay(app, finishes);
  add_simulate(app, finishes);
  add_advise(app, finishes);
  add_ahp(app, finishes);
  add_completion(app, finishes);
  add_help(app, finishes);
}

tl::expected<Command, Printed> parsed(std::vector<std::string> arguments,
                                      const std::string& version) {
  CLI::App app{about, program};
  app.set_version_flag("--version", "monitorctl " + version);
  Finishes finishes;
  add_commands(app, finishes);

  if (!arguments.empty() && arguments.front() == cli::completion_command) {
    return words_to_complete(app, std::move(arguments));
  }
  arguments = with_help_last(with_sort_key(with_ipvsadm_habits(std::move(arguments))));
  std::vector<std::string> commands;
  for (const auto* const subcommand : app.get_subcommands(nullptr)) {
    commands.push_back(subcommand->get_name());
  }
  if (arguments.empty()) {
    const auto help = cli::help_text(cli::command_from_app(app), program);
    return tl::make_unexpected(Printed{"", help, exit_status::usage});
  }
  const auto change = table_change_text(arguments);
  if (!change.empty()) return usage(change);
  const auto unknown = unknown_command_text(arguments, commands);
  if (!unknown.empty()) return usage(unknown);
  if (auto answer = cli::parse(app, std::move(arguments))) {
    return tl::make_unexpected(
        Printed{std::move(answer->out), std::move(answer->err), answer->status});
  }
  auto command = finishes.at(app.get_subcommands().front())();
  if (!command) return usage(command.error());
  return std::move(*command);
}

/// To whoever runs plugins, wrong usage is an answer as well: on stdout, and not CRITICAL.
Printed as_plugin(const Printed& usage_error) {
  constexpr std::string_view prefix = "monitorctl: ";
  std::string_view message = usage_error.err;
  if (message.starts_with(prefix)) message.remove_prefix(prefix.size());
  while (message.ends_with('\n'))
    message.remove_suffix(1);
  return check_impossible(message);
}

}  // namespace

cli::Command command_tree() {
  CLI::App app{about, program};
  Finishes finishes;
  add_commands(app, finishes);
  return cli::command_from_app(app);
}

tl::expected<Command, Printed> command_from_arguments(std::vector<std::string> arguments,
                                                      const std::string& version) {
  const bool plugin = !arguments.empty() && arguments.front() == "check";
  auto command = parsed(std::move(arguments), version);
  if (command || !plugin || command.error().status == exit_status::ok) return command;
  return tl::make_unexpected(as_plugin(command.error()));
}

}  // namespace lvs::monitorctl
