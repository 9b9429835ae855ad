// The built program: arguments, exit statuses and where texts go.

#include <sys/wait.h>
#include <array>
#include <cstdio>
#include <string>
#include <tuple>

#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using lvs::monitorctl::testing::text_of;
using lvs::monitorctl::testing::write_text;
using lvs::testing::ScratchFolder;

namespace {

struct Result {
  int status{};
  std::string out{}, err{};
};

/// `arguments` are shell words.
Result monitorctl(const std::string& arguments) {
  const ScratchFolder directory;
  const auto command = std::string(LVS_MONITORCTL) + " </dev/null " + arguments + " >" +
                       directory.file("out") + " 2>" + directory.file("err");
  const int status = std::system(command.c_str());
  return {WEXITSTATUS(status), text_of(directory.file("out")), text_of(directory.file("err"))};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("program: config show prints what is in effect and it is a configuration") {
  const ScratchFolder site;
  const auto file = site.write("monitord.yaml", "interval: 4s\nagent: {keys: /k}\n");
  site.write("conf.d/10.yaml", "interval: 8s\nservices: [{service: fwm:7, boundary: 3}]\n");
  const auto shown = monitorctl("config show -c " + file);
  CHECK(shown.status == 0);
  CHECK(shown.err.empty());
  CHECK(holds(shown.out, "interval: 8s"));
  CHECK(holds(shown.out, "# " + site.file("conf.d/10.yaml") + ":1\n"));
  const auto again = monitorctl("config show -c " + site.write("again.d/monitord.yaml", shown.out));
  CHECK(again.status == 0);
  CHECK(holds(again.out, "interval: 8s"));

  site.write("conf.d/20.yaml", "intervall: 8s\n");
  const auto bad = monitorctl("config show -c " + file);
  CHECK(bad.status == 78);
  CHECK(bad.out.empty());
  CHECK(holds(bad.err, "conf.d/20.yaml:1:1: error: unknown key \"intervall\""));
  CHECK(monitorctl("config show -c " + site.file("none.yaml")).status == 1);
  CHECK(monitorctl("config show --running --socket " + site.file("none.sock")).status == 3);
  CHECK(monitorctl("config show --running -c " + file).status == 2);
  CHECK(monitorctl("config").status == 2);
  CHECK(monitorctl("config list").status == 2);
}

TEST_CASE("program: a replay tries the parts of a configuration as well") {
  const ScratchFolder site;
  const auto file = site.write("monitord.yaml", "interval: 4s\n");
  site.write("conf.d/10.yaml", "intervall: 8s\n");
  const auto replay = monitorctl("replay /dev/null -c " + file);
  CHECK(replay.status == 78);
  CHECK(holds(replay.err, "conf.d/10.yaml:1:1"));
}

TEST_CASE("program: usage errors end with 2 and say what was wrong on stderr") {
  const auto [arguments, message] = GENERATE(table<std::string, std::string>({
      {"", "Usage: monitorctl"},
      {"lsit", "unknown command \"lsit\"; did you mean \"list\"?"},
      {"list --bogus", "--bogus"},
      {"list --stats --rate", "at most 1"},
      {"list --wide --stats", "--wide has columns of its own"},
      {"list -o yaml", "--output"},
      {"list --sort wieght", "--sort: unknown key \"wieght\"; did you mean \"weight\"?"},
      {"list --sort cpu --nosort", "--nosort is the kernel's order"},
      {"save web", "is no service"},
      {"save --stats", "--stats"},
      {"diff", "FILE [FILE] is required"},
      {"diff ''", "FILE [FILE]: the value is empty"},
      {"diff a b c", "FILE [FILE]: At Most 2 required but received 3"},
      {"diff - -", "one of the two tables only"},
      {"list -t 10.9.9.9:80 -u 10.9.9.9:53", "name one service only"},
      {"list -t nonsense", "is no service"},
      {"-Lnt nonsense", "is no service"},
      {"-Lnc", "single connections: ipvsadm -Lnc"},
      {"-L -n -c", "single connections: ipvsadm -Lnc"},
      {"list -Lnc", "single connections: ipvsadm -Lnc"},
      {"-L --timeout", "ipvsadm -L --timeout"},
      {"-a -t 10.9.9.9:80 -r 10.0.0.11:80", "ipvsadm changes it: ipvsadm -a"},
      {"explain tcp:10.9.9.9:80 web1", "web1 is no destination"},
      {"probe", "HOST[:PORT] is required"},
      {"probe h --interval 5", "5 is no duration"},
      {"probe h --insecure --keys k", "excludes"},
      {"probe : --insecure", "is no HOST or HOST:PORT"},
      {"probe h --key-id 0", "--key-id"},
      {"keygen --agent ''", "\"\" is no name of an agent"},
      {"keygen --agent 10.0.0.11:6353", "without the port: 10.0.0.11"},
      {"status --socket ''", "--socket: the value is empty"},
      {"replay x -c ''", "--config: the value is empty"},
      {"replay ''", "FILE: the value is empty"},
      {"keygen --output ''", "--output: the value is empty"},
      {"simulate x --plot ''", "--plot: the value is empty"},
      {"pin 10.0.0.11:80", "[SERVICE] DESTINATION WEIGHT"},
      {"pin 10.0.0.11:80 0", "`monitorctl drain`"},
      {"pin 10.0.0.11:80 lots", "lots is no weight from 1 to 65535"},
      {"pin 10.0.0.11:80 70000", "70000 is no weight from 1 to 65535"},
      {"pin 10.0.0.11:80 5 --for soon", "soon is no duration"},
      {"drain", "[SERVICE] DESTINATION is required"},
      {"drain web1", "web1 is no destination"},
      {"drain web 10.0.0.11:80", "is no service"},
      {"undrain tcp:10.9.9.9:80 10.0.0.11:80 extra", "received 3"},
      {"pause web", "is no service"},
      {"pause 10.0.0.11:80 10.0.0.12:80", "received 2"},
      {"forget", "name the service"},
      {"top --interval 5", "5 is no duration from 200ms to 1h"},
      {"top --interval 100ms", "100ms is no duration from 200ms to 1h"},
      {"top --sort name", "--sort"},
      {"state", "export|import is required"},
      {"state import", "name a file"},
      {"state export file", "monitorctl state export >FILE"},
      {"state delete", "\"delete\" is not known here; one of: export, import"},
      {"replay", "FILE is required"},
      {"replay night.jsonl -o csv", "--output"},
      {"simulate", "SCENARIO.yaml is required"},
      {"simulate x --strategy capcity", "unknown strategy \"capcity\"; did you mean \"capacity\"?"},
      {"simulate x --scheduler wrr,lru", "unknown scheduler \"lru\"; one of: wrr, wlc"},
      {"simulate x --strategy equal,jsq,equal", "strategy \"equal\" is named twice"},
      {"simulate x --seeds 0", "--seeds"},
      {"simulate x --jobs many", "--jobs"},
      {"simulate x -o wide", "--output"},
      {"advise web", "is no service"},
      {"advise --for 5", "5 is no time from 1s to 1h"},
      {"advise --for 100ms", "100ms is no time from 1s to 1h"},
      {"advise --for 2h", "2h is no time from 1s to 1h"},
      {"advise -o csv", "--output"},
      {"advise -t 10.9.9.9:80 -f 7", "name one service only"},
  }));
  const auto result = monitorctl(arguments);
  INFO(arguments);
  INFO(result.err);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(holds(result.err, message));
}

TEST_CASE("program: the version is told") {
  const auto result = monitorctl("--version");
  CHECK(result.status == 0);
  CHECK(result.out.find("monitorctl ") == 0);
}

TEST_CASE("program: a daemon that is not there ends with 3") {
  const auto arguments =
      GENERATE(as<std::string>{}, "status", "reload", "explain tcp:10.9.9.9:80 10.0.0.11:80",
               "explain -t 10.9.9.9:80 10.0.0.11:80", "explain 10.0.0.11:80", "pause",
               "restore tcp:10.9.9.9:80", "pin 10.0.0.11:80 5", "drain -t 10.9.9.9:80 10.0.0.11:80",
               "forget 10.0.0.11:80", "state export", "top", "top --once");
  const auto result = monitorctl(arguments + " --socket /nonexistent/control.sock");
  CHECK(result.status == 3);
  CHECK(holds(result.err, "monitord is not reachable at /nonexistent/control.sock"));
}

TEST_CASE("program: diff ends as diff(1) does") {
  const ScratchFolder directory;
  const auto one = directory.file("one");
  const auto other = directory.file("other");
  const auto broken = directory.file("broken");
  write_text(one, "-A -t 10.9.9.9:80 -s wrr\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 3\n");
  write_text(other, "-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 3 -x 9\n");
  write_text(broken, "-A -t 10.9.9.9:80 -s wrr\n-a -t 10.9.9.9:80 -r web1:http -m\n");
  CHECK(monitorctl("diff " + one + " " + one).out.empty());
  CHECK(monitorctl("diff " + one + " " + one).status == 0);
  CHECK(monitorctl("diff " + one + " - <" + one).status == 0);
  const auto orphan = monitorctl("diff " + one + " " + other);
  CHECK(orphan.status == 78);
  CHECK(orphan.err.find(other + ":1:1: error: no line above adds the service") == 0);
  write_text(other, "-A -t 10.9.9.9:80 -s wrr\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 5 -x 9\n");
  const auto different = monitorctl("diff " + one + " " + other);
  CHECK(different.status == 1);
  CHECK(holds(different.out,
              "~ tcp 10.9.9.9:80 10.0.0.11:80: weight 3 -> 5, upper threshold 0 -> 9\n"));
  CHECK_FALSE(holds(monitorctl("diff --no-weights " + one + " " + other).out, "weight"));
  const auto mistakes = monitorctl("diff " + one + " " + broken);
  CHECK(mistakes.status == 78);
  CHECK(holds(mistakes.err, broken + ":2:22: error: \"web1:http\" is no ADDRESS:PORT"));
  CHECK(monitorctl("diff " + one + " /nonexistent").status == 2);
}

TEST_CASE("program: diff and check say nothing wrong when they cannot print") {
  const ScratchFolder directory;
  write_text(directory.file("one"), "-A -t 10.9.9.9:80\n");
  write_text(directory.file("other"), "");
  const auto status_of = [](const std::string& arguments) {
    const auto command =
        std::string(LVS_MONITORCTL) + " " + arguments + " >/dev/full 2>/dev/null </dev/null";
    return WEXITSTATUS(std::system(command.c_str()));
  };
  CHECK(status_of("diff " + directory.file("one") + " " + directory.file("other")) == 2);
  CHECK(status_of("check --socket /nonexistent/control.sock") == 3);
}

TEST_CASE("program: check answers as a plugin whatever happens") {
  const auto away = monitorctl("check --socket /nonexistent/control.sock");
  CHECK(away.status == 2);
  CHECK(away.err.empty());
  CHECK(away.out.find("MONITORD CRITICAL - monitord is not reachable at /nonexistent") == 0);
  CHECK(holds(away.out, " | age=U;10;30;0; services="));
  const auto [arguments, message] = GENERATE(table<std::string, std::string>({
      {"check --warn-cpu lots", "--warn-cpu: \"lots\" is no range: 20%, 10:20"},
      {"check --crit-age 5m", "--crit-age: \"5m\" is no range: 20s"},
      {"check --service web", "is no service"},
      {"check --bogus", "--bogus"},
      {"check --warn-silent", "--warn-silent"},
  }));
  const auto wrong = monitorctl(arguments);
  INFO(wrong.out);
  CHECK(wrong.status == 3);
  CHECK(wrong.err.empty());
  CHECK(wrong.out.find("MONITORD UNKNOWN - ") == 0);
  CHECK(holds(wrong.out, message));
}

TEST_CASE("program: keys go from the director's file to the agent's") {
  const ScratchFolder directory;
  const auto keys = directory.file("keys.yaml");
  const auto agent = directory.file("web1.yaml");
  CHECK(monitorctl("keygen --output " + keys).status == 0);
  const auto again = monitorctl("keygen --output " + keys);
  CHECK(again.status == 1);
  CHECK(holds(again.err, "--force replaces it"));
  const auto before = text_of(keys);
  CHECK(monitorctl("keygen --force --output " + keys).status == 0);
  CHECK(text_of(keys) != before);
  CHECK(monitorctl("keygen --agent web1 --keys " + keys + " --output " + agent).status == 0);
  CHECK(monitorctl("keygen --agent web1 --keys " + keys).out == text_of(agent));
  CHECK(monitorctl("keygen --agent web2 --keys " + keys).out != text_of(agent));
  CHECK(monitorctl("keygen --agent web2 --keys " + agent).status == 1);
}

TEST_CASE("program: a key file with mistakes ends with 78 and a missing one with 1") {
  const ScratchFolder directory;
  const auto keys = directory.file("keys.yaml");
  const auto missing = monitorctl("keygen --agent web1 --keys " + keys);
  CHECK(missing.status == 1);
  CHECK(holds(missing.err, "makes the director's keys first"));
  CHECK(monitorctl("probe 127.0.0.1 --keys " + keys).status == 1);
  write_text(keys, "keys:\n  - id: 1\n    master: 00\n");
  const auto result = monitorctl("keygen --agent web1 --keys " + keys);
  CHECK(result.status == 78);
  CHECK(result.err.find(keys + ":3:") == 0);
  CHECK(monitorctl("probe 127.0.0.1 --keys " + keys).status == 78);
  write_text(keys, "keys:\n  - id: 1\n    master: " + std::string(64, 'a') + "\n");
  CHECK(monitorctl("probe 127.0.0.1 --key-id 2 --keys " + keys).status == 1);
}

TEST_CASE("program: a full disk is a failure and not an empty listing") {
  const auto command = std::string(LVS_MONITORCTL) + " --version >/dev/full 2>/dev/null </dev/null";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 1);
}
