// The journal's lines about what was learned.

#include <array>
#include <boost/json/array.hpp>
#include <cmath>
#include <utility>

#include "monitord/journal_lines.hpp"

namespace lvs::monitord::journal {
namespace {

namespace json = boost::json;
using loadcalc::ServerModel;

using ModelNumber = std::pair<std::string_view, double ServerModel::*>;
constexpr std::array<ModelNumber, 6> model_numbers{{
    {"work", &ServerModel::work},
    {"load", &ServerModel::load},
    {"work_short", &ServerModel::work_short},
    {"load_short", &ServerModel::load_short},
    {"scatter", &ServerModel::scatter},
    {"composite", &ServerModel::composite},
}};
using ModelCount = std::pair<std::string_view, std::uint32_t ServerModel::*>;
constexpr std::array<ModelCount, 2> model_counts{{
    {"disagreements", &ServerModel::disagreements},
    {"samples", &ServerModel::samples},
}};
using ModelMeasures = std::pair<std::string_view, loadcalc::Measures ServerModel::*>;
constexpr std::array<ModelMeasures, 2> model_measures{{
    {"latest", &ServerModel::latest},
    {"previous", &ServerModel::previous},
}};

json::string_view name(std::string_view text) {
  return {text.data(), text.size()};
}

json::object object_from_model(const ServerModel& model) {
  json::object object;
  for (const auto& [key, member] : model_numbers)
    object[name(key)] = model.*member;
  for (const auto& [key, member] : model_counts)
    object[name(key)] = model.*member;
  for (const auto& [key, member] : model_measures) {
    const auto& measures = model.*member;
    object[name(key)] = json::array{measures.cpu_occupancy, measures.free_memory_rate};
  }
  return object;
}

bool is_finite(const ServerModel& model) {
  for (const auto& [key, member] : model_numbers) {
    if (!std::isfinite(model.*member)) return false;
  }
  return true;
}

std::optional<double> share_of(const json::value& value) {
  json::error_code failure;
  const auto number = value.to_number<double>(failure);
  if (failure || !(number >= 0 && number <= 1)) return std::nullopt;
  return number;
}

std::optional<loadcalc::Measures> measures_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(name(key));
  if (value == nullptr || !value->is_array() || value->get_array().size() != 2) return {};
  const auto cpu = share_of(value->get_array()[0]);
  const auto memory = share_of(value->get_array()[1]);
  if (!cpu || !memory) return std::nullopt;
  return loadcalc::Measures{*cpu, *memory};
}

/// Work that a short window still owes may be below 0 (ServerModel::work, work_short); else only
/// what is negative by a fault.
bool may_be_negative(double ServerModel::*member) {
  return member == &ServerModel::work || member == &ServerModel::work_short;
}

std::optional<ServerModel> model_of(const json::object& object) {
  ServerModel model;
  for (const auto& [key, member] : model_numbers) {
    const auto number = number_of(object, key);
    if (!number || (*number < 0 && !may_be_negative(member))) return std::nullopt;
    model.*member = *number;
  }
  for (const auto& [key, member] : model_counts) {
    const auto count = weight_of(object, key);
    if (!count) return std::nullopt;
    model.*member = *count;
  }
  for (const auto& [key, member] : model_measures) {
    const auto measures = measures_of(object, key);
    if (!measures) return std::nullopt;
    model.*member = *measures;
  }
  return model;
}

json::object object_from_server(const ipvs::IpAddress& address) {
  return {{"server", ipvs::string_from_ip_address(address)}};
}

std::string line_learned(const ipvs::IpAddress& address, const LearnedServer& server) {
  auto object = object_from_server(address);
  object["at"] = server.at;
  object["model"] = object_from_model(server.model);
  return line(object);
}

std::string line_exponent(const ipvs::ServiceKey& key, double exponent) {
  return line({{"service", ipvs::string_from_service_key(key)}, {"ratio_exponent", exponent}});
}

}  // namespace

std::string lines_between(const Learned& recorded, const Learned& now) {
  std::string lines;
  for (const auto& [address, server] : recorded.servers) {
    if (now.servers.contains(address)) continue;
    auto object = object_from_server(address);
    object["forget"] = true;
    lines += line(object);
  }
  for (const auto& [address, server] : now.servers) {
    const auto before = recorded.servers.find(address);
    const bool same = before != recorded.servers.end() && before->second == server;
    if (!same && is_finite(server.model)) lines += line_learned(address, server);
  }
  for (const auto& [key, exponent] : recorded.ratio_exponents) {
    if (!now.ratio_exponents.contains(key)) lines += line_exponent(key, 0);
  }
  for (const auto& [key, exponent] : now.ratio_exponents) {
    const auto before = recorded.ratio_exponents.find(key);
    const bool same = before != recorded.ratio_exponents.end() && before->second == exponent;
    if (!same && std::isfinite(exponent)) lines += line_exponent(key, exponent);
  }
  return lines;
}

bool take_server(Learned& learned, const json::object& object) {
  const auto text = text_of(object, "server");
  const auto address = text ? ipvs::ip_address_from_string(*text) : std::nullopt;
  if (!address) return false;
  if (flag_of(object, "forget")) {
    learned.servers.erase(*address);
    return true;
  }
  const auto at = number_of(object, "at");
  const auto* model = object.if_contains("model");
  if (!at || model == nullptr || !model->is_object()) return false;
  const auto numbers = model_of(model->get_object());
  if (!numbers) return false;
  learned.servers[*address] = {*numbers, *at};
  return true;
}

bool take_exponent(Learned& learned, const json::object& object) {
  const auto key = service_of(object);
  const auto exponent = number_of(object, "ratio_exponent");
  if (!key || !exponent || *exponent < 0) return false;
  if (*exponent > 0) {
    learned.ratio_exponents[*key] = *exponent;
  } else {
    learned.ratio_exponents.erase(*key);
  }
  return true;
}

}  // namespace lvs::monitord::journal
