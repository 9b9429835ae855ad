#pragma once

// What the files behind command_line.hpp share.

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "monitorctl/arguments.hpp"
#include "monitorctl/commands.hpp"

namespace lvs::monitorctl {

/// The command that the chosen subcommand stands for; made after parsing. The error is a usage
/// error in one line.
using Finish = std::function<tl::expected<Command, std::string>()>;
using Finishes = std::map<const CLI::App*, Finish>;

// What an option's type_name() says is what completion offers: the words of "text|json", services
// for SERVICE, destinations for DESTINATION (completion_words.hpp), files for FILE and all else
// that is not known to be none (lib/cli/completion.cpp).

void add_output(CLI::App& app, OutputFormat& output,
                const std::vector<std::pair<std::string, OutputFormat>>& formats);

void add_socket(CLI::App& app, std::string& socket);
/// As ipvsadm names a service.
void add_service(CLI::App& app, ServiceArguments& service);

void add_advise(CLI::App& root, Finishes& finishes);
void add_completion(CLI::App& root, Finishes& finishes);
/// Stands in the list of commands; with_help_last() has done its work before.
void add_help(CLI::App& root, Finishes& finishes);
void add_check(CLI::App& root, Finishes& finishes);
void add_diff(CLI::App& root, Finishes& finishes);
void add_config(CLI::App& root, Finishes& finishes);
void add_explain(CLI::App& root, Finishes& finishes);
void add_history(CLI::App& root, Finishes& finishes);
void add_events(CLI::App& root, Finishes& finishes);
void add_list(CLI::App& root, Finishes& finishes);
/// pause, resume, restore, pin, unpin, drain, undrain, forget, state.
void add_orders(CLI::App& root, Finishes& finishes);
void add_replay(CLI::App& root, Finishes& finishes);
void add_save(CLI::App& root, Finishes& finishes);
void add_simulate(CLI::App& root, Finishes& finishes);
void add_top(CLI::App& root, Finishes& finishes);

/// Up to an hour; empty: it is no such time.
std::optional<std::chrono::milliseconds> duration_from(const std::string& text);

}  // namespace lvs::monitorctl
