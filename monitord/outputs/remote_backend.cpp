#include "monitord/outputs/remote_backend.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <utility>

namespace lvs::monitord {
namespace {

namespace json = boost::json;
using Method = DnsQuestion::Method;

constexpr std::array<std::pair<std::string_view, Method>, 6> methods{{
    {"initialize", Method::initialize},
    {"lookup", Method::lookup},
    {"getDomainInfo", Method::domain_info},
    {"getAllDomains", Method::all_domains},
    {"getAllDomainMetadata", Method::all_metadata},
    {"getDomainMetadata", Method::metadata},
}};

Method method_from_name(std::string_view name) {
  const auto* const known =
      std::ranges::find(methods, name, &std::pair<std::string_view, Method>::first);
  return known == methods.end() ? Method::something_else : known->second;
}

std::string_view text_at(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

std::string line_of(json::value result) {
  const json::object answer{{"result", std::move(result)}};
  return json::serialize(answer) + "\n";
}

json::object zone_object(std::string_view zone) {
  return {{"id", 1}, {"zone", zone}, {"kind", "NATIVE"}, {"serial", 1}};
}

}  // namespace

std::optional<DnsQuestion> dns_question_from_line(std::string_view line) {
  if (line.size() > longest_dns_question) return std::nullopt;
  json::error_code failure;
  const auto document = json::parse(line, failure);
  if (failure || !document.is_object()) return std::nullopt;
  const auto name = text_at(document.get_object(), "method");
  if (name.empty()) return std::nullopt;
  DnsQuestion question{method_from_name(name), {}, {}};
  const bool is_lookup = question.method == Method::lookup;
  if (!is_lookup && question.method != Method::domain_info) return question;
  const auto* const parameters = document.get_object().if_contains("parameters");
  if (parameters == nullptr || !parameters->is_object()) return std::nullopt;
  question.name = text_at(parameters->get_object(), is_lookup ? "qname" : "name");
  if (is_lookup) question.type = text_at(parameters->get_object(), "qtype");
  if (question.name.empty() || (is_lookup && question.type.empty())) return std::nullopt;
  return question;
}

std::string dns_records_line(std::string_view name, const std::vector<DnsRecord>& records) {
  json::array list;
  for (const auto& record : records) {
    json::object made{{"qtype", record.type},
                      {"qname", name},
                      {"content", record.content},
                      {"ttl", record.ttl_s}};
    list.emplace_back(std::move(made));
  }
  return line_of(std::move(list));
}

std::string dns_zone_line(std::string_view zone, bool in_list) {
  if (!in_list) return line_of(zone_object(zone));
  json::array list;
  list.emplace_back(zone_object(zone));
  return line_of(std::move(list));
}

std::string dns_yes_line() {
  return line_of(true);
}

std::string dns_no_line() {
  return line_of(false);
}

std::string dns_no_metadata_line(bool all_kinds) {
  if (all_kinds) return line_of(json::object());
  return line_of(json::array());
}

}  // namespace lvs::monitord
