#include "monitord/metrics.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "golden.hpp"
#include "monitord/metric_families.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

TEST_CASE("metrics: labels are those of node_exporter") {
  CHECK(backend_labels(id("tcp 10.9.9.9:80", "10.0.0.11:8080")) ==
        Labels{{"local_address", "10.9.9.9"},
               {"local_port", "80"},
               {"local_mark", ""},
               {"proto", "TCP"},
               {"remote_address", "10.0.0.11"},
               {"remote_port", "8080"}});
  CHECK(backend_labels(id("udp [fd00::9]:53", "[fd00::11]:53")) ==
        Labels{{"local_address", "fd00::9"},
               {"local_port", "53"},
               {"local_mark", ""},
               {"proto", "UDP"},
               {"remote_address", "fd00::11"},
               {"remote_port", "53"}});
  CHECK(service_labels(service_key("fwm 255")) == Labels{{"local_address", ""},
                                                         {"local_port", "0"},
                                                         {"local_mark", "000000FF"},
                                                         {"proto", "FWM"}});
  CHECK(
      service_labels(service_key("pool web")) ==
      Labels{{"local_address", "web"}, {"local_port", "0"}, {"local_mark", ""}, {"proto", "POOL"}});
}

TEST_CASE("metrics: services that only family or a protocol without a name tell apart are two") {
  CHECK(service_labels(service_key("fwm 7")) != service_labels(service_key("fwm6 7")));
  auto unnamed = service_key("tcp 10.9.9.9:80");
  unnamed.protocol = static_cast<lvs::ipvs::Protocol>(33);
  CHECK(service_labels(unnamed) == Labels{{"local_address", "10.9.9.9"},
                                          {"local_port", "80"},
                                          {"local_mark", ""},
                                          {"proto", "33"}});
}

TEST_CASE("metric families: what is no number is not shown, nor a family without one") {
  MetricFamilies families;
  families.family("none", MetricType::Gauge, "Never.");
  families.sample(std::numeric_limits<double>::quiet_NaN());
  families.sample(std::numeric_limits<double>::infinity(), {{"a", "1"}});
  families.family("one_total", MetricType::Counter, "One.");
  families.sample(1, {{"a", "x\"y\\z\n"}});
  families.sample(2.5);
  CHECK(std::move(families).text() ==
        "# HELP one_total One.\n# TYPE one_total counter\n"
        "one_total{a=\"x\\\"y\\\\z\\n\"} 1\none_total 2.5\n");
}

TEST_CASE("metric families: a histogram counts up to infinity") {
  DurationHistogram times;
  times.add(0.002);
  times.add(5);
  MetricFamilies families;
  families.histogram("t_seconds", "Times.", times);
  const auto made = std::move(families).text();
  for (const auto* const line :
       {"t_seconds_bucket{le=\"0.001\"} 0\n", "t_seconds_bucket{le=\"0.0025\"} 1\n",
        "t_seconds_bucket{le=\"2\"} 1\n", "t_seconds_bucket{le=\"+Inf\"} 2\n",
        "t_seconds_count 2\n", "t_seconds_sum 5.002\n"}) {
    INFO(line);
    CHECK(made.find(line) != std::string::npos);
  }
}

TEST_CASE("metrics: everything that is known") {
  check_golden("metrics.txt", metrics_from_published(published(40)));
}

TEST_CASE("metrics: before the first cycle nothing is said about destinations") {
  const auto text = metrics_from_published({});
  CHECK(text.find("monitord_backend") == std::string::npos);
  CHECK(text.find("monitord_cycles_total 0\n") != std::string::npos);
}

TEST_CASE("metrics: promtool has nothing against them") {
  lvs::testing::ScratchFolder const folder;
  const auto file = folder.write("metrics", metrics_from_published(published(40)));
  INFO("promtool is in the package prometheus");
  CHECK(std::system(("promtool check metrics <" + file).c_str()) == 0);
}

TEST_CASE("metrics: dashboard and alerts use names that there are") {
  const auto text = metrics_from_published(published(40));
  for (const auto* const name :
       {"etc/prometheus/monitord.rules.yaml", "etc/grafana/monitord.json"}) {
    std::ifstream file(std::string(LVS_SOURCE_DIR "/") + name);
    std::stringstream content;
    content << file.rdbuf();
    const auto used = content.str();
    std::size_t found = 0;
    const auto is_word = [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); };
    for (auto at = used.find("monitord_"); at != std::string::npos;
         at = used.find("monitord_", at)) {
      const auto end =
          std::find_if_not(used.begin() + static_cast<std::ptrdiff_t>(at), used.end(), is_word);
      const std::string metric(used.begin() + static_cast<std::ptrdiff_t>(at), end);
      at += metric.size();
      INFO(name << ": " << metric);
      const bool is_there = text.find("\n" + metric + " ") != std::string::npos ||
                            text.find("\n" + metric + "{") != std::string::npos;
      CHECK(is_there);
      ++found;
    }
    CHECK(found > 5);
  }
}
