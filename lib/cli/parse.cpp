#include "cli/parse.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "cli/command_from_app.hpp"
#include "cli/completion.hpp"
#include "cli/exit_status.hpp"
#include "cli/help_text.hpp"
#include "cli/mistakes.hpp"

namespace lvs::cli {
namespace {

/// The innermost command that was named, and how it is called.
const CLI::App& chosen_of(const CLI::App& root, std::string& path) {
  const auto* app = &root;
  path = root.get_name();
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().back();
    if (!app->get_name().empty()) path += " " + app->get_name();
  }
  return *app;
}

Answer answer_to(const CLI::App& root, const CLI::ParseError& error) {
  std::string path;
  const auto& chosen = chosen_of(root, path);
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
    return {help_text(command_from_app(chosen), path), "", exit_status::ok};
  }
  if (error.get_exit_code() == 0) {
    std::ostringstream out;
    std::ostringstream err;
    root.exit(error, out, err);
    return {out.str(), err.str(), exit_status::ok};
  }
  return {"",
          root.get_name() + ": " + mistake_text(root, chosen, error) + "\n`" + path +
              " --help` shows what there is.\n",
          exit_status::usage};
}

}  // namespace

std::optional<Answer> parse(CLI::App& app, std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == completion_command) {
    arguments.erase(arguments.begin());
    const auto completion = completion_of(command_from_app(app), arguments);
    return Answer{completion_text(completion), "", exit_status::ok};
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return answer_to(app, error);
  }
  return std::nullopt;
}

std::optional<int> parse_or_print(CLI::App& app, int count, const char* const* values) {
  const auto answer = parse(app, {values + std::min(count, 1), values + count});
  if (!answer) return std::nullopt;
  std::fputs(answer->err.c_str(), stderr);
  const bool printed = std::fputs(answer->out.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return printed ? answer->status : exit_status::failure;
}

}  // namespace lvs::cli
