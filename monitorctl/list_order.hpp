#pragma once

// `monitorctl list --sort KEY`: an order for people. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ipvs/types.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

enum class SortKey { name, weight, cpu, memory, connections };

/// name, weight, cpu, memory, connections.
const std::vector<std::string>& sort_key_words();
std::optional<SortKey> sort_key_from_word(std::string_view word);

/// Only monitord knows it; the others are the kernel's.
bool is_of_daemon(SortKey key);

/// The destinations of each service: by server name; the largest weight, the busiest CPU, the least
/// free memory or the most connections first. What is unknown comes last. Services, and
/// destinations that are alike, stay as they are.
void sort_destinations(std::vector<ipvs::ServiceEntry>& services, SortKey key,
                       const StatusIndex& index);

}  // namespace lvs::monitorctl
