#include "monitorctl/completion_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "clustersim/names.hpp"
#include "monitorctl/arguments.hpp"

namespace lvs::monitorctl {
namespace {

using cli::Candidate;

constexpr std::array<std::string_view, 5> of_the_table{"SERVICE", "DESTINATION", "HOST", "VIP:PORT",
                                                       "MARK"};

/// "tcp:10.9.9.9:80", which is one word of a command line.
std::string word_of(const ipvs::ServiceKey& key) {
  auto text = ipvs::string_from_service_key(key);
  const auto blank = text.find(' ');
  if (blank != std::string::npos) text[blank] = ':';
  return text;
}

std::string what_of(const KnownService& service) {
  const auto count = service.destinations.size();
  return fmt::format("{}, {} destination{}", service.scheduler, count, count == 1 ? "" : "s");
}

std::string weight_text(const std::string& server, std::uint64_t weight) {
  return server + (server.empty() ? "" : ", ") + fmt::format("weight {}", weight);
}

std::vector<Candidate> services(const std::vector<KnownService>& known) {
  std::vector<Candidate> found;
  found.reserve(known.size());
  for (const auto& service : known)
    found.push_back({word_of(service.key), what_of(service)});
  return found;
}

/// As ipvsadm's options name them: without the protocol.
std::vector<Candidate> services_after(const std::string& option,
                                      const std::vector<KnownService>& known) {
  const auto start = option == "--tcp-service"    ? "tcp:"
                     : option == "--udp-service"  ? "udp:"
                     : option == "--sctp-service" ? "sctp:"
                                                  : "";
  std::vector<Candidate> found;
  for (const auto& service : known) {
    const auto word = word_of(service.key);
    if (*start != '\0' && word.starts_with(start)) {
      found.push_back({word.substr(std::string_view(start).size()), what_of(service)});
    }
  }
  return found;
}

std::vector<Candidate> marks(const cli::Completion& completion,
                             const std::vector<KnownService>& known) {
  const bool ipv6 = std::any_of(completion.options.begin(), completion.options.end(),
                                [](const auto& given) { return given.first == "--ipv6"; });
  std::vector<Candidate> found;
  for (const auto& service : known) {
    const bool wanted = (service.key.family == ipvs::Family::inet6) == ipv6;
    if (service.key.is_fwmark() && wanted) {
      found.push_back({std::to_string(service.key.fwmark), what_of(service)});
    }
  }
  return found;
}

ServiceArguments service_named(const cli::Completion& completion) {
  ServiceArguments named;
  for (const auto& [option, value] : completion.options) {
    if (option == "--tcp-service") named.tcp = value;
    if (option == "--udp-service") named.udp = value;
    if (option == "--sctp-service") named.sctp = value;
    if (option == "--fwmark-service") named.fwmark = value;
    if (option == "--ipv6") named.ipv6 = true;
  }
  if (!completion.arguments.empty()) named.name = completion.arguments.back();
  return named;
}

std::vector<Candidate> destinations(const cli::Completion& completion,
                                    const std::vector<KnownService>& known) {
  const auto wanted = service_from_arguments(service_named(completion));
  if (!wanted) return {};  // what stands before is a destination already
  std::vector<Candidate> found;
  std::set<std::string> seen;
  for (const auto& service : known) {
    if (*wanted && **wanted != service.key) continue;
    for (const auto& destination : service.destinations) {
      auto word = ipvs::string_from_destination_key(destination.key);
      if (seen.insert(word).second) found.push_back({std::move(word), destination.what});
    }
  }
  return found;
}

std::vector<Candidate> hosts(const std::vector<KnownService>& known) {
  std::set<std::string> seen;
  for (const auto& service : known) {
    for (const auto& destination : service.destinations)
      seen.insert(ipvs::string_from_ip_address(destination.key.address));
  }
  std::vector<Candidate> found;
  found.reserve(seen.size());
  for (const auto& host : seen)
    found.push_back({host, ""});
  return found;
}

/// Without those that stand in the word already.
std::vector<Candidate> words(const std::vector<std::string>& all, std::string written) {
  std::replace(written.begin(), written.end(), '=', ',');  // "--strategy=capacity,"
  written.insert(0, 1, ',');
  std::vector<Candidate> found;
  for (const auto& word : all) {
    if (written.find("," + word + ",") == std::string::npos) found.push_back({word, ""});
  }
  return found;
}

}  // namespace

std::vector<KnownService> known_from_status(const Status& status) {
  std::vector<KnownService> known;
  for (const auto& service : status.services) {
    const auto key = ipvs::service_key_from_string(service.service);
    if (!key) continue;
    KnownService made{*key, service.scheduler, {}};
    for (const auto& destination : service.destinations) {
      const auto its_key = ipvs::destination_key_from_string(destination.destination);
      if (!its_key) continue;
      made.destinations.push_back(
          {*its_key, destination.current ? weight_text(destination.server, *destination.current)
                                         : destination.server});
    }
    known.push_back(std::move(made));
  }
  return known;
}

std::vector<KnownService> known_from_table(const std::vector<ipvs::ServiceEntry>& table) {
  std::vector<KnownService> known;
  for (const auto& entry : table) {
    KnownService made{entry.service.key, entry.service.scheduler, {}};
    for (const auto& destination : entry.destinations)
      made.destinations.push_back({destination.key, weight_text("", destination.weight)});
    known.push_back(std::move(made));
  }
  return known;
}

std::optional<std::vector<Candidate>> candidates_for(const std::string& placeholder,
                                                     const cli::Completion& completion,
                                                     const std::vector<KnownService>& known) {
  if (placeholder == "SERVICE") return services(known);
  if (placeholder == "DESTINATION") return destinations(completion, known);
  if (placeholder == "HOST") return hosts(known);
  if (placeholder == "VIP:PORT") return services_after(completion.option, known);
  if (placeholder == "MARK") return marks(completion, known);
  if (placeholder == "STRATEGY") return words(clustersim::strategy_names(), completion.prefix);
  if (placeholder == "SCHEDULER") return words(clustersim::scheduler_names(), completion.prefix);
  if (placeholder == "WEIGHT") return std::vector<Candidate>{};
  return std::nullopt;
}

bool needs_table(const cli::Completion& completion) {
  return std::any_of(completion.wanted.begin(), completion.wanted.end(), [](const auto& name) {
    return std::find(of_the_table.begin(), of_the_table.end(), name) != of_the_table.end();
  });
}

}  // namespace lvs::monitorctl
