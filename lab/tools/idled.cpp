// idled PORT - tells whoever connects how much of this machine's CPU is idle, "70%": what a check
// of keepalived's misc_dynamic asks for. A mean since the last answer, of half a second at least; 1
// at the least, because a weight of 0 would mean something else.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

struct Ticks {
  std::uint64_t all{}, idle{};
};

/// Of all CPUs, since boot.
std::optional<Ticks> ticks_now() {
  std::FILE* const file = std::fopen("/proc/stat", "re");
  if (file == nullptr) return std::nullopt;
  std::array<char, 256> line{};
  bool const is_read = std::fgets(line.data(), line.size(), file) != nullptr;
  std::fclose(file);
  constexpr std::size_t label = 3;  // "cpu"
  if (!is_read) return std::nullopt;
  Ticks ticks;
  char* at = line.data() + label;
  constexpr int fields = 8, idle = 3, iowait = 4;  // user nice system idle iowait irq softirq steal
  for (int field = 0; field < fields; ++field) {
    auto const value = std::strtoull(at, &at, 10);
    ticks.all += value;
    if (field == idle || field == iowait) ticks.idle += value;
  }
  return ticks;
}

class Meter {
 public:
  unsigned idle_percent() {
    auto const now = ticks_now();
    if (!now || Clock::now() - since_ < shortest || now->all <= before_.all) return percent_;
    auto const passed = now->all - before_.all;
    auto const idle = std::min(passed, now->idle - std::min(now->idle, before_.idle));
    percent_ = std::max(1U, static_cast<unsigned>((100 * idle + passed / 2) / passed));
    before_ = *now;
    since_ = Clock::now();
    return percent_;
  }

 private:
  static constexpr std::chrono::milliseconds shortest{500};

  Ticks before_{ticks_now().value_or(Ticks{})};
  Clock::time_point since_{Clock::now()};
  unsigned percent_{100};
};

/// -1: the port cannot be had.
int listen_on(std::uint16_t port) {
  int const fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int const one = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_port = htons(port);
  constexpr int backlog = 16;
  bool const listens = bind(fd, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0 &&
                       listen(fd, backlog) == 0;
  return listens ? fd : -1;
}

}  // namespace

int main(int argc, char** argv) {
  auto const port = argc == 2 ? std::strtoul(argv[1], nullptr, 10) : 0;
  if (port == 0 || port > UINT16_MAX) {
    std::fputs("usage: idled PORT\n", stderr);
    return 2;
  }
  int const listener = listen_on(static_cast<std::uint16_t>(port));
  if (listener < 0) {
    std::perror("idled");
    return 1;
  }
  Meter meter;
  for (;;) {
    int const connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    std::string const answer = std::to_string(meter.idle_percent()) + "%\n";
    (void)send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
    close(connection);
  }
}
