#pragma once

// PowerDNS's remote backend, as it is spoken on a Unix socket: one JSON document a line, a question
// and its answer. Pure; what is answered is in dns_answers.hpp.
//
// See "Remote backend" in the documentation of the PowerDNS Authoritative Server. What is not known
// is answered with {"result":false}, as it asks for.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::monitord {

/// Longer questions are none: a name, even if each of its bytes is escaped, and what is around it.
inline constexpr std::size_t longest_dns_question = 4096;

struct DnsQuestion {
  enum class Method {
    initialize,
    lookup,
    domain_info,     ///< getDomainInfo
    all_domains,     ///< getAllDomains
    all_metadata,    ///< getAllDomainMetadata
    metadata,        ///< getDomainMetadata
    something_else,  ///< a method that needs no knowledge to be refused
  };
  Method method{};
  std::string name{};  ///< that is asked for, as it is written there; of lookup and domain_info
  std::string type{};  ///< of lookup: "A", "ANY", …

  friend bool operator==(const DnsQuestion&, const DnsQuestion&) = default;
};

/// Nothing when it is not JSON, or not what PowerDNS would ask.
std::optional<DnsQuestion> dns_question_from_line(std::string_view line);

struct DnsRecord {
  std::string type{};
  std::string content{};
  std::uint32_t ttl_s{};

  friend bool operator==(const DnsRecord&, const DnsRecord&) = default;
};

/// Answers, each with the end of its line. `name` as it was asked for.
std::string dns_records_line(std::string_view name, const std::vector<DnsRecord>& records);
/// The zone, as getDomainInfo wants it; in a list of one, as getAllDomains does.
std::string dns_zone_line(std::string_view zone, bool in_list);
std::string dns_yes_line();
std::string dns_no_line();
/// No metadata: an object of all kinds, or the list of one.
std::string dns_no_metadata_line(bool all_kinds);

}  // namespace lvs::monitord
