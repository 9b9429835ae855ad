#pragma once

// From the options of one line of a saved table to the service or destination that they describe,
// with ipvsadm's defaults and rules. Pure.

#include <optional>

#include "ipvs/types.hpp"
#include "monitorctl/saved_options.hpp"
#include "strictyaml/problem_list.hpp"

namespace lvs::monitorctl {

struct SavedLine {
  SavedWord command{};  ///< for what the line as a whole lacks
  GivenOptions given{};
};

// Nothing, and a problem for each value that is none, when the line does not say it.

/// Of the service that an -A line makes or an -a line means.
std::optional<ipvs::ServiceKey> key_from_line(const SavedLine& line,
                                              strictyaml::ProblemList& problems);
std::optional<ipvs::Service> service_from_line(const SavedLine& line, const ipvs::ServiceKey& key,
                                               strictyaml::ProblemList& problems);
std::optional<ipvs::Destination> destination_from_line(const SavedLine& line,
                                                       const ipvs::ServiceKey& service,
                                                       strictyaml::ProblemList& problems);

}  // namespace lvs::monitorctl
