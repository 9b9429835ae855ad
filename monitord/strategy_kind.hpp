#pragma once

namespace lvs::monitord {

/// Names and functions are in strategies.hpp.
enum class StrategyKind { capacity, headroom, feedback, response, linear };

}  // namespace lvs::monitord
