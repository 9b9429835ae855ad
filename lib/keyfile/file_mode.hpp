#pragma once

// Who may do what with a file of keys. Whoever reads one can forge its agents, and whoever writes
// one can put a key of his own there. Pure: the mode is read elsewhere.

#include <string>

namespace lvs::keyfile {

/// What is wrong with the mode (st_mode) of a file of keys; empty: nothing. The group may read it,
/// which is how the director's gets to its daemon, and others may do nothing with it.
std::string fault_of_mode(unsigned mode);

}  // namespace lvs::keyfile
