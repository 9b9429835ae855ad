#pragma once

// A small file whose readers must never see half of it.
//
// Threading: any. Without a flush: what a power loss leaves empty has to be made anew.

#include <string>

namespace lvs::monitord {

/// FOLDER/NAME gets this text at once, with mode 0644 whatever the umask. Does not make the folder.
/// What is written first is FOLDER/.NAME.new. 0, or errno: then the file is as it was.
int replace_file(const std::string& folder, const std::string& name, const std::string& text);

/// For people: what `error` of replace_file() means, and what to do.
std::string reason_of_file_error(const std::string& folder, const std::string& name, int error);

}  // namespace lvs::monitord
