#pragma once

// The director's side of a kernel test: the real monitord, what it says of itself, and what the
// kernel has. For tests made by lvs_loop_test(), which tells where the programs are.

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "ipvs/netlink_table.hpp"
#include "kernel/guest.hpp"
#include "kernel/process.hpp"
#include "plainfile/file_descriptor.hpp"

namespace lvs::guest {

inline Process start_monitord(const std::string& settings) {
  std::ofstream("/run/monitord.yaml") << settings;
  return Process({LVS_MONITORD, "--config", "/run/monitord.yaml"}, "/run/monitord.log");
}

/// Read here and not by a program: to start one costs a lab kernel more than all the rest.
inline std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string monitord_log() {
  return text_of("/run/monitord.log");
}

/// What monitord answers to a line on its control socket; empty while it cannot be reached.
inline std::string answer_to(const std::string& line) {
  constexpr std::string_view path = "/run/control.sock";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), std::begin(address.sun_path));
  FileDescriptor const socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  timeval const patience{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const void* const generic = &address;
  if (::connect(socket.get(), static_cast<const sockaddr*>(generic), sizeof address) != 0)
    return "";
  if (::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL) < 0) return "";
  std::string answer;
  std::array<char, 16384> some{};
  for (ssize_t got = 0; (got = ::recv(socket.get(), some.data(), some.size(), 0)) > 0;) {
    answer.append(some.data(), static_cast<std::size_t>(got));
    if (answer.ends_with('\n')) break;
  }
  return answer;
}

/// The status document, as `monitorctl status -o json` shows it; empty while there is none.
inline boost::json::object status() {
  boost::json::error_code failure;
  auto const answer = boost::json::parse(answer_to("{\"command\":\"status\"}\n"), failure);
  if (failure || !answer.at("ok").as_bool()) return {};
  return answer.at("result").as_object();
}

/// monitord's own numbers; all 0 while it cannot be reached.
inline std::uint64_t number(const char* name) {
  auto const now = status();
  if (!now.contains("monitord")) return 0;
  return now.at("monitord").at(name).to_number<std::uint64_t>();
}

inline std::uint64_t poll_count(const char* name) {
  auto const now = status();
  return now.empty() ? 0 : now.at("monitord").at("polls").at(name).to_number<std::uint64_t>();
}

/// What the last cycle says of a destination; empty when there is none.
inline boost::json::object destination(const std::string& name) {
  auto const now = status();
  if (now.empty()) return {};
  for (auto const& service : now.at("services").as_array()) {
    for (auto const& item : service.at("destinations").as_array()) {
      if (item.at("destination").as_string() == name) return item.as_object();
    }
  }
  return {};
}

inline boost::json::value field(const std::string& name, const char* key) {
  auto const item = destination(name);
  return item.contains(key) ? item.at(key) : boost::json::value();
}

inline std::string text_field(const std::string& destination, const char* key) {
  auto const value = field(destination, key);
  return value.is_string() ? std::string(value.as_string()) : "";
}

inline bool is_fresh(const std::string& destination) {
  return text_field(destination, "reading") == "fresh";
}

inline std::string outcome(const std::string& destination) {
  return text_field(destination, "outcome");
}

/// 0: not known, or no such destination.
inline std::uint32_t base(const std::string& destination) {
  auto const value = field(destination, "base");
  return value.is_null() ? 0 : value.to_number<std::uint32_t>();
}

inline bool within(std::chrono::seconds limit, const std::function<bool()>& holds) {
  auto const end = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return holds();
}

/// The number of monitord's cycle; waits for a monitord that has one.
inline std::uint64_t cycle_now() {
  std::uint64_t cycle = 0;
  bool const known =
      within(std::chrono::seconds(60), [&] { return (cycle = number("cycle")) > 0; });
  if (!known) throw std::runtime_error("monitord does not answer: " + monitord_log());
  return cycle;
}

inline bool cycles_pass(std::uint64_t count) {
  auto const until = cycle_now() + count;
  return within(std::chrono::seconds(60), [&] { return number("cycle") >= until; });
}

/// The kernel's table, read past monitord. A busy host may keep a lab kernel waiting for seconds.
inline std::vector<ipvs::ServiceEntry> table() {
  ipvs::NetlinkTable kernel(std::chrono::seconds(30));
  auto services = kernel.services();
  if (!services) throw std::runtime_error(services.error().message);
  return *std::move(services);
}

/// "SERVICE DESTINATION" -> weight, over all services, as the kernel has them.
inline std::multimap<std::string, std::uint32_t> weights() {
  std::multimap<std::string, std::uint32_t> result;
  for (auto const& entry : table()) {
    for (auto const& destination : entry.destinations) {
      result.emplace(ipvs::string_from_service_key(entry.service.key) + " " +
                         ipvs::string_from_destination_key(destination.key),
                     destination.weight);
    }
  }
  return result;
}

/// In the service that most tests have; nothing where the destination is not in the table.
inline std::optional<std::uint32_t> weight_if_there(const std::string& server) {
  auto const all = weights();
  auto const found = all.find("tcp 10.9.9.9:80 " + server);
  if (found == all.end()) return std::nullopt;
  return found->second;
}

inline std::uint32_t weight(const std::string& server) {
  auto const found = weight_if_there(server);
  if (!found) throw std::runtime_error("no destination " + server);
  return *found;
}

}  // namespace lvs::guest
