#include "monitorctl/saved_parser.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "monitorctl/saved_line.hpp"
#include "monitorctl/saved_options.hpp"
#include "strictyaml/document.hpp"
#include "strictyaml/problem_list.hpp"
#include "strictyaml/source.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitorctl {
namespace {

using strictyaml::ProblemList;

class TableReader {
 public:
  explicit TableReader(ProblemList& problems) : problems_(problems) {}

  void read(std::vector<SavedWord> words) {
    if (!words.empty() && words.front().text == "ipvsadm") words.erase(words.begin());
    if (words.empty()) return;
    const auto command = words.front();
    const auto kind = saved_command_from_word(command.text);
    if (!kind) return refuse(command);
    words.erase(words.begin());
    auto [given, good] = options_from_words(words, *kind, problems_);
    const SavedLine line{command, std::move(given)};
    const auto key = key_from_line(line, problems_);
    if (!key) return;
    if (*kind == SavedCommand::service) return add_service(line, *key, good);
    if (good) add_destination(line, *key);
  }

  std::vector<ipvs::ServiceEntry> take() { return std::move(services_); }

 private:
  void refuse(const SavedWord& word) {
    problems_.error(word.where, strictyaml::in_quotes(word.text) + " is neither -A nor -a",
                    word.text.starts_with('#') ? "ipvsadm -R knows no comments"
                                               : "a saved table has such lines only");
  }

  void add_service(const SavedLine& line, const ipvs::ServiceKey& key, bool good) {
    const auto [place, is_new] = places_.try_emplace(key, std::nullopt);
    if (!is_new) {
      problems_.error(line.command.where, ipvs::string_from_service_key(key) + " is there twice");
      return;
    }
    auto service = service_from_line(line, key, problems_);
    if (!service || !good) return;
    place->second = services_.size();
    services_.push_back({std::move(*service), {}});
  }

  void add_destination(const SavedLine& line, const ipvs::ServiceKey& key) {
    auto destination = destination_from_line(line, key, problems_);
    const auto name = ipvs::string_from_service_key(key);
    const auto service = places_.find(key);
    if (service == places_.end()) {
      problems_.error(line.command.where, "no line above adds the service " + name, "-A before -a");
      return;
    }
    if (!destination || !service->second) return;
    if (!seen_.emplace(key, destination->key).second) {
      problems_.error(line.command.where, ipvs::string_from_destination_key(destination->key) +
                                              " is there twice in " + name);
      return;
    }
    services_[*service->second].destinations.push_back(std::move(*destination));
  }

  ProblemList& problems_;
  std::vector<ipvs::ServiceEntry> services_{};
  /// Where each service is; nothing for one whose line has a problem of its own.
  std::map<ipvs::ServiceKey, std::optional<std::size_t>> places_{};
  std::set<std::pair<ipvs::ServiceKey, ipvs::DestinationKey>> seen_{};
};

}  // namespace

tl::expected<std::vector<ipvs::ServiceEntry>, std::string> table_from_saved(
    std::string text, const std::string& file) {
  const std::vector<strictyaml::Source> sources{strictyaml::Source(std::move(text), file)};
  const auto& source = sources.front();
  ProblemList problems(sources, strictyaml::Content::open);
  TableReader reader(problems);
  if (const auto fault = strictyaml::text_fault(source)) {
    problems.error(fault->where, fault->message, fault->hint);
  } else {
    const auto last = source.end().line;
    for (std::size_t number = 0; number <= last; ++number)
      reader.read(words_of(source.line(number), number));
  }
  if (problems.has_errors()) {
    return tl::make_unexpected(strictyaml::string_from_problems(problems.problems()));
  }
  return reader.take();
}

}  // namespace lvs::monitorctl
