#pragma once

// Exit statuses of all programs; the manual pages name them.

namespace lvs::cli::exit_status {

inline constexpr int ok = 0;
inline constexpr int failure = 1;
inline constexpr int usage = 2;
inline constexpr int unreachable = 3;  ///< daemon, agent or kernel does not answer
inline constexpr int bad_file = 78;    ///< EX_CONFIG of sysexits.h: a file with mistakes

}  // namespace lvs::cli::exit_status
