#include "monitord/outputs/nginx_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <optional>

#include "ipvs/error.hpp"
#include "monitord/outputs/replaced_file.hpp"
#include "monitord/outputs/upstream_file.hpp"
#include "plainfile/plain_file.hpp"

namespace lvs::monitord {
namespace {

/// Thousands of servers, and names to be resolved in the rest of nginx's configuration.
constexpr std::chrono::seconds command_time{20};
constexpr std::size_t most_bytes = std::size_t{16} << 20U;

std::pair<std::string, std::string> folder_and_name(const std::string& path) {
  const auto slash = path.rfind('/');
  return {path.substr(0, slash), path.substr(slash + 1)};
}

/// nginx's * in an include does not match a leading dot.
std::string kept_name(const std::string& name) {
  return "." + name + ".before";
}

std::string kept_path(const std::string& path) {
  const auto [folder, name] = folder_and_name(path);
  return folder + "/" + kept_name(name);
}

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

/// Nothing when it cannot be read, whatever the reason.
std::optional<std::string> text_of(const std::string& path) {
  auto text = plainfile::text_from_file(path, most_bytes);
  if (!text) return std::nullopt;
  return *std::move(text);
}

std::vector<OutputServer> with_bases_for_zeros(std::vector<OutputServer> servers) {
  for (auto& server : servers)
    server.weight = server.weight == 0 ? server.base : server.weight;
  return servers;
}

bool has_zero(const std::vector<OutputServer>& servers) {
  return std::ranges::any_of(servers,
                             [](const OutputServer& server) { return server.weight == 0; });
}

/// What nginx has now is kept beside the new text. One that is kept already is of a change that did
/// not come to its end: what is in place then nginx never took.
int put(const std::string& path, const std::string& text) {
  const auto [folder, name] = folder_and_name(path);
  const auto now = text_of(path);
  const auto kept = kept_name(name);
  if (now && !exists(kept_path(path))) {
    if (const auto error = replace_file(folder, kept, *now); error != 0) return error;
  }
  return replace_file(folder, name, text);
}

std::string reason_of_put(const std::string& path, int error) {
  const auto [folder, name] = folder_and_name(path);
  if (error != ENOENT && error != ENOTDIR) return reason_of_file_error(folder, name, error);
  return "the folder " + folder +
         " is not there: make it, as one that the user of monitord may write to";
}

}  // namespace

NginxFiles::~NginxFiles() {
  if (running_) running_->drop();
}

void NginxFiles::declare(const std::vector<OutputPool>& pools, bool acts, Moment /*now*/) {
  auto before = std::exchange(files_, {});
  acts_ = acts;
  for (const auto& pool : pools) {
    auto& file = files_[pool.place];
    if (const auto known = before.find(pool.place); known != before.end())
      file = std::move(known->second);
    file.pool = pool.service;
    file.servers = pool.servers;
    file.let_go = false;
    if (running_) continue;
    // What is on the disk is in force, but for a change that did not come to its end.
    file.in_force = exists(kept_path(pool.place)) ? "" : text_of(pool.place).value_or("");
  }
  for (auto& [path, file] : before) {
    if (!acts || files_.contains(path) || !has_zero(file.servers)) continue;
    file.servers = with_bases_for_zeros(std::move(file.servers));
    file.let_go = true;
    files_.emplace(path, std::move(file));
  }
}

std::vector<Output::Result> NginxFiles::apply(const ipvs::ServiceKey& service,
                                              std::span<const OutputServer> weights) {
  std::vector<Result> results;
  const auto file = std::ranges::find_if(
      files_, [&](const auto& item) { return item.second.pool == service && !item.second.let_go; });
  for (const auto& wanted : weights) {
    auto* const servers = file == files_.end() ? nullptr : &file->second.servers;
    const auto known = servers == nullptr
                           ? std::vector<OutputServer>::iterator{}
                           : std::ranges::find(*servers, wanted.key, &OutputServer::key);
    if (servers == nullptr || known == servers->end()) {
      results.push_back(tl::unexpected(ipvs::no_such_destination_error(service, wanted.key)));
      continue;
    }
    known->weight = wanted.weight;
    results.emplace_back();
  }
  return results;
}

void NginxFiles::begin_cycle(Moment now) {
  if (begun_ && now - *begun_ < capabilities().smallest_interval) return;
  begin(now);
}

void NginxFiles::hurry(Moment now) {
  if (!all_told()) begin(now);
}

bool NginxFiles::all_told() const {
  if (running_) return false;
  return !acts_ || std::ranges::all_of(files_, [](const auto& item) {
    const auto text = upstream_text(item.second.servers);
    return text == item.second.in_force || text == item.second.tried;
  });
}

void NginxFiles::begin(Moment now) {
  if (!acts_ || running_) return;
  changes_.clear();
  for (auto& [path, file] : files_) {
    const auto text = upstream_text(file.servers);
    if (text == file.in_force) {
      file.problem.clear();  // of weights that nobody wants any more
      continue;
    }
    begun_ = now;
    file.tried = text;
    const auto error = put(path, text);
    if (error == 0) {
      changes_.push_back({path, text});
    } else {
      file.problem = reason_of_put(path, error);
    }
  }
  if (!changes_.empty()) test();
}

void NginxFiles::run(const std::vector<std::string>& words, Command::Done done) {
  // One that cannot be started has ended when start() returns, and may be another's by then.
  const auto command = std::make_shared<Command>(io_, std::move(done));
  running_ = command;
  command->start(words, command_time);
}

void NginxFiles::test() {
  run(commands_.test, [this](const CommandResult& result) {
    running_.reset();
    if (result.succeeded) return reload();
    ++counters_.test_failed;
    take_back(reason_of_nginx(result.output));
  });
}

/// Where there was no file before, nginx could not start either: the new one stays.
void NginxFiles::take_back(const std::string& reason) {
  for (const auto& change : std::exchange(changes_, {})) {
    const bool is_back = std::rename(kept_path(change.path).c_str(), change.path.c_str()) == 0;
    const auto file = files_.find(change.path);
    if (file == files_.end()) continue;  // a reload of monitord has taken it away meanwhile
    file->second.problem =
        (is_back ? "nginx refuses the new weights, and the file before is in place again: "
                 : "nginx refuses its configuration: ") +
        reason;
  }
}

void NginxFiles::reload() {
  run(commands_.reload, [this](const CommandResult& result) {
    running_.reset();
    ++(result.succeeded ? counters_.reloaded : counters_.reload_failed);
    for (const auto& change : std::exchange(changes_, {})) {
      if (result.succeeded) ::unlink(kept_path(change.path).c_str());
      if (const auto file = files_.find(change.path); file != files_.end())
        take(file, change, result);
    }
  });
}

void NginxFiles::take(Files::iterator file, const Change& change, const CommandResult& reloaded) {
  auto& [path, mine] = *file;
  if (!reloaded.succeeded) {
    // Which file it has is not known: it may start at any time.
    mine.in_force.clear();
    mine.problem =
        "nginx has not taken the new weights, and takes them from the file when it starts: " +
        reason_of_nginx(reloaded.output);
    return;
  }
  mine.problem.clear();
  mine.in_force = change.text;
  if (mine.let_go && upstream_text(mine.servers) == change.text) files_.erase(file);
}

std::vector<std::string> NginxFiles::notes(Moment /*now*/) const {
  std::vector<std::string> notes;
  for (const auto& [path, file] : files_) {
    if (file.problem.empty()) continue;
    notes.push_back(
        fmt::format("{}: {}: {}", ipvs::string_from_service_key(file.pool), path, file.problem));
  }
  return notes;
}

}  // namespace lvs::monitord
