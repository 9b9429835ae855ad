// The journal's lines <-> values: destinations, and the whole.

#include "monitord/journal_text.hpp"

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "monitord/journal_lines.hpp"

namespace lvs::monitord {

namespace json = boost::json;

namespace journal {

namespace {

constexpr std::uint64_t max_weight = std::numeric_limits<std::int32_t>::max();

const json::value* member(const json::object& object, std::string_view key) {
  return object.if_contains(json::string_view(key.data(), key.size()));
}

}  // namespace

json::object object_from_id(const DestinationId& id) {
  return {{"service", ipvs::string_from_service_key(id.service)},
          {"destination", ipvs::string_from_destination_key(id.destination)}};
}

std::string line(const json::object& object) {
  return json::serialize(object) + '\n';
}

std::optional<std::string_view> text_of(const json::object& object, std::string_view key) {
  const auto* value = member(object, key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string().data(), value->get_string().size());
}

std::optional<std::uint32_t> weight_of(const json::object& object, std::string_view key) {
  const auto* value = member(object, key);
  if (value == nullptr) return std::nullopt;
  json::error_code failure;
  const auto number = value->to_number<std::uint64_t>(failure);
  if (failure || number > max_weight) return std::nullopt;
  return static_cast<std::uint32_t>(number);
}

std::optional<double> number_of(const json::object& object, std::string_view key) {
  const auto* value = member(object, key);
  if (value == nullptr) return std::nullopt;
  json::error_code failure;
  const auto number = value->to_number<double>(failure);
  if (failure || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool flag_of(const json::object& object, std::string_view key) {
  const auto* value = member(object, key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

std::optional<ipvs::ServiceKey> service_of(const json::object& object) {
  const auto service = text_of(object, "service");
  return service ? ipvs::service_key_from_string(*service) : std::nullopt;
}

std::optional<DestinationId> id_of(const json::object& object) {
  const auto service = service_of(object);
  const auto destination = text_of(object, "destination");
  if (!service || !destination) return std::nullopt;
  const auto key = ipvs::destination_key_from_string(*destination);
  if (!key) return std::nullopt;
  return DestinationId{*service, *key};
}

}  // namespace journal

namespace {

using namespace journal;

constexpr std::int64_t journal_version = 2;  // 1 had destinations only

constexpr std::array<ZeroCause, 3> zero_causes{ZeroCause::hand, ZeroCause::silence,
                                               ZeroCause::agent};

std::optional<ZeroCause> zero_of(const json::object& object) {
  const auto word = text_of(object, "zero");
  for (const auto cause : zero_causes) {
    if (word == string_from_zero_cause(cause)) return cause;
  }
  return std::nullopt;
}

void add_zero(json::object& object, std::optional<ZeroCause> zero) {
  if (!zero) return;
  const auto word = string_from_zero_cause(*zero);
  object["zero"] = json::string_view(word.data(), word.size());
}

std::optional<json::object> object_from_line(std::string_view text) {
  json::error_code failure;
  json::parse_options options;
  options.max_depth = 4;
  auto value = json::parse(json::string_view(text.data(), text.size()), failure, {}, options);
  if (failure || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

JournalContent::Fault take_header(Memory& memory, std::string_view text) {
  const auto object = object_from_line(text);
  if (!object) return JournalContent::Fault::corrupt;
  const auto* version = object->if_contains("monitord_journal");
  if (version == nullptr || !version->is_int64()) return JournalContent::Fault::corrupt;
  if (version->get_int64() > journal_version) return JournalContent::Fault::newer_version;
  if (version->get_int64() < 1) return JournalContent::Fault::corrupt;
  memory.boot = text_of(*object, "boot").value_or("");
  return JournalContent::Fault::none;
}

/// An intent for an unknown destination cannot be: its known line precedes.
bool take_intent(Remembered& remembered, const DestinationId& id, const json::object& object) {
  const auto known = remembered.find(id);
  if (known == remembered.end()) return false;
  known->second.intended = weight_of(object, "intend");
  if (known->second.intended == 0U) known->second.own_zero = zero_of(object);
  return true;
}

bool take_destination(Remembered& remembered, const json::object& object) {
  const auto id = id_of(object);
  if (!id) return false;
  if (flag_of(object, "forget")) {
    remembered.erase(*id);
    return true;
  }
  if (weight_of(object, "intend")) return take_intent(remembered, *id, object);
  const auto base = weight_of(object, "base");
  const auto weight = weight_of(object, "weight");
  if (!base || !weight) return false;
  remembered[*id] = {*base,           flag_of(object, "configured"),
                     *weight,         weight_of(object, "intended"),
                     zero_of(object), flag_of(object, "overridden")};
  return true;
}

/// False: no journal line. A lesson that cannot be used is left out and counted: no base, zero or
/// order may be lost for it.
bool take_line(JournalContent& content, std::string_view text) {
  const auto object = object_from_line(text);
  if (!object) return false;
  auto& memory = content.memory;
  if (object->contains("order")) return take_order(memory.orders, *object);
  if (object->contains("server") || object->contains("ratio_exponent")) {
    const bool used = object->contains("server") ? take_server(memory.learned, *object)
                                                 : take_exponent(memory.learned, *object);
    if (!used) ++content.unusable_lessons;
    return true;
  }
  return take_destination(memory.destinations, *object);
}

/// Both are in order, and are walked in step: this is done in every cycle, with all destinations.
std::string lines_between(const Remembered& recorded, const Remembered& now) {
  std::string lines;
  auto before = recorded.begin();
  const auto forget_up_to = [&](auto is_reached) {
    for (; before != recorded.end() && !is_reached(before->first); ++before)
      lines += journal_line_forget(before->first);
  };
  for (const auto& [id, known] : now) {
    forget_up_to([&next = id](const DestinationId& reached) { return !(reached < next); });
    const bool was_there = before != recorded.end() && before->first == id;
    if (!was_there || before->second != known) lines += journal_line_known(id, known);
    if (was_there) ++before;
  }
  forget_up_to([](const DestinationId&) { return false; });
  return lines;
}

}  // namespace

std::string journal_header(const std::string& boot) {
  json::object object{{"monitord_journal", journal_version}};
  if (!boot.empty()) object["boot"] = boot;
  return line(object);
}

std::string journal_line_known(const DestinationId& id, const RememberedDestination& known) {
  auto object = object_from_id(id);
  object["base"] = known.base;
  if (known.base_configured) object["configured"] = true;
  object["weight"] = known.weight;
  if (known.intended) object["intended"] = *known.intended;
  add_zero(object, known.own_zero);
  if (known.overridden) object["overridden"] = true;
  return line(object);
}

std::string journal_line_intent(const Intent& intent) {
  auto object = object_from_id(intent.id);
  object["intend"] = intent.to;
  add_zero(object, intent.zero);
  return line(object);
}

std::string journal_line_forget(const DestinationId& id) {
  auto object = object_from_id(id);
  object["forget"] = true;
  return line(object);
}

std::string journal_lines_between(const Memory& recorded, const Memory& now) {
  return lines_between(recorded.destinations, now.destinations) +
         lines_between(recorded.learned, now.learned) + lines_between(recorded.orders, now.orders);
}

std::string journal_lines_between(const Memory& recorded, const Remembered& destinations,
                                  const Orders& orders) {
  return lines_between(recorded.destinations, destinations) +
         lines_between(recorded.orders, orders);
}

std::string journal_text(const Memory& memory) {
  return journal_header(memory.boot) + journal_lines_between({}, memory);
}

JournalContent journal_from_text(std::string_view text) {
  JournalContent content;
  while (true) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return content;
    const auto one = text.substr(0, end);
    text.remove_prefix(end + 1);
    ++content.line;
    if (content.line == 1) {
      content.fault = take_header(content.memory, one);
    } else if (!take_line(content, one)) {
      content.fault = JournalContent::Fault::corrupt;
    }
    if (content.fault != JournalContent::Fault::none) {
      content.memory = {};
      return content;
    }
  }
}

}  // namespace lvs::monitord
