// Any bytes as a state journal: what is remembered, or a fault with its line. What was understood
// survives being written and read again, whole and as the difference to nothing; broken numbers to
// within their last places (see journal_from_text).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/journal_text.hpp"
#include "require.hpp"

using namespace lvs::monitord;
using lvs::fuzz::require;

namespace {

/// The numbers that may be broken ones, taken out of `memory`.
std::vector<double> taken_numbers(Memory& memory) {
  std::vector<double> numbers;
  const auto take = [&](double& number) { numbers.push_back(std::exchange(number, 0)); };
  for (auto& [address, server] : memory.learned.servers) {
    auto& model = server.model;
    for (double* number : {&server.at, &model.work, &model.load, &model.work_short,
                           &model.load_short, &model.scatter, &model.composite,
                           &model.latest.cpu_occupancy, &model.latest.free_memory_rate,
                           &model.previous.cpu_occupancy, &model.previous.free_memory_rate})
      take(*number);
  }
  for (auto& [key, exponent] : memory.learned.ratio_exponents)
    take(exponent);
  for (auto& [id, pin] : memory.orders.pins) {
    if (pin.until_wall) take(*pin.until_wall);
  }
  return numbers;
}

bool same_but_for_last_places(Memory one, Memory other) {
  const auto ones = taken_numbers(one);
  const auto others = taken_numbers(other);
  return one == other && std::ranges::equal(ones, others, [](double a, double b) {
           return std::abs(a - b) <= 1e-14 * std::max(std::abs(a), std::abs(b));
         });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto read = journal_from_text(text);
  if (read.fault != JournalContent::Fault::none) {
    require(read.line > 0 && read.memory == Memory{});
    return 0;
  }
  const auto again = journal_from_text(journal_text(read.memory));
  require(again.fault == JournalContent::Fault::none);
  require(same_but_for_last_places(again.memory, read.memory));
  require(journal_lines_between(read.memory, read.memory).empty());
  return 0;
}
