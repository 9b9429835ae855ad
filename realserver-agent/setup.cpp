#include "realserver-agent/setup.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "keyfile/file_mode.hpp"
#include "plainfile/plain_file.hpp"
#include "realserver-agent/config/config_yaml.hpp"
#include "realserver-agent/config/keys_yaml.hpp"
#include "strictyaml/document.hpp"

namespace lvs::agent {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20U;

tl::unexpected<std::string> failure(std::string text) {
  return tl::unexpected<std::string>{std::move(text)};
}

struct KeysFailure {
  std::string text{};
  bool absent{};  ///< not there, or not to be read by whoever asks: no fault of what they hold
};

tl::unexpected<KeysFailure> no_keys(std::string text) {
  return tl::unexpected<KeysFailure>{{std::move(text), true}};
}

tl::unexpected<KeysFailure> bad_keys(std::string text) {
  return tl::unexpected<KeysFailure>{{std::move(text), false}};
}

tl::expected<std::string, std::string> text_of(const std::string& file) {
  auto text = plainfile::text_from_file(file, most_bytes);
  if (!text) return failure(fmt::format("{}: {}", file, text.error().reason));
  return std::move(*text);
}

/// The file is root's. systemd reads it for the service, whose user is nobody's.
std::string unreadable(const std::string& file, const plainfile::Failure& failure) {
  auto why = fmt::format("{}: {}", file, failure.reason);
  if (failure.error == EACCES)
    why += "\nby hand start the agent as root; systemd hands them to its service";
  return why;
}

/// LoadCredential=keys:… (systemd.exec(5)) hands the keys to a unit that runs as nobody's user.
std::string keys_file(const Config& config) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the environment is not changed
  const char* const directory = std::getenv("CREDENTIALS_DIRECTORY");
  if (directory == nullptr) return config.keys_file;
  const std::string credential = std::string{directory} + "/keys";
  struct stat status {};
  return ::stat(credential.c_str(), &status) == 0 ? credential : config.keys_file;
}

std::string how_to_make_keys(const Config& config) {
  return fmt::format(
      "on the director run: monitorctl keygen --agent NAME\n"
      "and put what it prints into {}, mode 0600; NAME is the address that\n"
      "the director polls, or this agent's name: where it has one",
      config.keys_file);
}

tl::unexpected<KeysFailure> not_opened(const Config& config, const std::string& file,
                                       const plainfile::Failure& why) {
  if (why.error == ENOENT || why.error == ENOTDIR) {
    return no_keys(fmt::format("no keys: {}: {}\n{}", file, why.reason, how_to_make_keys(config)));
  }
  auto text = fmt::format("keys {}", unreadable(file, why));
  return why.error == EACCES ? no_keys(std::move(text)) : bad_keys(std::move(text));
}

/// Of the file that is open, not of what bears its name by then.
std::string fault_of(const FileDescriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return std::strerror(errno);
  return keyfile::fault_of_mode(status.st_mode);
}

tl::unexpected<KeysFailure> bad_mode(const std::string& path, const std::string& fault) {
  return bad_keys(fmt::format("{0}: {1}; run: chmod 0600 {0}", path, fault));
}

/// A credential is systemd's own copy, for nobody else to read. Others may have read the file.
std::string fault_of_original(const Config& config) {
  struct stat status {};
  if (::stat(config.keys_file.c_str(), &status) != 0) return "";
  return keyfile::fault_of_mode(status.st_mode);
}

tl::expected<std::vector<AgentKey>, KeysFailure> load_keys(const Config& config) {
  const std::string path = keys_file(config);
  const auto file = plainfile::open_to_read(path);
  if (!file) return not_opened(config, path, file.error());
  if (const auto fault = fault_of(*file); !fault.empty()) return bad_mode(path, fault);
  if (const auto fault = fault_of_original(config); !fault.empty()) {
    return bad_mode(config.keys_file, fault);
  }
  auto text = plainfile::rest_of(*file, most_bytes);
  if (!text) return bad_keys(fmt::format("keys {}", unreadable(path, text.error())));
  auto keys = keys_from_yaml(std::move(*text), path);
  if (!keys) return bad_keys(strictyaml::string_from_problems(keys.error()));
  if (keys->empty())
    return no_keys(fmt::format("no keys in {}\n{}", path, how_to_make_keys(config)));
  return std::move(*keys);
}

std::string lines(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace

tl::expected<Setup, std::string> load_config(const std::string& file) {
  auto text = text_of(file);
  if (!text) return failure(text.error());
  auto checked = config_from_yaml(std::move(*text), file);
  if (!checked) return failure(strictyaml::string_from_problems(checked.error()));
  std::string warnings;
  if (!checked->warnings.empty()) warnings = strictyaml::string_from_problems(checked->warnings);
  return Setup{.config = std::move(checked->config), .warnings = std::move(warnings)};
}

tl::expected<Setup, std::string> load_setup(const std::string& file, const Overrides& overrides) {
  auto setup = load_config(file);
  if (!setup) return setup;
  if (!overrides.log_level.empty()) setup->config.log_level = overrides.log_level;
  if (!overrides.log_format.empty()) setup->config.log_format = overrides.log_format;
  if (setup->config.security == Security::none) return setup;
  auto keys = load_keys(setup->config);
  if (!keys) return failure(keys.error().text);
  setup->keys = std::move(*keys);
  return setup;
}

SetupCheck check_setup(const std::string& file) {
  const auto setup = load_config(file);
  SetupCheck check;
  if (setup) {
    check.warnings = setup->warnings;
  } else {
    check.problems = lines(setup.error());
  }
  const Config config = setup ? setup->config : Config{};
  if (config.security == Security::none) return check;
  const auto keys = load_keys(config);
  if (keys) return check;
  if (!keys.error().absent) {
    check.problems += lines(keys.error().text);
  } else if (setup) {
    check.warnings += "warning: " + lines(keys.error().text);
  }
  return check;
}

}  // namespace lvs::agent
