#include "monitord/configuration.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include "keyfile/file_mode.hpp"
#include "monitord/config_yaml.hpp"
#include "monitord/keys.hpp"
#include "monitord/probe_notes.hpp"
#include "plainfile/plain_file.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {
namespace {

/// Far beyond any table that IPVS holds; a wrong path (a disk, a log) must not fill the memory.
constexpr std::size_t largest_file = std::size_t{16} * 1024 * 1024;

std::string failure(const std::string& path, const std::string& why) {
  return fmt::format("{}: error: {}\n", path, why);
}

std::string failure(const std::string& path, int error) {
  return failure(path, "cannot be read: " + std::generic_category().message(error));
}

tl::expected<CheckedConfig, std::string> read_config(const std::string& path) {
  auto text = plainfile::text_from_file(path, largest_file);
  if (!text) return tl::make_unexpected(failure(path, text.error().reason));
  return config_from_yaml(*std::move(text), path).map_error(strictyaml::string_from_problems);
}

std::string hint_for_keys(const std::string& path) {
  return fmt::format("\n      hint: chown root:monitord {} && chmod 0640 {}", path, path);
}

/// Who has a master key can forge every agent.
tl::expected<void, std::string> check_mode(const FileDescriptor& file, const std::string& path) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return tl::make_unexpected(failure(path, errno));
  const auto fault = keyfile::fault_of_mode(info.st_mode);
  if (fault.empty()) return {};
  return tl::make_unexpected(failure(path, fault + hint_for_keys(path)));
}

tl::expected<void, std::string> add_keys(Configuration& configuration) {
  if (configuration.config.agent.security == Security::none) {
    configuration.notes.push_back(
        "agent: security: none: readings are not authenticated; anybody on the network can forge "
        "them");
    return {};
  }
  const auto& path = configuration.config.agent.keys_file;
  const auto file = plainfile::open_to_read(path);
  if (!file && file.error().error == ENOENT) {
    configuration.notes.push_back(
        fmt::format("no keys at {}: agents are not asked and every weight is held; `monitorctl "
                    "keygen` makes them",
                    path));
    return {};
  }
  if (!file && file.error().error == EACCES) {
    return tl::make_unexpected(failure(
        path,
        "Permission denied: the user of monitord has to be able to read it" + hint_for_keys(path)));
  }
  if (!file) return tl::make_unexpected(failure(path, file.error().reason));
  if (auto safe = check_mode(*file, path); !safe) return safe;
  auto text = plainfile::rest_of(*file, largest_file);
  if (!text) return tl::make_unexpected(failure(path, text.error().reason));
  auto keys = keys_from_yaml(*std::move(text), path).map_error(strictyaml::string_from_problems);
  if (!keys) return tl::make_unexpected(std::move(keys.error()));
  configuration.keys = *std::move(keys);
  return {};
}

void override_with(Config& config, const Overrides& overrides) {
  config.dry_run |= overrides.dry_run;
  if (!overrides.log_level.empty()) config.log_level = overrides.log_level;
  if (!overrides.record_file.empty()) config.record.file = overrides.record_file;
}

}  // namespace

tl::expected<Configuration, std::string> read_configuration(const std::string& file,
                                                            const Overrides& overrides) {
  auto checked = read_config(file);
  Configuration configuration;
  std::string problems;
  if (checked) {
    configuration.config = std::move(checked->config);
    if (!checked->warnings.empty()) {
      configuration.warnings = strictyaml::string_from_problems(checked->warnings);
    }
  } else {
    problems = std::move(checked.error());
  }
  // A bad monitord.yaml hides no bad keys.yaml: its default place is checked all the same.
  if (auto added = add_keys(configuration); !added) problems += added.error();
  if (!problems.empty()) return tl::make_unexpected(std::move(problems));
  const auto missing = notes_from_missing_probes(configuration.config);
  configuration.notes.insert(configuration.notes.end(), missing.begin(), missing.end());
  override_with(configuration.config, overrides);
  return configuration;
}

tl::expected<Configuration, std::string> default_configuration(const Overrides& overrides) {
  Configuration configuration;
  configuration.config.dry_run = true;
  configuration.notes.push_back(
      fmt::format("no configuration at {}: defaults are used", default_config_file));
  if (auto added = add_keys(configuration); !added) return tl::make_unexpected(added.error());
  override_with(configuration.config, overrides);
  return configuration;
}

PollSettings poll_settings_from(const Configuration& configuration) {
  const auto& config = configuration.config;
  return {config.interval, config.agent.deadline, config.agent.security == Security::none,
          configuration.keys};
}

}  // namespace lvs::monitord
