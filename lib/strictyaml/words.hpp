#pragma once

// Words in messages: quoting, and "did you mean".

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::strictyaml {

/// Edits from one word to the other: insert, delete, replace, swap neighbours (each at most once
/// per place: the optimal string alignment form of Damerau-Levenshtein).
std::size_t edit_distance(std::string_view one, std::string_view other);

/// The word that was probably meant; empty when none is near enough. Case does not count.
std::string nearest_word(std::string_view written, const std::vector<std::string>& words);

/// In double quotes, at most 60 bytes of it, without control characters.
std::string in_quotes(std::string_view text);

/// The text, with "?" for each byte that is part of no UTF-8.
std::string text_as_utf8(std::string_view text);

/// `did you mean "weight"?`, else `known keys: a, b, c` with `label` = "known keys"; empty when
/// there are no words.
std::string hint_from_words(std::string_view written, const std::vector<std::string>& words,
                            std::string_view label);

}  // namespace lvs::strictyaml
