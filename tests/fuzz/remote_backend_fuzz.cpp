// Any bytes as a question of PowerDNS's remote backend: one line of JSON comes back with a result,
// and no address but those of servers that have a weight.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "monitord/outputs/dns_answers.hpp"
#include "require.hpp"

using namespace lvs::monitord;
using lvs::fuzz::require;

namespace {

void declare_one_pool(DnsAnswers& answers) {
  Config config;
  config.outputs.dns.zone = "b.c";
  config.outputs.dns.nameservers = {"n.d"};
  const auto pool = lvs::ipvs::service_key_from_string("pool:a").value();
  const auto taken = lvs::ipvs::destination_key_from_string("10.0.0.11:80").value();
  const auto drained = lvs::ipvs::destination_key_from_string("10.0.0.12:80").value();
  answers.configure(config);
  answers.declare({{pool, "a.b.c", {{taken, "s1", 100, 37}, {drained, "s2", 100, 0}}}}, true, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view question{reinterpret_cast<const char*>(data), size};
  DnsAnswers answers;
  declare_one_pool(answers);
  const auto answer = answers.answer(question, size);
  require(answer.find('\n') == answer.size() - 1);
  require(answer.size() <= 8 * longest_dns_question);
  const auto document = boost::json::parse(answer);
  const auto& result = document.at("result");
  const auto& counters = answers.counters();
  require(counters.addresses + counters.other + counters.malformed == 1);
  if (!result.is_array()) return 0;
  for (const auto& record : result.get_array()) {
    const auto* const type = record.as_object().if_contains("qtype");
    if (type == nullptr) continue;  // the zone
    require(type->as_string() != "AAAA");
    if (type->as_string() == "A") require(record.at("content").as_string() == "10.0.0.11");
  }
  return 0;
}
