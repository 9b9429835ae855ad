#pragma once

// /proc/sys/kernel/random/boot_id (random(4)).

#include <string_view>

#include <tl/expected.hpp>

#include "agentproto/sample.hpp"
#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// 32 hexadecimal digits with hyphens in between, as uuid_unparse(3) writes them.
tl::expected<agentproto::BootId, ParseError> boot_id_from_text(std::string_view text);

}  // namespace lvs::agent
