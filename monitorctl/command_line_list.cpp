// Arguments of `monitorctl list`.

#include <memory>

#include "monitorctl/arguments.hpp"
#include "monitorctl/command_line_parts.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/list_order.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitorctl {
namespace {

constexpr auto json_keys =
    "JSON has the keys of the status document (base, current, target, boundary,\n"
    "reading, age_s, cpu_busy, mem_available, composite, input, outcome, reason,\n"
    "...); what is unknown is null.\n";

/// The column options of ipvsadm; one at a time.
struct Columns {
  bool statistics{}, rates{}, thresholds{}, persistent{}, tunnels{};
};

void add_columns(CLI::App& app, Columns& columns) {
  auto& group = *app.add_option_group("Other columns", "one at a time, instead of connections");
  group.add_flag("--stats", columns.statistics, "Totals of connections, packets, bytes");
  group.add_flag("--rate", columns.rates, "Rates of connections, packets, bytes");
  group.add_flag("--thresholds", columns.thresholds, "Connection limits");
  group.add_flag("--persistent-conn", columns.persistent, "Persistence templates");
  group.add_flag("--tun-info", columns.tunnels, "Encapsulation of tunnels");
  group.require_option(0, 1);
}

Listing listing_of(const Columns& columns) {
  if (columns.statistics) return Listing::statistics;
  if (columns.rates) return Listing::rates;
  if (columns.thresholds) return Listing::thresholds;
  if (columns.persistent) return Listing::persistent_connections;
  return columns.tunnels ? Listing::tunnels : Listing::standard;
}

/// What people add to ipvsadm -L. Not shown in --help.
struct IpvsadmHabits {
  bool list{}, connections{}, timeouts{}, sync{};
};

void add_habits(CLI::App& app, IpvsadmHabits& habits) {
  app.add_flag("-L,-l,--list", habits.list)->group("");
  app.add_flag("-c,--connection", habits.connections)->group("");
  app.add_flag("--timeout", habits.timeouts)->group("");
  app.add_flag("--daemon", habits.sync)->group("");
}

/// Empty where list does what is asked for.
std::string refusal_of(const IpvsadmHabits& habits) {
  if (habits.connections) {
    return "list shows services and destinations; single connections: ipvsadm -Lnc";
  }
  if (habits.timeouts) return "list does not show timeouts: ipvsadm -L --timeout";
  if (habits.sync) return "list does not show the sync daemon: ipvsadm -L --daemon";
  return "";
}

struct ListArguments {
  ListOptions options{.socket = default_control_socket};
  ServiceArguments service{};
  Columns columns{};
  bool wide{}, nosort{}, numeric{};
  std::string sort{};  ///< "true" for --sort alone
  IpvsadmHabits habits{};
};

/// Nothing for --sort alone, which is ipvsadm's and does nothing.
tl::expected<std::optional<SortKey>, std::string> sort_key_of(const ListArguments& arguments) {
  const auto& word = arguments.sort;
  if (word.empty() || word == "true") return std::nullopt;
  const auto key = sort_key_from_word(word);
  if (!key) {
    return tl::unexpected("--sort: unknown key " + strictyaml::in_quotes(word) + "; " +
                          strictyaml::hint_from_words(word, sort_key_words(), "keys"));
  }
  if (arguments.nosort) {
    return tl::unexpected("--nosort is the kernel's order, --sort " + word + " another one");
  }
  return key;
}

tl::expected<Command, std::string> list_command(const ListArguments& arguments) {
  auto options = arguments.options;
  if (const auto refusal = refusal_of(arguments.habits); !refusal.empty()) {
    return tl::unexpected(refusal);
  }
  const auto service = service_from_arguments(arguments.service);
  if (!service) return tl::unexpected(service.error());
  options.service = *service;
  options.format.listing = listing_of(arguments.columns);
  options.sorted = !arguments.nosort;
  const auto sort_key = sort_key_of(arguments);
  if (!sort_key) return tl::unexpected(sort_key.error());
  options.sort_key = *sort_key;
  if (arguments.wide && options.output == OutputFormat::text) options.output = OutputFormat::wide;
  if (options.output == OutputFormat::wide && options.format.listing != Listing::standard) {
    return tl::unexpected(std::string("--wide has columns of its own: leave the others out"));
  }
  return options;
}

}  // namespace

void add_list(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("list", "The IPVS table, as ipvsadm -Ln prints it");
  auto arguments = std::make_shared<ListArguments>();
  add_service(app, arguments->service);
  app.add_option("service", arguments->service.name, "One service: tcp:VIP:PORT, fwm:MARK, ...")
      ->type_name("SERVICE");
  add_columns(app, arguments->columns);
  add_habits(app, arguments->habits);
  app.add_flag("-X,--exact", arguments->options.format.exact, "All digits of large numbers");
  app.add_flag("-n,--numeric", arguments->numeric, "Always so: names are never looked up");
  app.add_flag("--nosort", arguments->nosort, "In the kernel's order");
  app.add_flag("--sort", arguments->sort,
               "With KEY: destinations by name, weight, cpu, memory or connections; alone: as\n"
               "ipvsadm, which is the default");
  app.add_flag("--wide", arguments->wide, "With load, targets and verdicts of monitord");
  add_output(app, arguments->options.output,
             {{"wide", OutputFormat::wide},
              {"json", OutputFormat::json},
              {"csv", OutputFormat::csv},
              {"text", OutputFormat::text}});
  add_socket(app, arguments->options.socket);
  app.footer(std::string(json_keys) +
             "Examples: monitorctl list -t 10.9.9.9:80 --stats\n"
             "          monitorctl list --wide --sort cpu\n"
             "          monitorctl list -o json | jq '.services[].destinations[].current'\n");
  finishes[&app] = [arguments] { return list_command(*arguments); };
}

}  // namespace lvs::monitorctl
