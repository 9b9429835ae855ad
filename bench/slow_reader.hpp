#pragma once

// A reader of the status page that takes its time, as a browser behind a thin line does.

#include <cstddef>
#include <cstdint>

namespace lvs::bench {

/// Asks 127.0.0.1:`port` for the page and for the metrics in turn, for ever, each over a connection
/// of its own, and reads no faster than `bytes_per_second`. Prints the first line of the first
/// answer: whoever waits for it knows that the page is served. Throws std::system_error where there
/// is no socket to be had.
[[noreturn]] void read_slowly(std::uint16_t port, std::size_t bytes_per_second);

}  // namespace lvs::bench
