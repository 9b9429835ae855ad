#pragma once

#include <string>

namespace lvs::monitord::testing {

/// Compares with a file below tests/golden/page; where they differ, what was made is in the
/// build's folder golden/.
void check_golden(const std::string& name, const std::string& text);

}  // namespace lvs::monitord::testing
