#include "monitorctl/list_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "monitorctl/ipvsadm_order.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::captured_view;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::some_status;

namespace {

KernelView sorted_view() {
  auto view = captured_view();
  sort_as_ipvsadm(view.services);
  return view;
}

std::string listed(OutputFormat output, const std::optional<Status>& status) {
  const auto printed = printed_list({.output = output}, sorted_view(), status);
  CHECK(printed.err.empty());
  CHECK(printed.status == exit_status::ok);
  return printed.out;
}

}  // namespace

TEST_CASE("list: without options it is ipvsadm's listing whatever the daemon says") {
  CHECK(listed(OutputFormat::text, std::nullopt) == golden("ipvsadm/list.txt"));
  CHECK(listed(OutputFormat::text, some_status()) == golden("ipvsadm/list.txt"));
}

TEST_CASE("list: one service has no version line") {
  auto view = sorted_view();
  view.services.resize(1);
  const ListOptions options{.service = view.services[0].service.key};
  CHECK(printed_list(options, view, std::nullopt).out == golden("ipvsadm/one-service.txt"));
}

TEST_CASE("list: counters that /proc does not have are an error and not zeros") {
  auto view = sorted_view();
  view.complete = false;
  const ListOptions options{.format = {Listing::statistics, false}};
  const auto printed = printed_list(options, view, std::nullopt);
  CHECK(printed.status == exit_status::failure);
  CHECK(printed.out.empty());
  CHECK(printed.err.find("CAP_NET_ADMIN") != std::string::npos);
  CHECK(printed_list({}, view, std::nullopt).out == golden("ipvsadm/list.txt"));
}

TEST_CASE("list: the wide table shows the daemon's numbers and dashes for what is unknown") {
  CHECK(listed(OutputFormat::wide, some_status()) == golden("monitorctl/wide.txt"));
  CHECK(listed(OutputFormat::wide, std::nullopt) == golden("monitorctl/wide-no-daemon.txt"));
}

TEST_CASE("list: CSV has one line per destination and empty fields for the unknown") {
  CHECK(listed(OutputFormat::csv, some_status()) == golden("monitorctl/list.csv"));
}

TEST_CASE("list: CSV quotes what would break a line apart") {
  auto status = some_status();
  status.services[0].destinations[0].reason = "a \"b\", c";
  CHECK(listed(OutputFormat::csv, status).find(",\"a \"\"b\"\", c\",") != std::string::npos);
}

TEST_CASE("list: JSON has the status document's keys with the kernel's numbers of now") {
  auto view = sorted_view();
  view.services[0].destinations[0].active_connections = 42;
  const auto printed = printed_list({.output = OutputFormat::json}, view, some_status());
  const auto document = boost::json::parse(printed.out);
  CHECK(document.at("ipvs").at("version").as_string() == "1.2.1");
  CHECK(document.at("monitord").at("dry_run").as_bool());
  const auto& service = document.at("services").at(0);
  CHECK(service.at("service").as_string() == "tcp 10.9.9.9:80");
  CHECK(service.at("persistence").at("timeout_s").as_int64() == 360);
  CHECK(service.at("persistence").at("netmask").as_string() == "255.255.255.0");
  const auto& known = service.at("destinations").at(0);
  CHECK(known.at("destination").as_string() == "10.0.0.11:80");
  CHECK(known.at("active").as_int64() == 42);  // the daemon's last cycle had 7
  CHECK(known.at("composite").as_double() == Approx(0.35));
  CHECK(known.at("upper_threshold").as_int64() == 1000);
  CHECK(known.at("tunnel").is_null());
  const auto& unknown = service.at("destinations").at(2);
  CHECK(unknown.at("current").as_int64() == 5);
  CHECK(unknown.at("outcome").is_null());
  CHECK(unknown.as_object().size() == known.as_object().size());
  CHECK(document.at("services").at(3).at("destinations").at(0).at("tunnel").as_string() ==
        "gue:5555:+c");
}

TEST_CASE("list: JSON of a table from proc has null where proc has nothing") {
  auto view = sorted_view();
  view.complete = false;
  const auto printed = printed_list({.output = OutputFormat::json}, view, std::nullopt);
  const auto document = boost::json::parse(printed.out);
  CHECK(document.at("monitord").is_null());
  const auto& service = document.at("services").at(0);
  CHECK(service.at("statistics").is_null());
  CHECK(service.at("destinations").at(0).at("upper_threshold").is_null());
  CHECK(service.at("destinations").at(0).at("current").as_int64() == 100);
}
