#pragma once

// What stands in a document for people to copy.

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::testing {

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The blocks that begin with ``` and the name of their language.
inline std::vector<std::string> fenced_blocks(std::string_view text, std::string_view language) {
  auto const head = "\n```" + std::string(language) + "\n";
  std::vector<std::string> blocks;
  for (auto begin = text.find(head); begin != std::string_view::npos;
       begin = text.find(head, begin)) {
    begin += head.size();
    auto const end = text.find("\n```", begin);
    if (end == std::string_view::npos) break;
    blocks.emplace_back(text.substr(begin, end + 1 - begin));
    begin = end;
  }
  return blocks;
}

}  // namespace lvs::testing
