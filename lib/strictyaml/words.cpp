#include "strictyaml/words.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "strictyaml/source.hpp"

namespace lvs::strictyaml {

namespace {

// Longer words are no typing errors of ours, and the distance costs the product of the lengths.
constexpr std::size_t max_word = 60;

std::string lower(std::string_view word) {
  std::string result{word};
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  // Three rows of the usual matrix: the swap looks two rows back.
  std::vector<std::size_t> before_last(other.size() + 1), last(other.size() + 1),
      row(other.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t replace = last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      const bool swapped =
          i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[other.size()];
}

std::string nearest_word(std::string_view written, const std::vector<std::string>& words) {
  if (written.empty() || written.size() > max_word) return {};
  std::string nearest;
  // A third of the letters may be wrong; more is another word.
  std::size_t best = 1 + std::max<std::size_t>(written.size() / 3, 1);
  for (const std::string& word : words) {
    const bool beginning = written.size() >= 3 && lower(word).starts_with(lower(written));
    const std::size_t distance = beginning ? 1 : edit_distance(lower(written), lower(word));
    // A word of which nothing is left (a 1-letter word for another) is no suggestion.
    if (distance < best && distance < word.size()) {
      best = distance;
      nearest = word;
    }
  }
  return nearest;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    if (result.size() + length > max_word) return result + "\xe2\x80\xa6\"";
    const bool control = static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f;
    result += control ? std::string_view{" "} : text.substr(0, length);
    text.remove_prefix(length);
  }
  return result + '"';
}

std::string text_as_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    result += length == 0 ? std::string_view{"?"} : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string hint_from_words(std::string_view written, const std::vector<std::string>& words,
                            std::string_view label) {
  if (const std::string near = nearest_word(written, words); !near.empty()) {
    return "did you mean " + in_quotes(near) + "?";
  }
  std::string hint;
  for (const std::string& word : words) {
    hint += hint.empty() ? std::string{label} + ": " : ", ";
    hint += word;
  }
  return hint;
}

}  // namespace lvs::strictyaml
