// Any bytes as a state journal: what is remembered, or a fault with its line. What was understood
// survives being written and read again, whole and as the difference to nothing.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "monitord/journal_text.hpp"
#include "require.hpp"

using namespace lvs::monitord;
using lvs::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto read = journal_from_text(text);
  if (read.fault != JournalContent::Fault::none) {
    require(read.line > 0 && read.memory == Memory{});
    return 0;
  }
  const auto again = journal_from_text(journal_text(read.memory));
  require(again.fault == JournalContent::Fault::none);
  require(again.memory == read.memory);
  require(journal_lines_between(read.memory, read.memory).empty());
  return 0;
}
