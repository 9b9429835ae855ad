#include "recorded_service.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "support.hpp"

namespace lvs::monitorctl::testing {
namespace {

constexpr std::size_t looks = 6;
constexpr double between_s = 2;

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  Words words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// "1000+60", "3,1,2" or "7".
std::vector<std::uint64_t> series_of(const std::string& text) {
  std::vector<std::uint64_t> values;
  const auto plus = text.find('+');
  if (plus != std::string::npos) {
    for (std::size_t i = 0; i < looks; ++i)
      values.push_back(std::stoull(text) + i * std::stoull(text.substr(plus + 1)));
    return values;
  }
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');)
    values.push_back(std::stoull(part));
  values.resize(looks, values.back());
  return values;
}

struct Keys {
  std::map<std::string, std::string> values{};

  explicit Keys(const Words& words) {
    for (std::size_t i = 2; i < words.size(); ++i) {
      const auto equals = words[i].find('=');
      if (equals == std::string::npos) throw std::runtime_error("no key=value: " + words[i]);
      values[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    }
  }

  [[nodiscard]] std::string text(const std::string& key) {
    const auto found = values.find(key);
    if (found == values.end()) return "";
    auto value = found->second;
    values.erase(found);
    return value;
  }
  [[nodiscard]] std::vector<std::uint32_t> numbers(const std::string& key) {
    const auto written = text(key);
    const auto series = series_of(written.empty() ? "0" : written);
    return {series.begin(), series.end()};
  }
  [[nodiscard]] std::optional<double> real(const std::string& key) {
    const auto written = text(key);
    return written.empty() ? std::nullopt : std::optional(std::stod(written));
  }
};

void take_service(const Words& words, RecordedService& made) {
  ipvs::Service service;
  service.key = service_key(words.at(1));
  service.scheduler = words.at(2);
  service.netmask = service.key.family == ipvs::Family::inet ? 0xffffffff : 128;
  for (std::size_t i = 3; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "fallback") {
      service.flags |= ipvs::service_flag::sched1;
    } else if (word == "ops") {
      service.flags |= ipvs::service_flag::one_packet;
    } else if (word == "proc") {
      made.complete = false;
    } else if (word == "mask=255.255.255.0") {
      service.netmask = 0xffffff00;
    } else if (word.starts_with("persistent=")) {
      service.flags |= ipvs::service_flag::persistent;
      service.timeout_s = static_cast<std::uint32_t>(std::stoul(word.substr(11)));
    } else {
      throw std::runtime_error("unknown word of a service: " + word);
    }
  }
  for (std::size_t i = 0; i < looks; ++i)
    made.readings.push_back({between_s * static_cast<double>(i), {service, {}}});
}

ipvs::ForwardingMethod forwarding_of(const std::string& word) {
  using enum ipvs::ForwardingMethod;
  for (const auto method : {masquerade, local_node, tunnel, direct_route}) {
    if (word == ipvs::string_from_forwarding_method(method)) return method;
  }
  throw std::runtime_error("unknown forwarding method: " + word);
}

void take_status(const std::string& name, Keys& keys, RecordedService& made) {
  DestinationStatus status;
  status.destination = name;
  status.reading = "fresh";
  if (const auto base = keys.real("base")) status.base = static_cast<std::uint64_t>(*base);
  status.capacity = keys.real("capacity");
  status.cpu_busy = keys.real("cpu");
  status.outcome = keys.text("outcome");
  if (!made.status) return;
  made.status->services.front().destinations.push_back(status);
}

void take_destination(const Words& words, RecordedService& made) {
  Keys keys(words);
  const auto weight = keys.numbers("weight");
  const auto active = keys.numbers("active");
  const auto inactive = keys.numbers("inactive");
  const auto upper = keys.numbers("upper");
  const auto lower = keys.numbers("lower");
  const auto templates = keys.numbers("templates");
  const auto connections = keys.numbers("connections");
  for (std::size_t i = 0; i < looks; ++i) {
    auto& entry = made.readings[i].entry;
    ipvs::Destination destination;
    destination.key = destination_key(words[0]);
    destination.forwarding = forwarding_of(words[1]);
    destination.weight = weight[i];
    destination.active_connections = active[i];
    destination.inactive_connections = inactive[i];
    destination.persistent_connections = templates[i];
    destination.upper_threshold = upper[i];
    destination.lower_threshold = lower[i];
    destination.statistics.connections = connections[i];
    entry.service.statistics.connections += connections[i];
    entry.destinations.push_back(destination);
  }
  take_status(words[0], keys, made);
  if (!keys.values.empty()) throw std::runtime_error("unknown key: " + keys.values.begin()->first);
}

}  // namespace

ServiceFacts RecordedService::facts() const {
  return facts_from(readings, complete, status ? &*status : nullptr);
}

RecordedService recorded_service(const std::string& text) {
  RecordedService made;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "service") {
      take_service(words, made);
    } else if (words[0] == "daemon") {
      made.status.emplace();
      made.status->dry_run = words.size() > 1 && words[1] == "dry_run";
      const auto& service = made.readings.front().entry.service;
      made.status->services.push_back(
          {ipvs::string_from_service_key(service.key), service.scheduler, {}});
    } else {
      take_destination(words, made);
    }
  }
  return made;
}

}  // namespace lvs::monitorctl::testing
