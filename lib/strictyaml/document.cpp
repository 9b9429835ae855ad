#include "strictyaml/document.hpp"

#include "strictyaml/document_impl.hpp"
#include "strictyaml/merge.hpp"
#include "strictyaml/tree.hpp"

namespace lvs::strictyaml {

namespace {

using Kind = Element::Kind;

std::vector<Source> one_source(std::string text, std::string file) {
  std::vector<Source> sources;
  sources.emplace_back(std::move(text), std::move(file));
  return sources;
}

std::vector<Source> sources_from(std::vector<TextFile> files) {
  std::vector<Source> sources;
  sources.reserve(files.size());
  for (TextFile& file : files)
    sources.emplace_back(std::move(file.text), std::move(file.name), sources.size());
  return sources;
}

/// Nothing but comments: a map in which every key has its default.
std::optional<Element> root_from_source(const Source& source, ProblemList& problems) {
  auto root = element_from_source(source, problems);
  if (root && root->kind == Kind::null) root->kind = Kind::map;
  return root;
}

}  // namespace

Document::Document(std::unique_ptr<Impl> impl) : impl_{std::move(impl)} {}

Document::Document(std::string text, std::string file, Content content)
    : Document{std::make_unique<Impl>(one_source(std::move(text), std::move(file)), content)} {
  impl_->root = root_from_source(impl_->sources.front(), impl_->problems);
}

Document::Document(std::vector<TextFile> files, const std::vector<std::string>& joined_lists)
    : Document{std::make_unique<Impl>(sources_from(std::move(files)), Content::open)} {
  for (const Source& source : impl_->sources) {
    auto root = root_from_source(source, impl_->problems);
    if (!root) continue;
    if (root->kind != Kind::map) {
      impl_->problems.error(root->where, wrong_kind("", Kind::map, root->kind));
    } else if (impl_->root) {
      merge_maps(*impl_->root, *std::move(root), joined_lists);
    } else {
      impl_->root = std::move(root);
    }
  }
}

Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Node Document::root() const {
  const Element* const element = impl_->root ? &*impl_->root : nullptr;
  Node node;
  node.state_ = std::make_shared<Node::State>(
      Node::State{impl_.get(), element, element != nullptr ? element->where : Position{}, ""});
  return node;
}

const std::vector<Problem>& Document::problems() const {
  return impl_->problems.problems();
}
bool Document::has_errors() const {
  return impl_->problems.has_errors();
}

}  // namespace lvs::strictyaml
