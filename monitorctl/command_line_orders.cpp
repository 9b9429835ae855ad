// The commands by hand.

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/not_empty.hpp"
#include "monitorctl/arguments.hpp"
#include "monitorctl/command_line_parts.hpp"
#include "monitorctl/control_client.hpp"
#include "strictyaml/duration.hpp"
#include "strictyaml/number.hpp"

namespace lvs::monitorctl {
namespace {

constexpr std::uint32_t largest_pin = 65535;

struct OrderArguments {
  OrderOptions options{};
  ServiceArguments service{};
  std::vector<std::string> names{};
  std::string lasting{};
};

using Built = tl::expected<Command, std::string>;

/// What kind of names an order takes.
enum class Names { service, destination, pin, forget };

tl::expected<void, std::string> take_service(OrderArguments& arguments) {
  const auto key = service_from_arguments(arguments.service);
  if (!key) return tl::unexpected(key.error());
  arguments.options.service = *key;
  return {};
}

tl::expected<void, std::string> take_destination(OrderArguments& arguments,
                                                 const std::string& name) {
  arguments.options.destination = ipvs::destination_key_from_string(name);
  if (arguments.options.destination) return {};
  return tl::unexpected(name + " is no destination: ADDRESS:PORT, IPv6 in [brackets]");
}

tl::expected<void, std::string> take_weight(OrderArguments& arguments) {
  const auto text = arguments.names.back();
  arguments.names.pop_back();
  const auto weight = strictyaml::number_from_string<std::uint32_t>(text);
  if (!weight || *weight < 1 || *weight > largest_pin) {
    return tl::unexpected(text + " is no weight from 1 to 65535" +
                          (text == "0" ? ": to set 0 is `monitorctl drain`" : ""));
  }
  arguments.options.weight = *weight;
  return {};
}

tl::expected<void, std::string> take_time(OrderArguments& arguments) {
  if (arguments.lasting.empty()) return {};
  const auto duration = strictyaml::duration_ns_from_string(arguments.lasting);
  if (!duration || *duration <= 0) {
    return tl::unexpected(arguments.lasting + " is no duration: write 30s, 5m, 2h");
  }
  arguments.options.lasting = std::chrono::nanoseconds(*duration);
  return {};
}

bool names_service(const OrderArguments& arguments) {
  return !(arguments.service == ServiceArguments{});
}

/// [SERVICE] DESTINATION, where forget may have a service alone.
tl::expected<void, std::string> take_names(OrderArguments& arguments, Names kind) {
  auto& names = arguments.names;
  const bool one = names.size() == 1;
  const bool is_service =
      kind == Names::service || (kind == Names::forget && one && !names_service(arguments) &&
                                 !ipvs::destination_key_from_string(names.front()));
  if (names.size() == 2 || (one && is_service)) arguments.service.name = names.front();
  if (auto taken = take_service(arguments); !taken) return taken;
  if (is_service || names.empty()) return {};
  return take_destination(arguments, names.back());
}

Built order_command(OrderArguments arguments, Names kind) {
  if (auto taken = take_time(arguments); !taken) return tl::unexpected(taken.error());
  if (kind == Names::pin) {
    if (auto taken = take_weight(arguments); !taken) return tl::unexpected(taken.error());
  }
  if (auto taken = take_names(arguments, kind); !taken) return tl::unexpected(taken.error());
  if (kind == Names::forget && !arguments.options.service && !arguments.options.destination) {
    return tl::unexpected(std::string("name the service whose servers are to be learned anew"));
  }
  return arguments.options;
}

struct OrderText {
  std::string command{}, what{}, footer{};
  Names names{};
};

const std::vector<OrderText>& orders() {
  static const std::vector<OrderText> all{
      {"pause", "Stops writing weights, of one service or all",
       "Example: monitorctl pause tcp:10.9.9.9:80\n", Names::service},
      {"resume", "Ends pause and restore", "Example: monitorctl resume\n", Names::service},
      {"restore", "Puts the base weights back, then pauses: the button for 3 a.m.",
       "Zeros stay; pins are taken back. `monitorctl resume` goes on.\n"
       "Example: monitorctl restore\n",
       Names::service},
      {"pin", "Keeps a destination at a weight",
       "Example: monitorctl pin tcp:10.9.9.9:80 10.0.0.11:80 5 --for 2h\n", Names::pin},
      {"unpin", "Ends a pin", "Example: monitorctl unpin 10.0.0.11:80\n", Names::destination},
      {"drain", "Sets a destination to 0; established connections go on",
       "Never the last one of a service.\n"
       "Example: monitorctl drain tcp:10.9.9.9:80 10.0.0.11:80 --wait\n",
       Names::destination},
      {"undrain", "Ends a drain; the destination comes back slowly",
       "Example: monitorctl undrain 10.0.0.11:80\n", Names::destination},
      {"forget", "Forgets what was learned about a service's servers, or about one",
       "Example: monitorctl forget tcp:10.9.9.9:80 10.0.0.11:80\n", Names::forget},
  };
  return all;
}

void add_names(CLI::App& app, std::vector<std::string>& names, Names kind) {
  switch (kind) {
    case Names::service:
      app.add_option("names", names, "tcp:VIP:PORT (or -t, -u, -f); without: all")
          ->type_name("[SERVICE]")
          ->expected(0, 1);
      return;
    case Names::destination:
      app.add_option("names", names, "tcp:VIP:PORT (or -t, -u, -f), and ADDRESS:PORT")
          ->type_name("[SERVICE] DESTINATION")
          ->expected(1, 2)
          ->required();
      return;
    case Names::pin:
      app.add_option("names", names, "tcp:VIP:PORT (or -t, -u, -f), ADDRESS:PORT, and 1 to 65535")
          ->type_name("[SERVICE] DESTINATION WEIGHT")
          ->expected(2, 3)
          ->required();
      return;
    case Names::forget:
      app.add_option("names", names, "tcp:VIP:PORT (or -t, -u, -f), ADDRESS:PORT or both")
          ->type_name("[SERVICE] [DESTINATION]")
          ->expected(0, 2);
      return;
  }
}

void add_order(CLI::App& root, Finishes& finishes, const OrderText& text) {
  auto& app = *root.add_subcommand(text.command, text.what);
  auto arguments = std::make_shared<OrderArguments>();
  arguments->options.command = text.command;
  arguments->options.socket = default_control_socket;
  add_names(app, arguments->names, text.names);
  add_service(app, arguments->service);
  if (text.names == Names::pin) {
    app.add_option("--for", arguments->lasting, "How long; without: until unpin")
        ->type_name("TIME")
        ->check(cli::not_empty);
  }
  if (text.command == "drain") {
    app.add_flag("--wait", arguments->options.wait, "Until its last active connection has ended");
  }
  add_socket(app, arguments->options.socket);
  app.footer(text.footer);
  finishes[&app] = [arguments, kind = text.names] { return order_command(*arguments, kind); };
}

void add_state(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("state", "What monitord remembers: out, or lessons in");
  auto options = std::make_shared<StateOptions>(StateOptions{.socket = default_control_socket});
  auto action = std::make_shared<std::string>();
  app.add_option("action", *action, "export prints everything, import takes over what was learned")
      ->type_name("export|import")
      ->check(CLI::IsMember({"export", "import"}).description(""))
      ->required();
  app.add_option("file", options->file, "What an export printed; - for stdin")
      ->type_name("[FILE]")
      ->check(cli::not_empty);
  add_socket(app, options->socket);
  app.footer("Example: monitorctl state export | ssh standby monitorctl state import -\n");
  finishes[&app] = [options, action]() -> Built {
    options->imports = *action == "import";
    if (options->imports && options->file.empty()) {
      return tl::unexpected(std::string("import what? name a file, or - for stdin"));
    }
    if (!options->imports && !options->file.empty()) {
      return tl::unexpected(std::string("export prints to stdout: monitorctl state export >FILE"));
    }
    return *options;
  };
}

}  // namespace

void add_orders(CLI::App& root, Finishes& finishes) {
  for (const auto& text : orders())
    add_order(root, finishes, text);
  add_state(root, finishes);
}

}  // namespace lvs::monitorctl
