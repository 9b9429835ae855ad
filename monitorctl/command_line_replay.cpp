// Arguments of `monitorctl replay`.

#include <memory>

#include "cli/not_empty.hpp"
#include "monitorctl/command_line_parts.hpp"

namespace lvs::monitorctl {

void add_replay(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("replay", "What another configuration would have done");
  auto options =
      std::make_shared<ReplayOptions>(ReplayOptions{.config_file = "/etc/monitord/monitord.yaml"});
  app.add_option("files", options->files,
                 "Recordings of monitord --record; the oldest first; -: stdin")
      ->type_name("FILE")
      ->check(cli::not_empty)
      ->required();
  app.add_option("-c,--config", options->config_file, "The configuration to try")
      ->type_name("CONFIG")
      ->check(cli::not_empty)
      ->capture_default_str();
  app.add_flag("--changes", options->changes, "A line for every write, before the summary");
  app.add_flag("--no-progress", options->no_progress, "Not even where stderr is a terminal");
  add_output(app, options->output, {{"text", OutputFormat::text}, {"json", OutputFormat::json}});
  app.footer(
      "Connections and readings stay as recorded: what would have been decided, not\n"
      "what would have come of it. dry_run: has no meaning here.\n"
      "Examples: monitorctl replay night.jsonl --config other.yaml\n"
      "          monitorctl replay night.jsonl.1 night.jsonl -c other.yaml -o json\n");
  finishes[&app] = [options] { return *options; };
}

}  // namespace lvs::monitorctl
