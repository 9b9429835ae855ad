#include "ipvs/netlink_table.hpp"

#include <linux/ip_vs.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "ipvs/codec.hpp"
#include "ipvs/error.hpp"
#include "ipvs/netlink_socket.hpp"

namespace lvs::ipvs {
namespace {

/// How often one read is tried when the kernel says that a dump was disturbed or answers were lost.
/// The last disturbed dump is used as it is: duplicates are dropped, and no caller takes one
/// absence for a removal.
constexpr int read_attempts = 4;

const ServiceKey& key_of(const Service& service) {
  return service.key;
}
const DestinationKey& key_of(const Destination& destination) {
  return destination.key;
}

/// Dumps resume by position: an entry added meanwhile makes another one come twice.
template <typename Value>
void drop_duplicates(std::vector<Value>& values) {
  std::set<std::decay_t<decltype(key_of(values.front()))>> seen;
  std::erase_if(values, [&](const Value& each) { return !seen.insert(key_of(each)).second; });
}

bool refused_with(const Conversation::Failure& failure, int error_number) {
  return failure.source == Conversation::Failure::Source::kernel &&
         failure.error_number == error_number;
}

Error error_from_failure(const Conversation::Failure& failure, std::string_view action,
                         const std::function<Error(int)>& refusal) {
  using Source = Conversation::Failure::Source;
  switch (failure.source) {
    case Source::kernel:
      return refusal(failure.error_number);
    case Source::malformed:
      return malformed_error("malformed netlink answer: " + failure.detail);
    case Source::unsent:
      // To error_from_errno() ENOBUFS is a lost answer: here not even the question went out.
      if (failure.error_number != ENOBUFS) break;
      return {ErrorKind::refused, ENOBUFS, std::string(action) + " failed: no memory to send it"};
    case Source::transport:
      break;
  }
  return error_from_errno(failure.error_number, action);
}

using Answer = tl::expected<void, Conversation::Failure>;

bool is_not_found(const Answer& answer) {
  return !answer && refused_with(answer.error(), ENOENT);
}

tl::expected<void, Error> written_or_error(const Answer& answer, const ServiceKey& service,
                                           const DestinationKey& destination, bool reloaded) {
  if (answer) return {};
  if (reloaded && is_not_found(answer)) return tl::unexpected(no_such_service_error(service));
  auto error = error_from_failure(
      answer.error(), "writing a weight in " + string_from_service_key(service),
      [&](int error_number) { return write_error_from_errno(error_number, service, destination); });
  error.perhaps_done = answer.error().perhaps_done();
  return tl::unexpected(std::move(error));
}

}  // namespace

NetlinkTable::NetlinkTable(std::chrono::milliseconds time_limit)
    : NetlinkTable(std::make_unique<NetlinkSocket>(), time_limit) {}

NetlinkTable::NetlinkTable(std::unique_ptr<Transport> transport,
                           std::chrono::milliseconds time_limit)
    : conversation_(std::move(transport)), time_limit_(time_limit) {}

tl::expected<NetlinkTable::Finished, NetlinkTable::Failure> NetlinkTable::send(
    const Request& request, Clock::time_point deadline, const OnEntry& on_entry) {
  ++counters_.requests;
  auto finished = conversation_.ask(request, deadline, on_entry);
  if (!finished) ++counters_.failures;
  return finished;
}

std::vector<tl::expected<void, NetlinkTable::Failure>> NetlinkTable::order_writes(
    std::span<const Request> requests, Clock::time_point deadline) {
  counters_.requests += requests.size();
  counters_.set_destination += requests.size();
  auto answers = conversation_.order(requests, deadline);
  counters_.failures += static_cast<std::uint64_t>(
      std::ranges::count_if(answers, [](const Answer& answer) { return !answer; }));
  return answers;
}

/// Not genl_ctrl_resolve: it answers "not found" for every failure.
tl::expected<std::uint16_t, Error> NetlinkTable::family(Clock::time_point deadline) {
  if (family_) return *family_;
  std::optional<std::uint16_t> resolved;
  const auto finished = send(family_request(IPVS_GENL_NAME), deadline, [&](const Message& message) {
    resolved = family_id_from_message(message.attributes);
  });
  if (!finished) {
    constexpr std::string_view action = "asking the kernel for IPVS";
    return tl::unexpected(error_from_failure(finished.error(), action, [&](int error_number) {
      return error_number == ENOENT ? no_ipvs_error() : error_from_errno(error_number, action);
    }));
  }
  if (!resolved) return tl::unexpected(malformed_error("the kernel named IPVS without its id"));
  family_ = resolved;
  return *resolved;
}

/// ENOENT to SET_DEST may be an absent destination or a reloaded module; GET_INFO tells.
bool NetlinkTable::family_is_stale(Clock::time_point deadline) {
  if (!family_) return true;
  const auto finished =
      send({.family = *family_, .command = IPVS_CMD_GET_INFO}, deadline, [](const Message&) {});
  return !finished && refused_with(finished.error(), ENOENT);
}

/// ENOENT to a read can only mean a family id from before a reload of ip_vs.
tl::expected<NetlinkTable::Finished, Error> NetlinkTable::read(const Query& query,
                                                               Clock::time_point deadline,
                                                               const OnEntry& on_entry) {
  for (bool resolved_again = false;;) {
    const auto id = family(deadline);
    if (!id) return tl::unexpected(id.error());
    const auto finished =
        send({*id, query.command, query.shape, query.attributes}, deadline, on_entry);
    if (finished) return *finished;
    if (!resolved_again && refused_with(finished.error(), ENOENT)) {
      resolved_again = true;
      family_.reset();
      continue;
    }
    return tl::unexpected(
        error_from_failure(finished.error(), "reading the IPVS table", query.refusal));
  }
}

template <typename Value, typename Decode>
tl::expected<NetlinkTable::Dump<Value>, Error> NetlinkTable::read_all(const Query& query,
                                                                      Clock::time_point deadline,
                                                                      Decode decode) {
  for (int attempt = 1;; ++attempt) {
    Dump<Value> dump{};
    std::optional<Error> undecodable;
    const auto finished = read(query, deadline, [&](const Message& message) {
      auto value = decode(message.attributes);
      if (value) {
        dump.values.push_back(*std::move(value));
      } else if (!undecodable) {
        undecodable = std::move(value).error();  // read on: the rest must be taken off the socket
      }
    });
    const bool again = attempt < read_attempts;
    if (!finished) {
      if (again && finished.error().error_number == ENOBUFS) continue;
      return tl::unexpected(finished.error());
    }
    if (finished->interrupted) {
      ++counters_.interrupted_dumps;
      if (again) continue;
    }
    if (undecodable) return tl::unexpected(*undecodable);
    drop_duplicates(dump.values);
    dump.pieces = finished->pieces;
    return dump;
  }
}

tl::expected<Service, Error> NetlinkTable::read_service(const ServiceKey& key,
                                                        Clock::time_point deadline) {
  const Query query{IPVS_CMD_GET_SERVICE, Request::Shape::single, service_request(key),
                    [&](int error_number) { return read_error_from_errno(error_number, key); }};
  auto services = read_all<Service>(query, deadline, service_from_message);
  if (!services) return tl::unexpected(services.error());
  if (services->values.size() != 1 || services->values.front().key != key) {
    return tl::unexpected(
        malformed_error("the kernel answered with " + std::to_string(services->values.size()) +
                        " services when asked for " + string_from_service_key(key)));
  }
  return std::move(services->values.front());
}

tl::expected<NetlinkTable::Dump<Destination>, Error> NetlinkTable::read_destinations(
    const ServiceKey& key, Clock::time_point deadline) {
  const Query query{IPVS_CMD_GET_DEST, Request::Shape::dump, service_request(key),
                    [&](int error_number) { return read_error_from_errno(error_number, key); }};
  return read_all<Destination>(query, deadline, [&](ByteView attributes) {
    return destination_from_message(attributes, key.family);
  });
}

tl::expected<NetlinkTable::Dump<Service>, Error> NetlinkTable::read_services(
    Clock::time_point deadline) {
  const Query query{IPVS_CMD_GET_SERVICE, Request::Shape::dump, {}, [](int error_number) {
                      return error_from_errno(error_number, "reading the services");
                    }};
  return read_all<Service>(query, deadline, service_from_message);
}

/// A dump of an unknown service is empty and successful, and one whose service is deleted half-way
/// just ends. In one piece it cannot have been cut; whether the others are whole another dump of
/// the services tells, or GET_SERVICE where that one lacks them too: it is no snapshot either.
tl::expected<void, Error> NetlinkTable::drop_deleted(std::vector<ServiceEntry>& entries,
                                                     std::set<ServiceKey> uncertain,
                                                     Clock::time_point deadline) {
  constexpr std::size_t worth_a_dump = 3;
  if (uncertain.size() >= worth_a_dump) {
    const auto again = read_services(deadline);
    if (!again) return tl::unexpected(again.error());
    for (const auto& service : again->values)
      uncertain.erase(service.key);
  }
  for (const auto& key : uncertain) {
    const auto alive = read_service(key, deadline);
    if (alive) continue;
    if (alive.error().kind != ErrorKind::no_such_service) return tl::unexpected(alive.error());
    std::erase_if(entries, [&](const ServiceEntry& entry) { return entry.service.key == key; });
  }
  return {};
}

tl::expected<std::vector<ServiceEntry>, Error> NetlinkTable::services() {
  const auto deadline = Clock::now() + time_limit_;
  auto services = read_services(deadline);
  if (!services) return tl::unexpected(services.error());

  std::vector<ServiceEntry> entries;
  entries.reserve(services->values.size());
  std::set<ServiceKey> uncertain;
  for (auto& service : services->values) {
    auto destinations = read_destinations(service.key, deadline);
    if (!destinations) {
      if (destinations.error().kind == ErrorKind::no_such_service) continue;
      return tl::unexpected(destinations.error());
    }
    if (destinations->pieces != 1) uncertain.insert(service.key);
    entries.push_back({std::move(service), std::move(destinations->values)});
  }
  const auto dropped = drop_deleted(entries, std::move(uncertain), deadline);
  if (!dropped) return tl::unexpected(dropped.error());
  return entries;
}

/// Destinations first: a service that is still there afterwards was there all the time.
tl::expected<ServiceEntry, Error> NetlinkTable::service(const ServiceKey& key) {
  if (key.is_pool()) return tl::unexpected(no_such_service_error(key));
  const auto deadline = Clock::now() + time_limit_;
  auto destinations = read_destinations(key, deadline);
  if (!destinations) return tl::unexpected(destinations.error());
  auto service = read_service(key, deadline);
  if (!service) return tl::unexpected(service.error());
  return ServiceEntry{*std::move(service), std::move(destinations->values)};
}

/// Sent once, whatever happens: after a lost answer only a new reading can tell what was done, and
/// after a reload of ip_vs `as_read` describes a destination that no longer exists.
std::vector<tl::expected<void, Error>> NetlinkTable::set_weights(
    const ServiceKey& key, std::span<const WeightWrite> writes) {
  assert(writes.size() <= batch_limit);
  if (writes.empty()) return {};
  const auto deadline = Clock::now() + time_limit_;
  using Result = tl::expected<void, Error>;
  if (key.is_pool()) {
    return std::vector<Result>(writes.size(), tl::unexpected(no_such_service_error(key)));
  }
  const auto id = family(deadline);
  if (!id) return std::vector<Result>(writes.size(), tl::unexpected(id.error()));

  std::vector<Result> results(writes.size());
  std::vector<Request> requests;
  std::vector<std::size_t> positions;  // of each request among the writes
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto& [as_read, weight] = writes[i];
    const auto raw = raw_with_weight(as_read.raw, weight, as_read.key.address.family);
    if (!raw) {
      results[i] = tl::unexpected(raw.error());
      continue;
    }
    requests.push_back(
        {*id, IPVS_CMD_SET_DEST, Request::Shape::single, set_destination_request(key, *raw)});
    positions.push_back(i);
  }

  const auto answers = order_writes(requests, deadline);
  const bool reloaded = std::ranges::any_of(answers, is_not_found) && family_is_stale(deadline);
  if (reloaded) family_.reset();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    auto const& destination = writes[positions[i]].as_read.key;
    results[positions[i]] = written_or_error(answers[i], key, destination, reloaded);
  }
  return results;
}

tl::expected<KernelInfo, Error> NetlinkTable::info() {
  const auto deadline = Clock::now() + time_limit_;
  const Query query{IPVS_CMD_GET_INFO, Request::Shape::single, {}, [](int error_number) {
                      return error_from_errno(error_number, "reading the IPVS version");
                    }};
  tl::expected<KernelInfo, Error> info =
      tl::unexpected(malformed_error("the kernel did not answer with its IPVS version"));
  const auto finished = read(query, deadline, [&](const Message& message) {
    info = kernel_info_from_message(message.attributes);
  });
  if (!finished) return tl::unexpected(finished.error());
  return info;
}

}  // namespace lvs::ipvs
