// peers_reaction CONTROL BUSY SECONDS ipvs SERVICE DESTINATION
// peers_reaction CONTROL BUSY SECONDS haproxy SOCKET BACKEND/SERVER
//
// How long a balancer takes to act on a load step: tells CONTROL (ADDRESS:PORT of peers_load) the
// busy percent BUSY, and watches the weight for SECONDS from the instant before it did so. Prints
// one JSON object: first_s until the weight changed (null: never), settled_s until it was within a
// tenth of the last one, the weights before and at the end, and how often it changed.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ipvs/netlink_table.hpp"
#include "plainfile/file_descriptor.hpp"

namespace {

namespace ipvs = lvs::ipvs;
using lvs::FileDescriptor;
using Clock = std::chrono::steady_clock;
using Weight = std::function<long()>;

constexpr auto pause = std::chrono::milliseconds(20);
constexpr double near_the_last = 0.1;

struct Seen {
  double at_s{};
  long weight{};
};

/// One question on a connection of its own, and the answer as far as it is in one piece.
std::string answer_of(const FileDescriptor& socket, const std::string& question) {
  if (send(socket.get(), question.data(), question.size(), MSG_NOSIGNAL) < 0) {
    throw std::runtime_error("cannot ask " + question);
  }
  std::array<char, 512> answer{};
  const auto got = recv(socket.get(), answer.data(), answer.size(), 0);
  return {answer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

void set_load(const std::string& control, const std::string& busy) {
  const auto key = ipvs::destination_key_from_string(control);
  if (!key) throw std::runtime_error(control + " is no ADDRESS:PORT");
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(key->port);
  std::copy_n(key->address.bytes.begin(), sizeof to.sin_addr,
              reinterpret_cast<std::uint8_t*>(&to.sin_addr));
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 ||
      answer_of(socket, busy + "\n") != "ok\n") {
    throw std::runtime_error("peers_load does not answer at " + control);
  }
}

/// Of the kernel's table.
Weight kernel_weight(const std::string& service_name, const std::string& destination_name) {
  const auto service = ipvs::service_key_from_string(service_name);
  const auto destination = ipvs::destination_key_from_string(destination_name);
  if (!service || !destination) throw std::runtime_error("no such names: " + service_name);
  const auto table = std::make_shared<ipvs::NetlinkTable>(std::chrono::seconds(10));
  return [table, service, destination] {
    const auto entry = table->service(*service);
    if (!entry) throw std::runtime_error(entry.error().message);
    const auto found =
        std::ranges::find(entry->destinations, *destination, &ipvs::Destination::key);
    if (found == entry->destinations.end()) throw std::runtime_error("no such destination");
    return static_cast<long>(found->weight);
  };
}

/// "37 (initial 100)" to "get weight".
Weight haproxy_weight(const std::string& path, const std::string& server) {
  return [path, server] {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    path.copy(std::begin(to.sun_path), sizeof to.sun_path - 1);
    const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
      throw std::runtime_error("HAProxy does not answer at " + path);
    }
    return std::strtol(answer_of(socket, "get weight " + server + "\n").c_str(), nullptr, 10);
  };
}

/// The weight at the beginning, and every other one after it.
std::vector<Seen> watched(const Weight& weight, double seconds, const std::function<void()>& step) {
  std::vector<Seen> seen{{0, weight()}};
  const auto begin = Clock::now();
  step();
  while (true) {
    const long now = weight();
    const std::chrono::duration<double> passed = Clock::now() - begin;
    if (now != seen.back().weight) seen.push_back({passed.count(), now});
    if (passed.count() >= seconds) return seen;
    std::this_thread::sleep_for(pause);
  }
}

double settled_s(const std::vector<Seen>& seen) {
  const auto last = static_cast<double>(seen.back().weight);
  const auto far_away = std::find_if(seen.rbegin(), seen.rend(), [&](const Seen& each) {
    return std::abs(static_cast<double>(each.weight) - last) > near_the_last * last;
  });
  return far_away == seen.rbegin() || far_away == seen.rend() ? seen.front().at_s
                                                              : std::prev(far_away)->at_s;
}

std::string json_from(const std::vector<Seen>& seen) {
  const bool changed = seen.size() > 1;
  return fmt::format(R"({{"first_s":{},"settled_s":{},"from":{},"to":{},"changes":{}}})",
                     changed ? fmt::format("{:.3f}", seen[1].at_s) : "null",
                     changed ? fmt::format("{:.3f}", settled_s(seen)) : "null", seen.front().weight,
                     seen.back().weight, seen.size() - 1);
}

int run(const std::vector<std::string>& words) {
  constexpr std::size_t wanted = 6;
  if (words.size() != wanted || (words[3] != "ipvs" && words[3] != "haproxy")) {
    std::fputs("usage: peers_reaction CONTROL BUSY SECONDS ipvs|haproxy WHERE WHO\n", stderr);
    return 2;
  }
  const auto weight =
      words[3] == "ipvs" ? kernel_weight(words[4], words[5]) : haproxy_weight(words[4], words[5]);
  const auto seen = watched(weight, std::stod(words[2]), [&] { set_load(words[0], words[1]); });
  std::puts(json_from(seen).c_str());
  return 0;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run({values + 1, values + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peers_reaction: %s\n", error.what());
    return 1;
  }
}
