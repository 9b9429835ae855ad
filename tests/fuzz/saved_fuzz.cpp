// Any bytes as a saved table: a table or problems, never a crash. A table that was taken is one
// that ipvsadm can make: saved again it comes back as the same one.

#include <cstddef>
#include <cstdint>
#include <string>

#include "monitorctl/saved_parser.hpp"
#include "monitorctl/saved_table.hpp"
#include "monitorctl/table_difference.hpp"
#include "require.hpp"

using namespace lvs::monitorctl;
using lvs::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = table_from_saved(std::string(data, data + size), "fuzz.saved");
  if (!table) {
    lvs::fuzz::require_printable(table.error());
    return 0;
  }
  require(losses_of(*table).empty());
  const auto text = saved_text(*table);
  const auto again = table_from_saved(text, "again.saved");
  require(again.has_value());
  require(saved_text(*again) == text);
  require(differences(*table, *again, Weights::compared).empty());
  return 0;
}
