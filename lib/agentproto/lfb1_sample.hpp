#pragma once

// The TLVs of a reply. Part of the LFB1 codec (lfb1.cpp); not for others.

#include <cstdint>

#include <tl/expected.hpp>

#include "agentproto/key.hpp"
#include "agentproto/lfb1.hpp"
#include "agentproto/wire.hpp"

namespace lvs::agentproto {

void append_tlvs(Writer& out, const Reply& reply);

/// Reads all TLVs into `reply`; unknown types are skipped. Returns false when a known type has
/// another length than its own, comes twice, or is cut off.
[[nodiscard]] bool read_tlvs(Bytes bytes, Reply& reply, bool& has_name);

}  // namespace lvs::agentproto
