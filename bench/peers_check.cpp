// peers_check ADDRESS PORT - the smallest check for keepalived's misc_dynamic: asks a responder for
// the weight, "70%", and exits with 2 more than it; with 0, which changes nothing, where no answer
// comes.
// peers_check --spawn N - what starting such a check costs here: median milliseconds of N.
//
// Static, and without the C++ library's strings and streams: what is measured is the method, not a
// loader.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr int unchanged = 0;  // of keepalived's exit statuses
constexpr long largest_weight = 253;
constexpr std::size_t most_starts = 1000;

/// 0: no answer.
long weight_from(const char* address, const char* port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::strtoul(port, nullptr, 10)));
  if (inet_pton(AF_INET, address, &to.sin_addr) != 1) return 0;
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);  // of connect(), too
  if (connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return 0;
  std::array<char, 64> answer{};
  const auto got = recv(socket, answer.data(), answer.size() - 1, 0);
  return got > 0 ? std::strtol(answer.data(), nullptr, 10) : 0;
}

double milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Starts this program without an argument, which ends at once. By fork(), as keepalived does it.
/// -1: it cannot be started.
double start_ms(char* program) {
  std::array<char*, 2> arguments{program, nullptr};
  const double before = milliseconds_now();
  const pid_t child = fork();
  if (child == 0) {
    execv("/proc/self/exe", arguments.data());
    _exit(1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0 ? milliseconds_now() - before : -1;
}

int print_start_cost(char* program, const char* count_text) {
  const auto count = std::clamp<std::size_t>(std::strtoul(count_text, nullptr, 10), 1, most_starts);
  std::array<double, most_starts> samples{};
  for (std::size_t i = 0; i < count; ++i) {
    samples.at(i) = start_ms(program);
    if (samples.at(i) < 0) return 1;
  }
  std::sort(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(count));
  std::printf("%.4f\n", samples.at(count / 2));
  return 0;
}

}  // namespace

int main(int count, char** values) {
  if (count == 1) return 0;
  if (count != 3) return 1;
  if (std::strcmp(values[1], "--spawn") == 0) return print_start_cost(values[0], values[2]);
  const long weight = std::min(weight_from(values[1], values[2]), largest_weight);
  return weight > 0 ? static_cast<int>(weight) + 2 : unchanged;
}
