#include "monitord/outputs/upstream_file.hpp"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

TEST_CASE("upstream file: what nginx says is told without what only a log wants") {
  auto const [output, reason] = GENERATE(table<std::string, std::string>({
      {"", "it does not say why"},
      {"\n", "it does not say why"},
      {"Job for nginx.service failed.\nSee \"systemctl status\"\n",
       "Job for nginx.service failed."},
      {"2026/01/02 03:04:05 [warn] 7#7: conflicting server name\n"
       "2026/01/02 03:04:05 [emerg] 7#7: invalid parameter \"weight=0\" in /x/web.conf:1\n"
       "nginx: configuration file /x/nginx.conf test failed\n",
       "invalid parameter \"weight=0\" in /x/web.conf:1"},
      {"nginx: [emerg] host not found in upstream \"a\"\n", "host not found in upstream \"a\""},
      {"[emerg]", "it does not say why"},
      {"[emerg] 7#", "7#"},
      {"\x1b[31mred\n", "?[31mred"},
  }));
  CAPTURE(output);
  CHECK(reason_of_nginx(output) == reason);
}

TEST_CASE("upstream file: a reason has an end") {
  CHECK(reason_of_nginx(std::string(5000, 'x')).size() == 300);
}

TEST_CASE("upstream file: a line for each server, and down instead of the 0 that nginx refuses") {
  std::vector<OutputServer> const servers{{destination_key("10.0.0.11:80"), "web1", 100, 65535},
                                          {destination_key("[fd00::12]:8080"), "web2", 50, 0},
                                          {destination_key("10.0.0.13:80"), "web3", 50, 1}};
  auto const text = upstream_text(servers);
  auto const first = text.find('\n');
  CHECK(text.starts_with("# "));
  CHECK(text.substr(first + 1) ==
        "server 10.0.0.11:80 weight=65535;\n"
        "server [fd00::12]:8080 down;\n"
        "server 10.0.0.13:80 weight=1;\n");
}
