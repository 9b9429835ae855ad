#include "monitord/configuration.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <system_error>
#include <utility>

#include "keyfile/file_mode.hpp"
#include "monitord/config_files.hpp"
#include "monitord/config_text.hpp"
#include "monitord/config_yaml.hpp"
#include "monitord/keys.hpp"
#include "monitord/probe_notes.hpp"
#include "plainfile/plain_file.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {
namespace {

/// A wrong path (a disk, a log) must not fill the memory.
constexpr std::size_t largest_keys = std::size_t{4} * 1024 * 1024;

std::string failure(const std::string& path, const std::string& why) {
  return fmt::format("{}: error: {}\n", path, why);
}

std::string failure(const std::string& path, int error) {
  return failure(path, "cannot be read: " + std::generic_category().message(error));
}

/// Takes over the files as far as they are good. What is wrong with them, all of it; empty:
/// nothing.
std::string add_config(ConfigFiles found, Configuration& configuration) {
  std::string problems = std::move(found.failures);
  configuration.places = std::move(found.places);
  configuration.notes = std::move(found.notes);
  if (found.files.empty()) return problems;
  auto document =
      std::make_shared<strictyaml::Document>(document_from_files(std::move(found.files)));
  Config config = config_from_node(document->root());
  auto said = strictyaml::string_from_problems(document->problems());
  if (document->has_errors()) return problems + said;
  configuration.config = std::move(config);
  configuration.warnings = std::move(said);
  configuration.document = std::move(document);
  return problems;
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
  auto text = plainfile::rest_of(*file, largest_keys);
  if (!text) return tl::make_unexpected(failure(path, text.error().reason));
  auto keys = keys_from_yaml(*std::move(text), path).map_error(strictyaml::string_from_problems);
  if (!keys) return tl::make_unexpected(std::move(keys.error()));
  configuration.keys = *std::move(keys);
  return {};
}

void override_with(Configuration& configuration, const Overrides& overrides) {
  auto& config = configuration.config;
  auto& origins = configuration.other_origins;
  const auto take = [&](const std::string& value, std::string& target, const char* key,
                        const char* option) {
    if (value.empty()) return;
    target = value;
    origins[key] = option;
  };
  if (overrides.dry_run) {
    config.dry_run = true;
    origins["dry_run"] = "--dry-run";
  }
  take(overrides.log_level, config.log_level, "log.level", "--log-level");
  take(overrides.log_format, config.log_format, "log.format", "--log-format");
  take(overrides.record_file, config.record.file, "record.file", "--record");
}

}  // namespace

tl::expected<Configuration, std::string> read_configuration(const std::string& file,
                                                            const Overrides& overrides) {
  Configuration configuration;
  std::string problems = add_config(files_of_config(file), configuration);
  // A bad monitord.yaml hides no bad keys.yaml: its default place is checked all the same.
  if (auto added = add_keys(configuration); !added) problems += added.error();
  if (!problems.empty()) return tl::make_unexpected(std::move(problems));
  const auto missing = notes_from_missing_probes(configuration.config);
  configuration.notes.insert(configuration.notes.end(), missing.begin(), missing.end());
  override_with(configuration, overrides);
  return configuration;
}

tl::expected<Configuration, std::string> default_configuration(const Overrides& overrides) {
  Configuration configuration;
  configuration.config.dry_run = true;
  configuration.notes.push_back(
      fmt::format("no configuration at {}: defaults are used", default_config_file));
  if (auto added = add_keys(configuration); !added) return tl::make_unexpected(added.error());
  override_with(configuration, overrides);
  return configuration;
}

std::string shown_configuration(const Configuration& configuration) {
  if (configuration.document != nullptr) {
    return yaml_from_config(configuration.config, configuration.document->root(),
                            configuration.other_origins);
  }
  const strictyaml::Document none("", "");
  return yaml_from_config(configuration.config, none.root(), configuration.other_origins);
}

PollSettings poll_settings_from(const Configuration& configuration) {
  const auto& config = configuration.config;
  return {config.interval, config.agent.deadline, config.agent.security == Security::none,
          configuration.keys};
}

}  // namespace lvs::monitord
