#include "monitord/config_settings.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "monitord/outputs/output_kind.hpp"
#include "monitord/policy_numbers.hpp"
#include "monitord/policy_words.hpp"
#include "monitord/size_text.hpp"
#include "monitord/strategies.hpp"
#include "strictyaml/duration.hpp"

namespace lvs::monitord {
namespace {

using Form = Setting::Form;
using Settings = std::vector<Setting>;

/// The shortest text without an exponent that reads back as the same number: for some readers of
/// YAML "1e+06" is a word.
std::string string_from_number(double number) {
  std::array<char, 400> buffer{};  // 5e-324 is the longest
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  return {buffer.data(), result.ptr};
}

std::string string_from_bool(bool value) {
  return value ? "true" : "false";
}

/// In milliseconds with a fraction where no whole ones will do: that is what can be read back.
std::string string_from_duration(std::chrono::nanoseconds duration) {
  constexpr std::int64_t millisecond = 1'000'000;
  const std::int64_t count = duration.count();
  if (count % millisecond == 0) return strictyaml::string_from_duration_ns(count);
  return string_from_number(static_cast<double>(count) / millisecond) + "ms";
}

std::string string_from_seconds(double seconds) {
  return string_from_duration(
      std::chrono::round<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds)));
}

std::string string_from_boundary(const loadcalc::Boundary& boundary) {
  const bool percent = boundary.unit == loadcalc::Boundary::Unit::percent;
  return string_from_number(boundary.value) + (percent ? "%" : "");
}

void add(Settings& settings, std::string key, std::string value, Form form = Form::plain) {
  settings.push_back({std::move(key), form, {std::move(value)}});
}

template <typename Number>
void add_number(Settings& settings, std::string key, const std::optional<Number>& value) {
  settings.push_back({std::move(key), Form::plain, {}});
  if (value) settings.back().values.push_back(std::to_string(*value));
}

/// An empty text is one that is not set.
void add_text(Settings& settings, std::string key, const std::string& value) {
  settings.push_back({std::move(key), Form::text, {}});
  if (!value.empty()) settings.back().values.push_back(value);
}

void add_duration(Settings& settings, std::string key,
                  const std::optional<std::chrono::nanoseconds>& value) {
  settings.push_back({std::move(key), Form::plain, {}});
  if (value) settings.back().values.push_back(string_from_duration(*value));
}

void add_probe(const std::optional<ProbeConfig>& probe, Settings& settings) {
  if (!probe) return add(settings, "probe.type", "none");
  const bool http = probe->kind == ProbeConfig::Kind::http;
  add(settings, "probe.type", http ? "http" : "tcp");
  if (http) {
    add_text(settings, "probe.path", probe->path);
    add_text(settings, "probe.host", probe->host);
    add(settings, "probe.expect",
        std::to_string(probe->expect.low) + "-" + std::to_string(probe->expect.high));
  }
  add_number(settings, "probe.port", probe->port);
  add_duration(settings, "probe.interval", probe->interval);
  add_duration(settings, "probe.deadline", probe->deadline);
}

/// The map within a section stands behind the section's own numbers.
void add_numbers(Policy policy, Settings& settings) {
  for (const PolicyMap& map : policy_maps(policy)) {
    std::string head{map.section};
    if (!map.within.empty()) head.append(".").append(map.within);
    for (const PolicyNumber& number : map.numbers)
      add(settings, head + "." + std::string{number.key}, string_from_number(*number.value));
  }
}

}  // namespace

std::vector<Setting> settings_from_config(const Config& config) {
  Settings settings;
  add(settings, "dry_run", string_from_bool(config.dry_run));
  add(settings, "interval", string_from_duration(config.interval));
  add(settings, "hold_polls", std::to_string(config.hold_polls));
  add(settings, "on_exit", word_of(config.on_exit, exit_words));
  add(settings, "agent.port", std::to_string(config.agent.port));
  add(settings, "agent.deadline", string_from_duration(config.agent.deadline));
  add(settings, "agent.security", config.agent.security == Security::keys ? "keys" : "none");
  add_text(settings, "agent.keys", config.agent.keys_file);
  add_text(settings, "control.socket", config.control_socket);
  add_text(settings, "state.file", config.state_file);
  add(settings, "log.level", config.log_level);
  add(settings, "log.format", config.log_format);
  add_text(settings, "record.file", config.record.file);
  add(settings, "record.max_size", string_from_size(config.record.max_size));
  add(settings, "record.files", std::to_string(config.record.files));
  add(settings, "http.listen", config.http.listen.empty() ? "none" : config.http.listen,
      Form::text);
  settings.push_back({"http.hosts", Form::list, config.http.hosts});
  add_text(settings, "outputs.haproxy.listen", config.outputs.haproxy_listen);
  settings.push_back({"outputs.nginx.test", Form::list, config.outputs.nginx.test});
  settings.push_back({"outputs.nginx.reload", Form::list, config.outputs.nginx.reload});
  const auto& dns = config.outputs.dns;
  add_text(settings, "outputs.dns.socket", dns.socket);
  add_text(settings, "outputs.dns.zone", dns.zone);
  settings.push_back({"outputs.dns.nameservers", Form::list, dns.nameservers});
  add_text(settings, "outputs.dns.contact", dns.contact);
  add(settings, "outputs.dns.ttl", string_from_duration(dns.ttl));
  return settings;
}

std::vector<Setting> settings_from_output(const ServiceConfig& service) {
  Settings settings;
  add(settings, "output", std::string(name_of_output(service.output)));
  add_text(settings, "folder", service.folder);
  return settings;
}

std::vector<Setting> settings_from_pool(const PoolConfig& pool) {
  Settings settings;
  add(settings, "output", std::string(name_of_output(pool.service.output)));
  const bool is_dns = pool.service.output == OutputKind::dns;
  if (!is_dns) add(settings, "balance", pool.balance);
  add_text(settings, "backend", pool.backend);
  add_text(settings, "stats", pool.stats);
  add_text(settings, "file", pool.file);
  add_text(settings, "host", pool.host);
  if (is_dns) add(settings, "choice", word_of(pool.choice, dns_choice_words));
  return settings;
}

std::vector<Setting> settings_from_policy(const Policy& policy) {
  Settings settings;
  add(settings, "strategy", std::string(name_of_strategy(policy.strategy)));
  add(settings, "boundary", string_from_boundary(policy.boundary));
  add(settings, "weights.min", std::to_string(policy.weights.min));
  add(settings, "weights.max", std::to_string(policy.weights.max));
  add(settings, "min_write_interval", string_from_duration(policy.min_write_interval));
  add(settings, "foreign", word_of(policy.foreign, foreign_words));
  add(settings, "on_silence", word_of(policy.on_silence, silence_words));
  add(settings, "standby", word_of(policy.standby, standby_words));
  add(settings, "agent_drain", string_from_bool(policy.agent_drain));
  add(settings, "up_step", string_from_number(policy.up_step));
  add(settings, "step_cap", string_from_number(policy.guards.step_cap));
  add(settings, "slow_start", string_from_seconds(policy.guards.slow_start_s));
  add(settings, "idle_cpu", string_from_number(policy.guards.idle_cpu));
  add(settings, "composite.cpu", string_from_number(policy.capacity.shares.cpu));
  add(settings, "composite.memory", string_from_number(policy.capacity.shares.memory));
  add_probe(policy.probe, settings);
  add_numbers(policy, settings);
  return settings;
}

std::vector<Setting> settings_from_server(const ServerConfig& server) {
  Settings settings;
  add_text(settings, "name", server.name.value_or(""));
  add_text(settings, "agent",
           server.agent_address ? ipvs::string_from_ip_address(*server.agent_address) : "");
  add_number(settings, "port", server.agent_port);
  add_number(settings, "base", server.base);
  return settings;
}

std::string yaml_from_service_key(const ipvs::ServiceKey& service) {
  std::string text = ipvs::string_from_service_key(service);
  if (const auto blank = text.find(' '); blank != std::string::npos) text[blank] = ':';
  return text;
}

}  // namespace lvs::monitord
