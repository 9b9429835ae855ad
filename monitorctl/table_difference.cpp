#include "monitorctl/table_difference.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "monitorctl/ipvsadm_format.hpp"
#include "monitorctl/saved_table.hpp"

namespace lvs::monitorctl {
namespace {

using Kind = Difference::Kind;

struct Setting {
  std::string name{}, text{};
  bool usual{};  ///< what ipvsadm sets where nothing is said

  friend bool operator==(const Setting&, const Setting&) = default;
};
using Settings = std::vector<Setting>;

std::string text_or_none(std::string_view text) {
  return text.empty() ? "none" : std::string(text);
}

/// "360 mask 255.255.255.0": a mask and a time without persistence have no meaning.
std::string persistence_of(const ipvs::Service& service) {
  constexpr std::string_view word = "persistent ";
  const auto text = persistence_text(service);
  return text.starts_with(word) ? text.substr(word.size()) : text;
}

Settings settings_of(const ipvs::Service& service) {
  const auto persistence = persistence_of(service);
  const auto flags = saved_flags(service);
  const bool one_packet = (service.flags & ipvs::service_flag::one_packet) != 0;
  return {{"scheduler", service.scheduler, false},
          {"flags", text_or_none(flags), flags.empty()},
          {"persistence", text_or_none(persistence), persistence.empty()},
          {"one-packet", one_packet ? "yes" : "no", !one_packet}};
}

Settings settings_of(const ipvs::Destination& destination, Weights weights) {
  const bool tunnel = destination.forwarding == ipvs::ForwardingMethod::tunnel;
  const auto upper = destination.upper_threshold;
  const auto lower = destination.lower_threshold;
  Settings settings{{"forwarding",
                     std::string(ipvs::string_from_forwarding_method(destination.forwarding)),
                     false}};
  if (weights == Weights::compared) {
    settings.push_back({"weight", fmt::format("{}", destination.weight), false});
  }
  settings.push_back({"tunnel", tunnel ? tunnel_name(destination) : "none", !tunnel});
  settings.push_back({"upper threshold", fmt::format("{}", upper), upper == 0});
  settings.push_back({"lower threshold", fmt::format("{}", lower), lower == 0});
  return settings;
}

std::vector<SettingChange> unusual(const Settings& settings, Kind kind) {
  std::vector<SettingChange> changes;
  for (const auto& setting : settings) {
    if (setting.usual) continue;
    const bool removed = kind == Kind::removed;
    changes.push_back(
        {setting.name, removed ? setting.text : std::string(), removed ? "" : setting.text});
  }
  return changes;
}

/// Both have the same names in the same order.
std::vector<SettingChange> changes_between(const Settings& from, const Settings& to) {
  std::vector<SettingChange> changes;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != to[i]) changes.push_back({from[i].name, from[i].text, to[i].text});
  }
  return changes;
}

class Comparison {
 public:
  explicit Comparison(Weights weights) : weights_(weights) {}

  void only_in_one(const ipvs::ServiceEntry& entry, Kind kind) {
    const auto& key = entry.service.key;
    found_.push_back({kind, key, std::nullopt, unusual(settings_of(entry.service), kind)});
    for (const auto& destination : entry.destinations)
      add_destination(key, destination, kind);
  }

  void in_both(const ipvs::ServiceEntry& from, const ipvs::ServiceEntry& to) {
    const auto& key = from.service.key;
    add_changes(key, std::nullopt,
                changes_between(settings_of(from.service), settings_of(to.service)));
    std::map<ipvs::DestinationKey, const ipvs::Destination*> left;
    for (const auto& destination : to.destinations)
      left.emplace(destination.key, &destination);
    for (const auto& destination : from.destinations) {
      const auto other = left.find(destination.key);
      if (other == left.end()) {
        add_destination(key, destination, Kind::removed);
        continue;
      }
      add_changes(key, destination.key,
                  changes_between(settings_of(destination, weights_),
                                  settings_of(*other->second, weights_)));
      left.erase(other);
    }
    for (const auto& destination : to.destinations) {
      if (left.contains(destination.key)) add_destination(key, destination, Kind::added);
    }
  }

  std::vector<Difference> take() { return std::move(found_); }

 private:
  void add_destination(const ipvs::ServiceKey& service, const ipvs::Destination& destination,
                       Kind kind) {
    found_.push_back(
        {kind, service, destination.key, unusual(settings_of(destination, weights_), kind)});
  }
  void add_changes(const ipvs::ServiceKey& service,
                   const std::optional<ipvs::DestinationKey>& destination,
                   std::vector<SettingChange> changes) {
    if (!changes.empty())
      found_.push_back({Kind::changed, service, destination, std::move(changes)});
  }

  Weights weights_;
  std::vector<Difference> found_{};
};

std::string setting_text(const SettingChange& change, Kind kind) {
  switch (kind) {
    case Kind::removed:
      return fmt::format("{} {}", change.name, change.from);
    case Kind::added:
      return fmt::format("{} {}", change.name, change.to);
    case Kind::changed:
      break;
  }
  return fmt::format("{} {} -> {}", change.name, change.from, change.to);
}

char sign_of(Kind kind) {
  if (kind == Kind::removed) return '-';
  return kind == Kind::added ? '+' : '~';
}

std::string line_of(const Difference& difference) {
  auto text = fmt::format("{} {}", sign_of(difference.kind),
                          ipvs::string_from_service_key(difference.service));
  if (difference.destination) {
    text += " " + ipvs::string_from_destination_key(*difference.destination);
  }
  std::string_view separator = ": ";
  for (const auto& setting : difference.settings) {
    text += fmt::format("{}{}", separator, setting_text(setting, difference.kind));
    separator = ", ";
  }
  return text + "\n";
}

}  // namespace

std::vector<Difference> differences(std::span<const ipvs::ServiceEntry> from,
                                    std::span<const ipvs::ServiceEntry> to, Weights weights) {
  Comparison comparison(weights);
  std::map<ipvs::ServiceKey, const ipvs::ServiceEntry*> left;
  for (const auto& entry : to)
    left.emplace(entry.service.key, &entry);
  for (const auto& entry : from) {
    const auto other = left.find(entry.service.key);
    if (other == left.end()) {
      comparison.only_in_one(entry, Kind::removed);
      continue;
    }
    comparison.in_both(entry, *other->second);
    left.erase(other);
  }
  for (const auto& entry : to) {
    if (left.contains(entry.service.key)) comparison.only_in_one(entry, Kind::added);
  }
  return comparison.take();
}

std::string difference_text(std::span<const Difference> all, const std::string& from,
                            const std::string& to) {
  if (all.empty()) return "";
  auto text = fmt::format("--- {}\n+++ {}\n", from, to);
  for (const auto& difference : all)
    text += line_of(difference);
  return text;
}

}  // namespace lvs::monitorctl
