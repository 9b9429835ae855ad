// loadgen - HTTP load, open or closed loop; prints one JSON object.

#include <arpa/inet.h>
#include <getopt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load_client.hpp"
#include "load_result.hpp"

namespace {

using namespace lvs::lab;

constexpr const char* usage =
    "usage: loadgen --target ADDRESS:PORT --seconds S (--rate R | --clients N)\n"
    "               [--requests N [--think S]] [--seed N] [--windows FROM-TO,...]\n"
    "\n"
    "  --rate R      open loop: R new connections a second at Poisson instants, whatever the\n"
    "                servers do; latency counts from the planned instant\n"
    "  --clients N   closed loop: N connections always open\n"
    "  --requests N  per connection (HTTP/1.1 keep-alive when more than 1)          [1]\n"
    "  --think S     mean pause between them, in which the connection is idle       [0]\n"
    "  --seed N      of the instants; equal seeds give equal instants      [1]\n"
    "  --windows     parts of the run to report, in seconds                [all of it]\n"
    "\n"
    "A request fails that has no complete answer within 10 s.\n"
    "Example: loadgen --target 10.1.0.100:80 --rate 150 --seconds 40 --windows 0-10,20-40\n";

struct Options {
  std::optional<sockaddr_in> target{};
  Load load{};
  std::vector<Window> windows{};
};

template <typename Number>
bool parse(std::string_view text, Number& number) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

std::optional<sockaddr_in> target_from_text(const std::string& text) {
  auto const colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::uint16_t port = 0;
  sockaddr_in target{};
  target.sin_family = AF_INET;
  if (!parse(std::string_view(text).substr(colon + 1), port)) return std::nullopt;
  if (inet_pton(AF_INET, text.substr(0, colon).c_str(), &target.sin_addr) != 1) return std::nullopt;
  target.sin_port = htons(port);
  return target;
}

bool take(Options& options, int option, const std::string& value) {
  switch (option) {
    case 't':
      options.target = target_from_text(value);
      return options.target.has_value();
    case 'r':
      return parse(value, options.load.rate) && options.load.rate > 0;
    case 'c':
      return parse(value, options.load.clients) && options.load.clients > 0;
    case 's':
      return parse(value, options.load.seconds) && options.load.seconds > 0;
    case 'q':
      return parse(value, options.load.requests) && options.load.requests > 0;
    case 'k':
      return parse(value, options.load.think) && options.load.think >= 0;
    case 'n':
      return parse(value, options.load.seed);
    case 'w': {
      auto windows = windows_from_text(value);
      if (windows) options.windows = std::move(*windows);
      return windows.has_value();
    }
    default:
      return false;
  }
}

std::optional<Options> options_from_arguments(int argc, char** argv) {
  constexpr std::array<option, 9> long_options{{{"target", required_argument, nullptr, 't'},
                                                {"rate", required_argument, nullptr, 'r'},
                                                {"clients", required_argument, nullptr, 'c'},
                                                {"seconds", required_argument, nullptr, 's'},
                                                {"requests", required_argument, nullptr, 'q'},
                                                {"think", required_argument, nullptr, 'k'},
                                                {"seed", required_argument, nullptr, 'n'},
                                                {"windows", required_argument, nullptr, 'w'},
                                                {nullptr, 0, nullptr, 0}}};
  Options options;
  for (int found = 0; (found = getopt_long(argc, argv, "", long_options.data(), nullptr)) != -1;) {
    if (!take(options, found, optarg == nullptr ? "" : optarg)) return std::nullopt;
  }
  bool const one_loop = (options.load.rate > 0) != (options.load.clients > 0);
  if (!options.target || !one_loop || options.load.seconds <= 0 || optind != argc) {
    return std::nullopt;
  }
  if (options.windows.empty()) options.windows.push_back({0, options.load.seconds});
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  auto const options = options_from_arguments(argc, argv);
  if (!options) {
    std::fputs(usage, stderr);
    return 2;
  }
  LoadClient client(*options->target, options->load);
  client.run();

  RunResult result{.sent = client.outcomes().size(),
                   .peak_open = client.peak_open(),
                   .start_lag_ms = 1e3 * client.start_lag()};
  for (auto const& window : options->windows) {
    result.windows.push_back(result_of_window(client.outcomes(), window));
  }
  std::puts(json_from_result(result).c_str());
}
