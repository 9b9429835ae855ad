#pragma once

// The commands: what each takes, and what each prints. command_line*.cpp fill the options from the
// arguments, the command_*.cpp files do the work.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/completion.hpp"
#include "ipvs/types.hpp"
#include "monitorctl/check_report.hpp"
#include "monitorctl/ipvsadm_format.hpp"
#include "monitorctl/list_order.hpp"
#include "monitorctl/printed.hpp"
#include "monitorctl/simulation_plan.hpp"
#include "monitorctl/table_difference.hpp"
#include "monitorctl/top_rows.hpp"

namespace lvs::monitorctl {

enum class OutputFormat { text, wide, json, csv };

struct ListOptions {
  std::optional<ipvs::ServiceKey> service{};
  ListingFormat format{};
  bool sorted{true};                  ///< as ipvsadm does
  std::optional<SortKey> sort_key{};  ///< of destinations, on top of that
  OutputFormat output{OutputFormat::text};
  std::string socket{};
};

/// `completion SHELL` prints a script, which calls the hidden command for the words.
struct CompletionOptions {
  std::string shell{};  ///< bash, zsh or fish
};

struct CompletionWordsOptions {
  cli::Completion completion{};
  std::string socket{};  ///< unless the words name another
};

struct SaveOptions {
  std::optional<ipvs::ServiceKey> service{};
};

struct DiffOptions {
  std::vector<std::string> files{};  ///< one: against the kernel's table; "-": stdin
  Weights weights{Weights::compared};
};

struct CheckOptions {
  std::optional<ipvs::ServiceKey> service{};
  CheckLimits limits{};
  std::string socket{};
};

struct StatusOptions {
  OutputFormat output{OutputFormat::text};  ///< text or json
  std::string socket{};
};

struct ExplainOptions {
  std::optional<ipvs::ServiceKey> service{};  ///< without: the one that has the destination
  ipvs::DestinationKey destination{};
  OutputFormat output{OutputFormat::text};  ///< text or json
  std::string socket{};
};

struct HistoryOptions {
  std::optional<ipvs::ServiceKey> service{};  ///< without: the one that has the destination
  ipvs::DestinationKey destination{};
  OutputFormat output{OutputFormat::text};  ///< text, json or csv
  std::string socket{};
};

struct EventsOptions {
  OutputFormat output{OutputFormat::text};  ///< text, json or csv
  std::string socket{};
};

struct TopOptions {
  std::chrono::milliseconds interval{2000};
  TopSort sort{TopSort::table};
  std::string filter{};
  bool once{};
  std::string socket{};
};

struct ReloadOptions {
  std::string socket{};
};

struct ConfigOptions {
  std::string config_file{};
  bool running{};  ///< ask the daemon instead
  std::string socket{};
};

/// The commands by hand: pause, resume, restore, pin, unpin, drain, undrain, forget.
struct OrderOptions {
  std::string command{};
  std::optional<ipvs::ServiceKey> service{};  ///< without: all, or the one with the destination
  std::optional<ipvs::DestinationKey> destination{};
  std::optional<std::uint32_t> weight{};              ///< pin
  std::optional<std::chrono::nanoseconds> lasting{};  ///< pin
  bool wait{};  ///< drain: until the last active connection has ended
  std::string socket{};
};

struct StateOptions {
  bool imports{};      ///< else exports
  std::string file{};  ///< of the import; "-": stdin
  std::string socket{};
};

struct ProbeOptions {
  std::string target{};  ///< HOST or HOST:PORT
  std::string name{};    ///< empty: HOST
  std::string keys_file{};
  bool insecure{};
  std::optional<std::uint32_t> key_id{};
  std::chrono::milliseconds interval{1000};
  std::chrono::milliseconds deadline{500};
  OutputFormat output{OutputFormat::text};  ///< text or json
};

struct KeygenOptions {
  std::optional<std::string> agent{};  ///< without: a new master key
  std::string keys_file{};
  std::string output{};  ///< empty: stdout
  bool force{};
};

struct ReplayOptions {
  std::vector<std::string> files{};  ///< "-": stdin; the oldest first
  std::string config_file{};
  bool changes{};  ///< text: a line per write
  bool no_progress{};
  OutputFormat output{OutputFormat::text};  ///< text or json
};

struct SimulateOptions {
  std::vector<std::string> files{};
  OutputFormat output{OutputFormat::text};  ///< text or json
  std::string plot{};                       ///< SVG file; empty: none
  SimulationChoice choice{};
  std::string config{};  ///< monitord.yaml; empty: its defaults
  unsigned jobs{};       ///< 0: one per CPU
  bool no_progress{};
};

struct AdviseOptions {
  std::optional<ipvs::ServiceKey> service{};  ///< without: all
  std::chrono::nanoseconds watched{std::chrono::seconds{10}};
  bool simulation{true};
  unsigned jobs{};  ///< 0: one per CPU
  bool no_progress{};
  OutputFormat output{OutputFormat::text};  ///< text or json
  std::string socket{};
};

struct AhpOptions {
  std::string file{};
  OutputFormat output{OutputFormat::text};  ///< text or json
};

using Command =
    std::variant<ListOptions, CompletionOptions, CompletionWordsOptions, SaveOptions, DiffOptions,
                 CheckOptions, StatusOptions, ExplainOptions, HistoryOptions, EventsOptions,
                 TopOptions, ReloadOptions, ConfigOptions, OrderOptions, StateOptions, ProbeOptions,
                 KeygenOptions, ReplayOptions, SimulateOptions, AdviseOptions, AhpOptions>;

Printed run(const ListOptions& options);
Printed run(const SaveOptions& options);
Printed run(const DiffOptions& options);
Printed run(const CheckOptions& options);
Printed run(const CompletionOptions& options);
/// `root` is prefixed to /proc, for tests.
Printed run(const CompletionWordsOptions& options, const std::string& root = "");
Printed run(const StatusOptions& options);
Printed run(const ExplainOptions& options);
Printed run(const HistoryOptions& options);
Printed run(const EventsOptions& options);
/// A terminal gets the live view; anything else one table.
Printed run(const TopOptions& options);
Printed run(const ReloadOptions& options);
Printed run(const ConfigOptions& options);
Printed run(const OrderOptions& options);
Printed run(const StateOptions& options);
Printed run(const ProbeOptions& options);
Printed run(const KeygenOptions& options);
Printed run(const SimulateOptions& options);
Printed run(const AdviseOptions& options);
Printed run(const AhpOptions& options);

/// Takes a piece of stdout; false: it cannot be written.
using TextSink = std::function<bool(std::string_view)>;
/// The output of a night is too long to be kept: it goes to `out` as it arises.
Printed run(const ReplayOptions& options, const TextSink& out);

}  // namespace lvs::monitorctl
