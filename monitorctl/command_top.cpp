#include <langinfo.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>

#include "monitorctl/commands.hpp"
#include "monitorctl/top_feed.hpp"
#include "monitorctl/top_layout.hpp"
#include "monitorctl/top_terminal.hpp"
#include "monitord/cycle_clock.hpp"
#include "strictyaml/number.hpp"

namespace lvs::monitorctl {
namespace {

/// Wider than every table: nothing is left out or cut.
constexpr std::size_t no_limit = 100'000;

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// Also tells ncurses what the terminal's bytes mean. Numbers stay as they are.
TopGlyphs glyphs_of_locale() {
  std::setlocale(LC_CTYPE, "");
  return std::string_view(::nl_langinfo(CODESET)) == "UTF-8" ? unicode_glyphs : ascii_glyphs;
}

/// https://no-color.org: set and not empty.
bool wants_colours() {
  const char* const value = std::getenv("NO_COLOR");
  return value == nullptr || *value == '\0';
}

/// What watch(1) says, or the terminal; a pipe is as wide as it has to be.
std::size_t listing_width() {
  if (const char* const value = std::getenv("COLUMNS")) {
    const auto columns = strictyaml::number_from_string<std::size_t>(value);
    if (columns && *columns > 0) return std::min(*columns, no_limit);
  }
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return no_limit;
}

Printed once(const TopOptions& options) {
  auto news = first_news(options);
  if (!news.status) {
    return failed_with(exit_status_of(news.status.error()), news.status.error().message);
  }
  TopMemory memory;
  const auto now = monitord::wall_time_now();
  take_news(memory, std::move(news), now);
  const TopView view{.sort = options.sort, .filter = options.filter};
  const auto groups = top_groups(memory, options.sort, options.filter);
  const TopFrame frame{memory, view, groups, host_name(), now, glyphs_of_locale()};
  std::string text;
  for (const auto& line : top_listing(frame, listing_width()))
    text += text_of(line) + "\n";
  return {text};
}

/// The signals that end the view or change its size, as something to wait for with the keys. They
/// are blocked for as long as it lives, so that none ends the program with the terminal taken.
class SignalFile {
 public:
  SignalFile() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT})
      ::sigaddset(&set, number);
    ::pthread_sigmask(SIG_BLOCK, &set, &before_);
    file_ = FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!file_.valid()) throw std::system_error(errno, std::generic_category(), "signalfd");
  }
  ~SignalFile() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalFile(const SignalFile&) = delete;
  SignalFile& operator=(const SignalFile&) = delete;

  [[nodiscard]] int descriptor() const { return file_.get(); }
  /// Empty: none.
  std::optional<int> take() {
    signalfd_siginfo info{};
    if (::read(file_.get(), &info, sizeof(info)) != sizeof(info)) return std::nullopt;
    return static_cast<int>(info.ssi_signo);
  }

 private:
  sigset_t before_{};
  FileDescriptor file_{};
};

/// The view while it lives: waits, and hands on what comes.
class Live {
 public:
  Live(const TopOptions& options, const TopGlyphs& glyphs, TopTerminal& terminal,
       SignalFile& signals, TopFeed& feed)
      : terminal_(terminal), signals_(signals), feed_(feed), glyphs_(glyphs) {
    view_.sort = options.sort;
    view_.filter = options.filter;
  }

  /// Until somebody quits. The signal that said so, or 0.
  int run() {
    draw();
    while (!view_.ended) {
      std::array<pollfd, 3> waiting{{{STDIN_FILENO, POLLIN, 0},
                                     {signals_.descriptor(), POLLIN, 0},
                                     {feed_.descriptor(), POLLIN, 0}}};
      if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;  // EINTR: back from Ctrl-Z
      if (waiting[1].revents != 0) take_signals();
      if (waiting[0].revents != 0) take_keys();
      if (waiting[2].revents != 0) take_news_in();
      // A terminal that has gone is always ready, and has no keys.
      if ((waiting[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) view_.ended = true;
      draw();
    }
    return signal_;
  }

 private:
  void take_signals() {
    while (const auto number = signals_.take()) {
      if (*number == SIGWINCH || *number == SIGCONT) {
        terminal_.resize();
      } else {
        signal_ = *number;
        view_.ended = true;
      }
    }
  }

  void take_keys() {
    for (auto key = terminal_.key(); key.kind != TopKey::Kind::none; key = terminal_.key()) {
      press(view_, key, groups_, body_height(terminal_.size()));
      arrange();
    }
  }

  void take_news_in() {
    for (auto& news : feed_.take()) {
      if (!view_.held) take_news(memory_, std::move(news), monitord::wall_time_now());
    }
  }

  [[nodiscard]] TopFrame frame() const {
    return {memory_, view_, groups_, host_, monitord::wall_time_now(), glyphs_};
  }

  /// What was chosen, brought together with what there is.
  void arrange() {
    const auto size = terminal_.size();
    groups_ = top_groups(memory_, view_.sort, view_.filter);
    settle(view_, groups_, body_height(size));
    settle_page(view_, page_length(frame(), size.columns), body_height(size));
  }

  void draw() {
    arrange();
    terminal_.draw(top_screen(frame(), terminal_.size()));
    if (view_.held) return feed_.want({});  // its answers would be dropped
    std::vector<TopName> on_screen;
    for (const auto& line : visible_lines(groups_, view_.first, body_height(terminal_.size()))) {
      if (line.row != nullptr) on_screen.push_back(name_of(*line.group, *line.row));
    }
    feed_.want(without_history(memory_, on_screen));
  }

  TopTerminal& terminal_;
  SignalFile& signals_;
  TopFeed& feed_;
  const TopGlyphs glyphs_;
  const std::string host_{host_name()};
  TopMemory memory_{};
  TopView view_{};
  std::vector<TopGroup> groups_{};  ///< refers to memory_
  int signal_{};
};

Printed live(const TopOptions& options) {
  const auto glyphs = glyphs_of_locale();  // before ncurses looks
  SignalFile signals;
  TopFeed feed(options);
  // Last in, first out: the terminal is given back before the feed's last question is waited for.
  const auto terminal = TopTerminal::open(wants_colours());
  if (!terminal) return failed_with(exit_status::failure, terminal.error());
  const int signal = Live(options, glyphs, **terminal, signals, feed).run();
  constexpr int by_signal = 128;  // as a shell says it
  return {.status = signal == 0 ? exit_status::ok : by_signal + signal};
}

}  // namespace

Printed run(const TopOptions& options) {
  const bool has_terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  return options.once || !has_terminal ? once(options) : live(options);
}

}  // namespace lvs::monitorctl
