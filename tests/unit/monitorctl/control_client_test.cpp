// A real Unix socket, and a daemon that answers as the test wants.

#include "monitorctl/control_client.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <boost/json/parse.hpp>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "monitorctl/commands.hpp"
#include "monitord/report.hpp"
#include "plainfile/file_descriptor.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::destination_key;
using lvs::monitorctl::testing::service_key;
using lvs::monitorctl::testing::write_text;
using lvs::testing::ScratchFolder;

namespace {

lvs::FileDescriptor listening(const std::string& path) {
  lvs::FileDescriptor listener{::socket(AF_UNIX, SOCK_STREAM, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  const auto* const generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  REQUIRE(::bind(listener.get(), generic, sizeof(address)) == 0);
  REQUIRE(::listen(listener.get(), 1) == 0);
  return listener;
}

/// Takes one connection, remembers the question and sends the answer.
class OneAnswer {
 public:
  OneAnswer(const std::string& path, std::string answer)
      : listener_(listening(path)), answer_(std::move(answer)) {
    thread_ = std::thread([this] { serve(); });
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;
  ~OneAnswer() {
    if (thread_.joinable()) thread_.join();
  }
  /// Only after the answer was taken.
  std::string question() {
    thread_.join();
    return question_;
  }

 private:
  void serve() {
    const lvs::FileDescriptor client{::accept(listener_.get(), nullptr, nullptr)};
    std::array<char, 4096> part{};
    while (question_.empty() || question_.back() != '\n') {
      const auto count = ::recv(client.get(), part.data(), part.size(), 0);
      if (count <= 0) return;
      question_.append(part.data(), static_cast<std::size_t>(count));
    }
    ::send(client.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL);
  }

  lvs::FileDescriptor listener_;
  std::string answer_;
  std::string question_{};
  std::thread thread_{};
};

const std::string status_answer =
    R"({"ok":true,"result":{"monitord":{"version":"0.1.0","cycle":3,"dry_run":false},"services":)"
    R"([{"service":"tcp 10.9.9.9:80","scheduler":"wrr","destinations":[{"destination":)"
    R"("10.0.0.11:80","outcome":"unchanged","future_key":1}]}]}})"
    "\n";

}  // namespace

TEST_CASE("control client: why the daemon is not reachable is told apart") {
  const ScratchFolder directory;
  const auto why = [](const std::string& path) {
    const auto answer = ask_daemon(path, "status");
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.error().unreachable);
    return answer.error().message;
  };
  CHECK(why(directory.file("none.sock")).find("no such file: is it running?") != std::string::npos);
  write_text(directory.file("file"), "");
  CHECK(why(directory.file("file")).find("this is no socket") != std::string::npos);
  CHECK(why(std::string(200, 'x')).find("longer than 107 bytes") != std::string::npos);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto stale = directory.file("stale.sock");
  stale.copy(address.sun_path, stale.size());
  const auto* const generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  const lvs::FileDescriptor never_listens{::socket(AF_UNIX, SOCK_STREAM, 0)};
  REQUIRE(::bind(never_listens.get(), generic, sizeof(address)) == 0);
  CHECK(why(stale).find("nobody listens on this socket") != std::string::npos);
}

TEST_CASE("control client: without the right to connect the group is named") {
  CHECK(why_not_connected("/run/monitord/control.sock", EACCES).find("the group monitord") !=
        std::string::npos);
  CHECK(why_not_connected("/run/monitord/control.sock", ENOTDIR) == "Not a directory");
}

TEST_CASE("control client: a daemon that says nothing is left after the deadline") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  const auto listener = listening(path);
  const auto result = ask_daemon(path, "status", std::chrono::milliseconds(20));
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().unreachable);
  CHECK(result.error().message == "monitord did not answer in time");
}

TEST_CASE("control client: whom monitord turns away without taking the question is told why") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  const auto listener = listening(path);
  std::thread monitord([&] {
    const lvs::FileDescriptor client{::accept(listener.get(), nullptr, nullptr)};
    constexpr std::string_view answer = R"({"ok":false,"error":"too many visits","hint":"later"})"
                                        "\n";
    ::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
  });
  // More than the socket's buffers hold: the question is still being sent when the socket closes.
  const boost::json::object question{{"command", "state_import"},
                                     {"journal", std::string(std::size_t{8} << 20U, 'x')}};
  const auto result = ask_daemon(path, question);
  monitord.join();
  REQUIRE_FALSE(result.has_value());
  CHECK_FALSE(result.error().unreachable);
  CHECK(result.error().message.find("too many visits") != std::string::npos);
}

TEST_CASE("control client: an answer that breaks off is not understood") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  const OneAnswer daemon(path, R"({"ok":tr)");
  const auto result = ask_daemon(path, "status");
  REQUIRE_FALSE(result.has_value());
  CHECK_FALSE(result.error().unreachable);
}

TEST_CASE("control client: one line asks and one document answers") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  OneAnswer daemon(path, "{\"ok\":true,\"result\":7}\n");
  const auto result = ask_daemon(path, "version");
  REQUIRE(result.has_value());
  CHECK(*result == 7);
  CHECK(daemon.question() == "{\"command\":\"version\"}\n");
}

TEST_CASE("commands: reload shows the daemon's refusal") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  {
    const OneAnswer daemon(path, R"({"ok":false,"error":"monitord.yaml:1:1: bad","hint":null})"
                                 "\n");
    CHECK(run(ReloadOptions{path}) ==
          Printed{"", "monitorctl: monitord.yaml:1:1: bad\n", exit_status::failure});
  }
}

TEST_CASE("commands: reload shows what is another one") {
  const std::string done = "monitord reloaded its configuration\n";
  std::string result, printed;
  std::tie(result, printed) = GENERATE_COPY(table<std::string, std::string>({
      {"{}", done},
      {R"({"changes":[]})", done + "  no setting is another one\n"},
      {R"({"changes":["hold_polls: 3 -> 5","server 10.0.0.1: added"]})",
       done + "  hold_polls: 3 -> 5\n  server 10.0.0.1: added\n"},
  }));
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  const OneAnswer daemon(path, R"({"ok":true,"result":)" + result + "}\n");
  CHECK(run(ReloadOptions{path}) == Printed{printed});
}

TEST_CASE("commands: explain finds its destination or says what there is") {
  const auto explained = [](const std::string& destination, OutputFormat output) {
    const ScratchFolder directory;
    const auto path = directory.file("control.sock");
    const OneAnswer daemon(path, status_answer);
    ExplainOptions options;
    options.service = service_key("tcp:10.9.9.9:80");
    options.destination = destination_key(destination);
    options.output = output;
    options.socket = path;
    return run(options);
  };
  const auto text = explained("10.0.0.11:80", OutputFormat::text);
  CHECK(text.status == exit_status::ok);
  CHECK(text.out.find("tcp 10.9.9.9:80 -> 10.0.0.11:80 (") == 0);
  const auto document = boost::json::parse(explained("10.0.0.11:80", OutputFormat::json).out);
  CHECK(document.at("future_key") == 1);
  CHECK(document.at("service") == "tcp 10.9.9.9:80");
  const auto unknown = explained("10.0.0.12:80", OutputFormat::text);
  CHECK(unknown.status == exit_status::failure);
  CHECK(unknown.err.find("it knows:\n  10.0.0.11:80\n") != std::string::npos);
}

TEST_CASE("commands: explain finds the service of a destination, or the ones to choose from") {
  const auto explained = [](const std::string& destination) {
    const ScratchFolder directory;
    const auto path = directory.file("control.sock");
    const OneAnswer daemon(
        path, R"({"ok":true,"result":{"monitord":{},"services":[)"
              R"({"service":"tcp 10.9.9.9:80","destinations":[{"destination":"10.0.0.11:80"},)"
              R"({"destination":"10.0.0.12:80"}]},{"service":"fwm 7","destinations":[)"
              R"({"destination":"10.0.0.11:80"}]}]}})"
              "\n");
    return run(ExplainOptions{.destination = destination_key(destination), .socket = path});
  };
  CHECK(explained("10.0.0.12:80").out.find("tcp 10.9.9.9:80 -> 10.0.0.12:80 (") == 0);
  CHECK(explained("10.0.0.11:80") ==
        Printed{"",
                "monitorctl: 10.0.0.11:80 is in 2 services; name one of them:\n"
                "  monitorctl explain tcp:10.9.9.9:80 10.0.0.11:80\n"
                "  monitorctl explain fwm:7 10.0.0.11:80\n",
                exit_status::usage});
  const auto unknown = explained("10.0.0.13:80");
  CHECK(unknown.status == exit_status::failure);
  CHECK(unknown.err.find("no destination 10.0.0.13:80; it knows:\n"
                         "  tcp:10.9.9.9:80 10.0.0.11:80\n") != std::string::npos);
}

TEST_CASE("commands: status as text and as the daemon's own document") {
  const auto status = [](OutputFormat output) {
    const ScratchFolder directory;
    const auto path = directory.file("control.sock");
    const OneAnswer daemon(path, status_answer);
    return run(StatusOptions{output, path}).out;
  };
  CHECK(status(OutputFormat::text).find("outcomes   unchanged 1\n") != std::string::npos);
  CHECK(boost::json::parse(status(OutputFormat::json)) ==
        boost::json::parse(status_answer).at("result"));
}

TEST_CASE("commands: an order is asked as it was given and answered as the daemon says") {
  const auto key = service_key("tcp:10.9.9.9:80");
  const auto destination = destination_key("10.0.0.11:80");
  const auto [options, question] = GENERATE_COPY(table<OrderOptions, std::string>({
      {{.command = "pause"}, R"({"command":"pause"})"},
      {{.command = "restore", .service = key},
       R"({"command":"restore","service":"tcp 10.9.9.9:80"})"},
      {{.command = "pin",
        .service = key,
        .destination = destination,
        .weight = 5,
        .lasting = std::chrono::minutes(2)},
       R"({"command":"pin","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80",)"
       R"("weight":5,"for_s":1.2E2})"},
      {{.command = "drain", .service = key, .destination = destination},
       R"({"command":"drain","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80"})"},
  }));
  const ScratchFolder directory;
  auto asked = options;
  asked.socket = directory.file("control.sock");
  OneAnswer daemon(asked.socket, "{\"ok\":true,\"result\":{\"message\":\"as you say\"}}\n");
  CHECK(run(asked) == Printed{"as you say\n"});
  CHECK(boost::json::parse(daemon.question()) == boost::json::parse(question));
}

TEST_CASE("commands: an order about a destination of several services asks which") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  const OneAnswer daemon(path, R"({"ok":true,"result":{"monitord":{},"services":[)"
                               R"({"service":"tcp 10.9.9.9:80","destinations":[)"
                               R"({"destination":"10.0.0.11:80"}]},{"service":"fwm 7",)"
                               R"("destinations":[{"destination":"10.0.0.11:80"}]}]}})"
                               "\n");
  const auto printed = run(OrderOptions{
      .command = "drain", .destination = destination_key("10.0.0.11:80"), .socket = path});
  CHECK(printed.status == exit_status::usage);
  CHECK(printed.err.find("monitorctl drain fwm:7 10.0.0.11:80") != std::string::npos);
}

TEST_CASE("commands: a state goes out as it is and comes in from a file") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  {
    const OneAnswer daemon(path, R"({"ok":true,"result":{"journal":"line one\nline two\n"}})"
                                 "\n");
    CHECK(run(StateOptions{.socket = path}) == Printed{"line one\nline two\n"});
  }
  const std::string state = "{\"monitord_journal\":2}\n";
  write_text(directory.file("state"), state);
  const auto second = directory.file("second.sock");
  OneAnswer daemon(second, "{\"ok\":true,\"result\":{\"message\":\"took over 1\"}}\n");
  CHECK(run(StateOptions{true, directory.file("state"), second}) == Printed{"took over 1\n"});
  CHECK(boost::json::parse(daemon.question()).at("journal") == state.c_str());
}

TEST_CASE("commands: a file that is no state never gets to the daemon, one of a newer one does") {
  const ScratchFolder directory;
  const auto file = directory.file("state");
  write_text(file, "{\"monitord_journal\":2}\nnonsense\n{}\n");
  const auto printed = run(StateOptions{true, file, "/nonexistent/control.sock"});
  CHECK(printed.status == exit_status::bad_file);
  CHECK(printed.err.find(file + ":2:1: error: this is no line of monitord's state\n") == 0);
  CHECK(printed.err.find("hint: give it what `monitorctl state export` printed") !=
        std::string::npos);
  write_text(file, "{\"monitord_journal\":999}\nnonsense\n{}\n");
  CHECK(run(StateOptions{true, file, "/nonexistent/control.sock"}).status ==
        exit_status::unreachable);
}

TEST_CASE("commands: events are asked for, and printed as they are wanted") {
  const auto printed = [](OutputFormat output) {
    const ScratchFolder directory;
    const auto path = directory.file("control.sock");
    OneAnswer daemon(path, R"({"ok":true,"result":{"events":[{"wall_time":0,"level":"info",)"
                           R"("event":"order","fields":{"text":"x"}}]}})"
                           "\n");
    auto done = run(EventsOptions{output, path});
    CHECK(daemon.question() == "{\"command\":\"events\"}\n");
    return done;
  };
  CHECK(printed(OutputFormat::text).out == "1970-01-01 00:00:00Z info    order text=x\n");
  CHECK(printed(OutputFormat::json).out.starts_with("{\"events\":["));
  CHECK(printed(OutputFormat::csv).out.ends_with("0,info,order,,,text=x\n"));
}

TEST_CASE("commands: a history is one of a destination that the daemon knows") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  const OneAnswer daemon(path, status_answer);
  const auto unknown =
      run(HistoryOptions{.destination = destination_key("10.0.0.99:80"), .socket = path});
  CHECK(unknown.status == exit_status::failure);
  CHECK(unknown.err.find("monitord knows no destination 10.0.0.99:80") != std::string::npos);
}

TEST_CASE("control client: completion asks the daemon that the words name, and is silent without") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  CompletionWordsOptions options;
  options.socket = "/nonexistent/control.sock";
  options.completion.wanted = {"SERVICE", "DESTINATION"};
  options.completion.options = {{"--socket", path}};
  const std::string none = directory.path();  // no /proc/net/ip_vs below it
  CHECK(run(options, none) == Printed{});
  {
    OneAnswer daemon(path, status_answer);
    const auto printed = run(options, none);
    CHECK(daemon.question() == "{\"command\":\"status\"}\n");
    CHECK(printed == Printed{"tcp:10.9.9.9:80\twrr, 1 destination\n10.0.0.11:80\n", "", 0});
  }
  OneAnswer liar(directory.file("other.sock"), "nonsense\n");
  options.completion.options = {{"--socket", directory.file("other.sock")}};
  CHECK(run(options, none) == Printed{});
}

TEST_CASE("control client: completion without a daemon reads what everybody may read") {
  const ScratchFolder directory;
  directory.write("proc/net/ip_vs",
                  "IP Virtual Server version 1.2.1 (size=4096)\n"
                  "Prot LocalAddress:Port Scheduler Flags\n"
                  "  -> RemoteAddress:Port Forward Weight ActiveConn InActConn\n"
                  "TCP  0A090909:0050 wrr  \n"
                  "  -> 0A00000B:0050      Masq    10     0          0         \n");
  CompletionWordsOptions options;
  options.socket = "/nonexistent/control.sock";
  options.completion.wanted = {"SERVICE", "DESTINATION"};
  CHECK(run(options, directory.path()) ==
        Printed{"tcp:10.9.9.9:80\twrr, 1 destination\n10.0.0.11:80\tweight 10\n", "", 0});
}
