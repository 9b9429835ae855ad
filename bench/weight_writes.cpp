#include "bench/weight_writes.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "bench/spawned.hpp"
#include "bench/table_rules.hpp"
#include "monitord/apply.hpp"

namespace lvs::bench {
namespace {

using Changes = std::span<const Change>;

constexpr auto rules_file = "/run/bench.rules";
constexpr auto script_file = "/run/bench.sh";

/// The changes of a service stand together.
Changes first_service(Changes changes) {
  const auto end = std::ranges::find_if(
      changes, [&](const Change& each) { return each.service != changes.front().service; });
  return changes.first(static_cast<std::size_t>(end - changes.begin()));
}

void apply_all(ipvs::NetlinkTable& table, Changes changes) {
  monitord::Plan plan;
  for (auto rest = changes; !rest.empty();) {
    const auto some = first_service(rest);
    monitord::ServicePlan of_service{.service = some.front().service};
    for (const auto& each : some) {
      of_service.changes.push_back(
          {each.as_read.key, each.as_read.weight, each.weight, "measured", {}});
    }
    plan.push_back(std::move(of_service));
    rest = rest.subspan(some.size());
  }
  const auto intent = [](const ipvs::ServiceKey&, std::span<const monitord::WeightChange>) {
    return true;
  };
  for (const auto& applied : monitord::apply(plan, table, intent)) {
    if (applied.result == monitord::Applied::Result::written) continue;
    throw std::runtime_error(
        "apply(): " + std::string(monitord::string_from_result(applied.result)) + " " +
        applied.error);
  }
}

/// So many of a service in one send.
void set_all(ipvs::NetlinkTable& table, Changes changes, std::size_t together) {
  std::vector<ipvs::WeightWrite> writes;
  for (auto rest = changes; !rest.empty();) {
    auto some = first_service(rest);
    some = some.first(std::min(some.size(), together));
    writes.clear();
    for (const auto& each : some)
      writes.push_back({each.as_read, each.weight});
    for (const auto& result : table.set_weights(some.front().service, writes)) {
      if (!result) throw std::runtime_error("set_weights(): " + result.error().message);
    }
    rest = rest.subspan(some.size());
  }
}

std::string rule_of(const Change& change) {
  return edit_rule(change.service, change.as_read, change.weight);
}

void write_rules(const std::string& file, const std::string& before_each, Changes changes) {
  std::ofstream out(file);
  for (const auto& change : changes)
    out << before_each << rule_of(change) << "\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

void spawn_each(Changes changes) {
  for (const auto& change : changes)
    (void)spent_by(words_of("ipvsadm " + rule_of(change)));
}

}  // namespace

std::vector<Way> ways_to_write(ipvs::NetlinkTable& table) {
  const auto apply_way = [&table](Changes changes) { apply_all(table, changes); };
  const auto batches = [&table](Changes changes) { set_all(table, changes, ipvs::batch_limit); };
  const auto singly = [&table](Changes changes) { set_all(table, changes, 1); };
  const auto restore = [](Changes) { (void)spent_by({"ipvsadm", "-R"}, rules_file); };
  const auto rules = [](Changes changes) { write_rules(rules_file, "", changes); };
  // -e ends the script at the first refusal.
  const auto script = [](Changes) { (void)spent_by({"sh", "-e", script_file}); };
  const auto lines = [](Changes changes) { write_rules(script_file, "ipvsadm ", changes); };
  return {{"apply()", false, apply_way, {}},
          {"set_weights() in batches", false, batches, {}},
          {"set_weights() one by one", false, singly, {}},
          {"ipvsadm -R", false, restore, rules},
          {"a loop of ipvsadm -e", true, script, lines},
          {"ipvsadm -e without a shell", true, spawn_each, {}}};
}

}  // namespace lvs::bench
