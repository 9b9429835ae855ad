// Arguments of `monitorctl top`.

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitorctl/command_line_parts.hpp"
#include "monitorctl/control_client.hpp"

namespace lvs::monitorctl {
namespace {

struct TopArguments {
  TopOptions options{.socket = default_control_socket};
  std::string interval{"2s"};
};

tl::expected<Command, std::string> top_command(const TopArguments& arguments) {
  auto options = arguments.options;
  const auto interval = duration_from(arguments.interval);
  // More often nobody can read, and the daemon has something else to do.
  if (!interval || *interval < std::chrono::milliseconds(200)) {
    return tl::unexpected(arguments.interval +
                          " is no duration from 200ms to 1h: write 500ms, 2s, 5m");
  }
  options.interval = *interval;
  return options;
}

std::vector<std::pair<std::string, TopSort>> sorts_by_name() {
  std::vector<std::pair<std::string, TopSort>> names;
  names.reserve(top_sorts.size());
  for (const auto sort : top_sorts)
    names.emplace_back(string_from_top_sort(sort), sort);
  return names;
}

}  // namespace

void add_top(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("top", "Weights, load and verdicts, live in the terminal");
  auto arguments = std::make_shared<TopArguments>();
  auto& options = arguments->options;
  app.add_option("--interval", arguments->interval, "Time between two questions")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_option("--sort", options.sort, "Within each service, the highest first")
      ->type_name("table|weight|cpu|memory|connections")
      ->transform(CLI::CheckedTransformer(sorts_by_name()).description(""));
  app.add_option("--filter", options.filter, "Words in names or states, as with the key /")
      ->type_name("WORDS");
  app.add_flag("--once", options.once, "One plain table; always so where there is no terminal");
  add_socket(app, options.socket);
  app.footer(
      "Keys: q quit, ? help, arrows, d detail, s sort, / filter, space hold.\n"
      "Examples: monitorctl top --sort cpu --filter 'tcp silent'\n"
      "          watch monitorctl top\n");
  finishes[&app] = [arguments] { return top_command(*arguments); };
}

}  // namespace lvs::monitorctl
