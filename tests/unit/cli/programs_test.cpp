// The three programs alike: exit statuses, --help and --version.

#include <sys/wait.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using lvs::testing::ScratchFolder;

namespace {

struct Result {
  int status{};
  std::string out{}, err{};
};

/// `command` is a shell's: $monitord, $agent, $monitorctl are the programs.
Result shell(const std::string& command, const ScratchFolder& folder) {
  const auto whole = "cd " + folder.path() +
                     " && monitord=" LVS_MONITORD " agent=" LVS_AGENT " monitorctl=" LVS_MONITORCTL
                     "; { " +
                     command + "; } >out 2>err </dev/null";
  const int status = std::system(whole.c_str());
  return {WEXITSTATUS(status), folder.read("out"), folder.read("err")};
}

}  // namespace

TEST_CASE("programs: typical mistakes end with the same statuses") {
  const auto [command, status, text] = GENERATE(table<std::string, int, std::string>({
      // wrong usage: 2
      {"$monitord --dry-rnu", 2, "did you mean \"--dry-run\"?"},
      {"$monitord surplus", 2, "\"surplus\" is one argument too many"},
      {"$monitord --config", 2, "--config needs a value: FILE"},
      {"$monitord --config ''", 2, "--config: the value is empty"},
      {"$monitord --log-level wraning", 2, "did you mean \"warning\"?"},
      {"$monitord --once --record x", 2, " excludes "},
      {"$monitord --dry-run -c", 2, "needs a value"},
      {"$agent --chek-config", 2, "did you mean \"--check-config\"?"},
      {"$agent drian", 2, "unknown command \"drian\"; did you mean \"drain\"?"},
      {"$agent reading --interval 5", 2, "--interval"},
      {"$agent reading --before .", 2, "--after"},
      {"$agent drain surplus", 2, "\"surplus\""},
      {"$monitorctl", 2, "Usage: monitorctl"},
      {"$monitorctl --verson", 2, "did you mean \"--version\"?"},
      {"$monitorctl lst", 2, "did you mean \"list\"?"},
      {"$monitorctl help lst", 2, "did you mean \"list\"?"},
      {"$monitorctl list --wdie", 2, "did you mean \"--wide\"?"},
      {"$monitorctl list -o jsno", 2, "did you mean \"json\"?"},
      {"$monitorctl list -o 1", 2, "\"1\" is not known here; one of: wide, json, csv, text"},
      {"$monitorctl completion tcsh", 2, "\"tcsh\" is not known here; one of: bash, zsh, fish"},
      {"$monitorctl state", 2, "export|import is required"},
      {"$monitorctl pin 10.0.0.11:80", 2, "[SERVICE] DESTINATION WEIGHT"},
      {"$monitorctl keygen --force --agnet web1", 2, "did you mean \"--agent\"?"},
      // what is to be read is not there: of a daemon its configuration, else a failure
      {"$monitord --check-config -c none.yaml", 78, "none.yaml"},
      {"$monitord --once -c none.yaml", 78, "none.yaml"},
      {"$agent --check-config -c none.yaml", 78, "none.yaml"},
      {"$monitorctl replay none.jsonl -c good.yaml", 1, "none.jsonl: No such file"},
      {"$monitorctl simulate none.yaml", 1, "none.yaml: No such file"},
      {"$monitorctl ahp none.yaml", 1, "none.yaml: No such file"},
      {"$monitorctl state import none", 1, "none: No such file"},
      {"$monitorctl keygen --agent web1 --keys none.yaml", 1, "none.yaml"},
      // files with mistakes: 78
      {"$monitord --check-config -c bad.yaml", 78, "did you mean \"interval\"?"},
      {"$monitord --once -c bad.yaml", 78, "bad.yaml:1:1: error"},
      {"$agent --check-config -c bad.yaml", 78, "bad.yaml:1:1: error"},
      {"$agent drain -c bad.yaml", 78, "bad.yaml:1:1: error"},
      {"$monitorctl replay bad.jsonl -c good.yaml", 78, "bad.jsonl:1:"},
      {"$monitorctl replay bad.jsonl -c bad.yaml", 78, "bad.yaml:1:1: error"},
      {"$monitorctl simulate bad.yaml", 78, "bad.yaml:1:1: error"},
      {"$monitorctl ahp bad.yaml", 78, "bad.yaml:1:1: error"},
      {"$monitorctl keygen --agent web1 --keys bad.yaml", 78, "bad.yaml:1:1: error"},
      {"$monitorctl state import bad.jsonl", 78, "bad.jsonl:1:1: error"},
      {"$monitorctl state import - <bad.jsonl", 78, "stdin:1:1: error"},
      // nobody answers: 3
      {"$monitorctl status --socket none", 3, "monitord is not reachable at none"},
      {"MONITORCTL_SOCKET=none $monitorctl events", 3, "monitord is not reachable at none"},
      {"$monitorctl state import good.journal --socket none", 3, "not reachable"},
      {"$monitorctl probe 127.0.0.1:1 --insecure --deadline 10ms", 3, "127.0.0.1"},
      // and when all is well
      {"$monitord --check-config -c good.yaml >/dev/null 2>&1", 0, ""},
      {"$monitorctl completion zsh >/dev/null", 0, ""},
  }));
  const ScratchFolder folder;
  folder.write("bad.yaml", "intervall: 2s\n");
  folder.write("bad.jsonl", "nonsense\n\n");
  folder.write("good.yaml", "dry_run: true\n");
  folder.write("good.journal", "{\"monitord_journal\":2}\n");
  CAPTURE(command);
  const auto result = shell(command, folder);
  CAPTURE(result.err);
  CHECK(result.status == status);
  CHECK(result.out.empty());
  CHECK(result.err.find(text) != std::string::npos);
}

TEST_CASE("programs: help fits into 80 columns and has an example") {
  const auto command = GENERATE(as<std::string>{}, "$monitord", "$agent", "$agent reading",
                                "$agent drain", "$agent ready", "$monitorctl", "$monitorctl list");
  const ScratchFolder folder;
  const auto help = shell(command + " --help", folder);
  CAPTURE(command);
  CHECK(help.status == 0);
  CHECK(help.out.find("\nExample") != std::string::npos);
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("programs: help and version go to stdout") {
  const auto [program, name] = GENERATE(table<std::string, std::string>(
      {{"$monitord", "monitord"}, {"$agent", "realserver-agent"}, {"$monitorctl", "monitorctl"}}));
  const ScratchFolder folder;
  const auto help = shell(program + " --help", folder);
  CHECK(help.status == 0);
  CHECK(help.err.empty());
  CHECK(help.out.find("\nUsage: " + name + " [OPTIONS]") != std::string::npos);
  CHECK(help.out.find("\nExit status: 0 done, 1 failed, 2 usage") != std::string::npos);
  CHECK(help.out.find("\nExamples: " + name) != std::string::npos);
  const auto version = shell(program + " --version", folder);
  CHECK(version.status == 0);
  CHECK(version.err.empty());
  CHECK(version.out.find(name + " ") == 0);
}

TEST_CASE("programs: a full disk is a failure and not an empty help") {
  const auto program = GENERATE(as<std::string>{}, "$monitord", "$agent", "$monitorctl");
  const ScratchFolder folder;
  CHECK(shell(program + " --help >/dev/full", folder).status == 1);
}
