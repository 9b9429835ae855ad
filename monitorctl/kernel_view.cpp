#include "monitorctl/kernel_view.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "ipvs/netlink_table.hpp"
#include "monitorctl/proc_ip_vs.hpp"

namespace lvs::monitorctl {
namespace {

/// Of a whole listing: 10,000 destinations in 2,000 services take about a second.
constexpr std::chrono::seconds time_limit{10};

tl::expected<std::vector<ipvs::ServiceEntry>, ipvs::Error> read_services(
    ipvs::NetlinkTable& table, const std::optional<ipvs::ServiceKey>& key) {
  if (!key) return table.services();
  auto entry = table.service(*key);
  if (!entry) return tl::make_unexpected(entry.error());
  return std::vector{std::move(*entry)};
}

tl::expected<KernelView, ipvs::Error> view_over_netlink(
    const std::optional<ipvs::ServiceKey>& key) {
  ipvs::NetlinkTable table(time_limit);
  const auto info = table.info();
  if (!info) return tl::make_unexpected(info.error());
  auto services = read_services(table, key);
  if (!services) return tl::make_unexpected(services.error());
  return KernelView{.info = *info, .complete = true, .services = std::move(*services), .note = {}};
}

/// /proc shows no family of a mark without destinations: where no service has the wanted family,
/// the mark alone has to do.
void keep_only(const ipvs::ServiceKey& wanted, std::vector<ipvs::ServiceEntry>& services) {
  const auto is_wanted = [&wanted](const ipvs::ServiceEntry& entry) {
    return entry.service.key == wanted;
  };
  const bool exact = std::any_of(services.begin(), services.end(), is_wanted);
  std::erase_if(services, [&](const ipvs::ServiceEntry& entry) {
    const auto& key = entry.service.key;
    const bool same_mark = wanted.is_fwmark() && key.fwmark == wanted.fwmark;
    return exact ? !is_wanted(entry) : !same_mark;
  });
}

std::string note_of(const ProcTable& table) {
  std::string note =
      "monitorctl: without CAP_NET_ADMIN: read from /proc/net/ip_vs, which lacks scheduler flags, "
      "counters and thresholds\n";
  if (!table.timeouts_known) {
    note +=
        "monitorctl: persistence timeouts are unknown and shown as 0: they are in ticks there, "
        "and no /boot/config of this kernel says how long a tick is\n";
  }
  return note;
}

tl::expected<KernelView, ipvs::Error> view_from_proc(const std::optional<ipvs::ServiceKey>& key,
                                                     const ipvs::Error& refusal) {
  auto table = read_proc_table();
  if (!table) {
    return tl::make_unexpected(
        ipvs::Error{refusal.kind, refusal.error_number, refusal.message + "; " + table.error()});
  }
  auto& services = table->services;
  if (key) {
    keep_only(*key, services);
    if (services.empty()) {
      return tl::make_unexpected(ipvs::Error{ipvs::ErrorKind::no_such_service, 0, ""});
    }
  }
  const auto note = note_of(*table);
  return KernelView{
      .info = table->info, .complete = false, .services = std::move(services), .note = note};
}

}  // namespace

tl::expected<KernelView, ipvs::Error> read_kernel(const std::optional<ipvs::ServiceKey>& key) {
  auto view = view_over_netlink(key);
  if (view || view.error().kind != ipvs::ErrorKind::no_permission) return view;
  return view_from_proc(key, view.error());
}

}  // namespace lvs::monitorctl
