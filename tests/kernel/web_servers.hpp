#pragma once

// Web servers that can really fail.

#include <csignal>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "kernel/network.hpp"
#include "kernel/process.hpp"

namespace lvs::guest {

/// One on port 80 of each server of the network. Counted from 0.
class WebServers {
 public:
  WebServers(int count, std::string program) : program_(std::move(program)) {
    for (int i = 0; i < count; ++i)
      servers_.push_back(started(i));
  }

  void stop(int i) { (void)servers_.at(static_cast<std::size_t>(i)).end(SIGKILL); }
  void start(int i) { servers_.at(static_cast<std::size_t>(i)) = started(i); }

 private:
  Process started(int i) const {
    auto const name = "rs" + std::to_string(i + 1);
    return Process(in_namespace(i + 1, {program_, name, "80", "0", "4"}),
                   "/run/" + name + ".web.log");
  }

  std::string program_;
  std::vector<Process> servers_{};
};

}  // namespace lvs::guest
