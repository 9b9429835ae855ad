#pragma once

// The rights that a program gives up once it has started (capabilities(7)).

#include <initializer_list>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace lvs::privileges {

/// Keeps of its capabilities those in `kept` that it has, and gives up all others: permitted,
/// effective, inheritable, ambient and, where it may, the bounding set. No program that it might
/// start gets more (no_new_privs). For the calling thread and those it starts later: to be called
/// before there are others. The user stays; a root without capabilities passes over no owner and no
/// mode of a file any more. The error is for people.
tl::expected<void, std::string> keep_only(std::initializer_list<unsigned> kept);

/// Of files that were read before keep_only(): a note for each that a reload could not read any
/// more.
std::vector<std::string> notes_about_reload(const std::vector<std::string>& files);

}  // namespace lvs::privileges
