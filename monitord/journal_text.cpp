// The journal's lines <-> values.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <limits>
#include <utility>

#include "monitord/remembered.hpp"

namespace lvs::monitord {
namespace {

namespace json = boost::json;

constexpr std::int64_t journal_version = 1;
constexpr std::uint64_t max_weight = std::numeric_limits<std::int32_t>::max();

json::object object_from_id(const DestinationId& id) {
  return {{"service", ipvs::string_from_service_key(id.service)},
          {"destination", ipvs::string_from_destination_key(id.destination)}};
}

std::string line(const json::object& object) {
  return json::serialize(object) + '\n';
}

std::optional<std::string_view> text_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(json::string_view(key.data(), key.size()));
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string().data(), value->get_string().size());
}

std::optional<std::uint32_t> weight_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(json::string_view(key.data(), key.size()));
  if (value == nullptr) return std::nullopt;
  json::error_code failure;
  const auto number = value->to_number<std::uint64_t>(failure);
  if (failure || number > max_weight) return std::nullopt;
  return static_cast<std::uint32_t>(number);
}

bool flag_of(const json::object& object, json::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

std::optional<DestinationId> id_of(const json::object& object) {
  const auto service = text_of(object, "service");
  const auto destination = text_of(object, "destination");
  if (!service || !destination) return std::nullopt;
  const auto service_key = ipvs::service_key_from_string(*service);
  const auto destination_key = ipvs::destination_key_from_string(*destination);
  if (!service_key || !destination_key) return std::nullopt;
  return DestinationId{*service_key, *destination_key};
}

std::optional<json::object> object_from_line(std::string_view text) {
  json::error_code failure;
  json::parse_options options;
  options.max_depth = 4;
  auto value = json::parse(json::string_view(text.data(), text.size()), failure, {}, options);
  if (failure || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

JournalContent::Fault header_fault(std::string_view text) {
  const auto object = object_from_line(text);
  if (!object) return JournalContent::Fault::corrupt;
  const auto* version = object->if_contains("monitord_journal");
  if (version == nullptr || !version->is_int64()) return JournalContent::Fault::corrupt;
  if (version->get_int64() > journal_version) return JournalContent::Fault::newer_version;
  return version->get_int64() == journal_version ? JournalContent::Fault::none
                                                 : JournalContent::Fault::corrupt;
}

/// False: no journal line. An intent for an unknown destination cannot be: its known line precedes.
bool take_line(Remembered& remembered, std::string_view text) {
  const auto object = object_from_line(text);
  if (!object) return false;
  const auto id = id_of(*object);
  if (!id) return false;

  if (flag_of(*object, "forget")) {
    remembered.erase(*id);
    return true;
  }
  if (const auto to = weight_of(*object, "intend")) {
    const auto known = remembered.find(*id);
    if (known == remembered.end()) return false;
    known->second.intended = to;
    return true;
  }
  const auto base = weight_of(*object, "base");
  const auto weight = weight_of(*object, "weight");
  if (!base || !weight) return false;
  remembered[*id] = {*base, flag_of(*object, "configured"), *weight,
                     weight_of(*object, "intended")};
  return true;
}

}  // namespace

std::string journal_header() {
  return line({{"monitord_journal", journal_version}});
}

std::string journal_line_known(const DestinationId& id, const RememberedDestination& known) {
  auto object = object_from_id(id);
  object["base"] = known.base;
  if (known.base_configured) object["configured"] = true;
  object["weight"] = known.weight;
  if (known.intended) object["intended"] = *known.intended;
  return line(object);
}

std::string journal_line_intent(const DestinationId& id, std::uint32_t to) {
  auto object = object_from_id(id);
  object["intend"] = to;
  return line(object);
}

std::string journal_line_forget(const DestinationId& id) {
  auto object = object_from_id(id);
  object["forget"] = true;
  return line(object);
}

std::string journal_lines_between(const Remembered& recorded, const Remembered& now) {
  std::string lines;
  for (const auto& [id, known] : recorded) {
    if (!now.contains(id)) lines += journal_line_forget(id);
  }
  for (const auto& [id, known] : now) {
    const auto before = recorded.find(id);
    if (before == recorded.end() || before->second != known) lines += journal_line_known(id, known);
  }
  return lines;
}

std::string journal_text(const Remembered& remembered) {
  return journal_header() + journal_lines_between({}, remembered);
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
      content.fault = header_fault(one);
    } else if (!take_line(content.remembered, one)) {
      content.fault = JournalContent::Fault::corrupt;
    }
    if (content.fault != JournalContent::Fault::none) {
      content.remembered.clear();
      return content;
    }
  }
}

}  // namespace lvs::monitord
