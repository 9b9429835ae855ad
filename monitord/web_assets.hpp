#pragma once

// The files below monitord/web, as they were when this was compiled.

#include <string_view>

namespace lvs::monitord {

extern const std::string_view page_script;
extern const std::string_view page_style;
extern const std::string_view page_icon;

}  // namespace lvs::monitord
