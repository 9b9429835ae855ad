#pragma once

// Real servers of a kernel test: one real agent each, over a /proc of its own whose counters the
// test moves on. One kernel has one /proc/stat, so the trees are made up; all else is real.

#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernel/guest.hpp"
#include "kernel/network.hpp"
#include "kernel/process.hpp"

namespace lvs::guest {

/// The /proc of one machine with one CPU of 100 ticks a second.
class Machine {
 public:
  explicit Machine(std::string root) : root_(std::move(root)) {
    must("mkdir -p " + root_ + "/proc/sys/kernel/random " + root_ + "/etc/realserver-agent");
    write("proc/sys/kernel/random/boot_id", "01234567-89ab-cdef-0123-456789abcdef\n");
    write("proc/meminfo", "MemTotal: 1000000 kB\nMemFree: 700000 kB\nMemAvailable: 800000 kB\n");
    pass(0);
  }

  /// CPU occupancy in percent from now on.
  std::atomic<int> busy_percent{10};

  /// `ticks` of 10 ms go by.
  void pass(std::uint64_t ticks) {
    busy_ += ticks * static_cast<std::uint64_t>(busy_percent.load());  // hundredths of a tick
    total_ += ticks * 100;
    auto const user = std::to_string(busy_ / 100);
    auto const idle = std::to_string((total_ - busy_) / 100);
    auto const line = " " + user + " 0 0 " + idle + " 0 0 0 0 0 0\n";
    write("proc/stat", "cpu " + line + "cpu0" + line + "procs_running 1\nprocs_blocked 0\n");
    auto const uptime = static_cast<double>(total_) / 10000.0 + 100.0;
    write("proc/uptime", std::to_string(uptime) + " 0.00\n");
  }

 private:
  /// Replaced at once, as a reader of the real /proc never sees half of a file.
  void write(const std::string& name, const std::string& text) {
    auto const path = root_ + "/" + name;
    std::ofstream(path + ".new") << text;
    (void)std::rename((path + ".new").c_str(), path.c_str());
  }

  std::string root_;
  std::uint64_t busy_{}, total_{10'000};
};

/// Where the agents of machines are asked.
enum class Site {
  loopback,    ///< 127.0.0.11, .12, …
  namespaces,  ///< 10.2.0.11, .12, … in the namespaces of Network
};

/// `count` machines with their agents, and a thread in which time passes.
class Machines {
 public:
  Machines(int count, const std::string& agent_program, const std::string& monitorctl,
           Site site = Site::loopback)
      : agent_program_(agent_program), site_(site) {
    must(monitorctl + " keygen --output /run/master.yaml");
    for (int i = 0; i < count; ++i) {
      auto const name = "rs" + std::to_string(i + 1);
      must(monitorctl + " keygen --agent " + name + " --keys /run/master.yaml --output /run/" +
           name + ".keys");
      machines_.push_back(std::make_unique<Machine>("/run/" + name));
      configure(i, "/run/" + name + ".keys");
      agents_.push_back(start(i));
    }
    clock_ = std::thread([this] { pass_time(); });
  }
  ~Machines() {
    stopped_ = true;
    clock_.join();
  }

  Machine& operator[](int i) { return *machines_[static_cast<std::size_t>(i)]; }

  void kill_agent(int i) { (void)agents_[static_cast<std::size_t>(i)].end(SIGKILL); }
  void restart_agent(int i) { agents_[static_cast<std::size_t>(i)] = start(i); }

  /// What the agent says of itself; takes effect when it is restarted.
  void configure(int i, const std::string& keys) {
    auto const name = "rs" + std::to_string(i + 1);
    auto const network = site_ == Site::loopback ? "127.0.0." : "10.2.0.";
    std::ofstream("/run/" + name + ".yaml")
        << "listen: [" << network << 11 + i << "]\nname: " << name << "\nkeys: " << keys
        << "\nsample_interval: 100ms\n";
  }

 private:
  Process start(int i) {
    auto const name = "/run/rs" + std::to_string(i + 1);
    std::vector<std::string> command{agent_program_, "--config", name + ".yaml", "--root", name};
    if (site_ == Site::namespaces) command = in_namespace(i + 1, std::move(command));
    return Process(std::move(command), name + ".log");
  }

  void pass_time() {
    auto before = std::chrono::steady_clock::now();
    while (!stopped_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      auto const ticks =
          (std::chrono::steady_clock::now() - before) / std::chrono::milliseconds(10);
      before += ticks * std::chrono::milliseconds(10);
      for (auto& machine : machines_)
        machine->pass(static_cast<std::uint64_t>(ticks));
    }
  }

  std::string agent_program_;
  Site site_;
  std::vector<std::unique_ptr<Machine>> machines_{};
  std::vector<Process> agents_{};
  std::atomic<bool> stopped_{};
  std::thread clock_{};
};

}  // namespace lvs::guest
