#pragma once

// A service that was watched, from a text: tables of the rules' tests and of tests/golden/advise.
//
//   service tcp:10.9.9.9:80 wrr [persistent=360] [mask=255.255.255.0] [fallback] [ops] [proc]
//   daemon [dry_run]
//   10.0.0.13:80 Masq weight=165 active=1,0,2 inactive=300 connections=1000+60 [upper=…] [lower=…]
//     [templates=…] [base=…] [capacity=…] [cpu=…] [outcome=…]
//
// Destinations are a line each, in the kernel's order: the newest first. Six looks, 2 s apart: a
// list has a value for each (the last one stands for those that are missing), "1000+60" grows by 60
// from look to look. "#" begins a comment.

#include <optional>
#include <string>
#include <vector>

#include "monitorctl/service_facts.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl::testing {

struct RecordedService {
  std::vector<ServiceReading> readings{};
  bool complete{true};
  std::optional<Status> status{};

  [[nodiscard]] ServiceFacts facts() const;
};

/// Throws on what it does not know.
RecordedService recorded_service(const std::string& text);

inline ServiceFacts facts_of(const std::string& text) {
  return recorded_service(text).facts();
}

}  // namespace lvs::monitorctl::testing
