#include "bench/table_reading.hpp"

#include <stdexcept>
#include <string>

#include "bench/bare_dump.hpp"
#include "bench/spawned.hpp"
#include "bench/table_setup.hpp"

namespace lvs::bench {
namespace {

constexpr int row_number = 2;
constexpr Bar floor_bar{Bar::Kind::at_most, 1.5};
constexpr Bar ipvsadm_bar{Bar::Kind::at_most, 1.0};

struct Readings {
  std::vector<double> bare{}, bare_cpu{}, services{}, services_cpu{}, ipvsadm{}, ipvsadm_cpu{};
};

void require_whole(std::size_t got, std::size_t wanted, const std::string& by) {
  if (got == wanted) return;
  throw std::runtime_error(by + " read " + std::to_string(got) + " entries instead of " +
                           std::to_string(wanted));
}

std::vector<ipvs::ServiceKey> keys_of(const std::vector<ipvs::ServiceEntry>& entries) {
  std::vector<ipvs::ServiceKey> keys;
  keys.reserve(entries.size());
  for (const auto& entry : entries)
    keys.push_back(entry.service.key);
  return keys;
}

/// Time and CPU of work in this process.
template <typename Work>
void note(std::vector<double>& wall, std::vector<double>& cpu, Work work) {
  const double before = own_cpu_ms();
  wall.push_back(milliseconds_of(work));
  cpu.push_back(own_cpu_ms() - before);
}

/// The kernel counts CPU time in ticks, which are longer than some readings: the mean of all of
/// them is the one figure that means something.
std::vector<double> mean_alone(const std::vector<double>& samples) {
  double sum = 0;
  for (const double sample : samples)
    sum += sample;
  return {sum / static_cast<double>(samples.size())};
}

std::vector<MeasuredRow> rows_from(const std::string& shape, const Readings& all) {
  const Measured ours{"table " + shape + ": services()", all.services};
  const Measured ours_cpu{ours.name + ", CPU", mean_alone(all.services_cpu)};
  const std::string ticks = "means, since the kernel counts in ticks";
  return {{row_number, "ms", ours, {"bare dump", all.bare}, floor_bar, ""},
          {row_number, "ms", ours, {"ipvsadm -Ln", all.ipvsadm}, ipvsadm_bar, "a process each"},
          {row_number, "ms", ours_cpu, {"bare dump, CPU", mean_alone(all.bare_cpu)}, {}, ticks},
          {row_number,
           "ms",
           ours_cpu,
           {"ipvsadm -Ln, CPU", mean_alone(all.ipvsadm_cpu)},
           ipvsadm_bar,
           ticks},
          {row_number,
           "ms",
           {"table " + shape + ": ipvsadm -Ln", all.ipvsadm},
           {"bare dump", all.bare},
           {},
           ""}};
}

}  // namespace

std::vector<MeasuredRow> reading_rows(const TableShape& shape, std::size_t rounds) {
  build_table(shape);
  ipvs::NetlinkTable table(patience);
  const auto entries = read_table(table);
  const auto destinations = shape.services * shape.destinations;
  require_whole(destinations_in(entries), destinations, "services()");
  BareDump bare(keys_of(entries));
  require_whole(bare.entries(), shape.services + destinations, "the bare dump");
  (void)spent_by({"ipvsadm", "-Ln"});  // its files are in memory now

  Readings all;
  const auto read_bare = [&] { note(all.bare, all.bare_cpu, [&] { (void)bare.entries(); }); };
  for (std::size_t round = 0; round < rounds; ++round) {
    // Who reads second finds the table in the caches; so each is the second one as often.
    const bool bare_is_first = round % 2 == 0;
    if (bare_is_first) read_bare();
    std::size_t read = 0;
    note(all.services, all.services_cpu, [&] { read = destinations_in(read_table(table)); });
    if (!bare_is_first) read_bare();
    require_whole(read, destinations, "services()");
    const auto spent = spent_by({"ipvsadm", "-Ln"});
    all.ipvsadm.push_back(spent.wall_ms);
    all.ipvsadm_cpu.push_back(spent.cpu_ms);
  }
  return rows_from(name_of(shape), all);
}

}  // namespace lvs::bench
