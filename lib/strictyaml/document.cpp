#include "strictyaml/document.hpp"

#include "strictyaml/document_impl.hpp"
#include "strictyaml/tree.hpp"

namespace lvs::strictyaml {

Document::Document(std::string text, std::string file, Content content)
    : impl_{std::make_unique<Impl>(std::move(text), std::move(file), content)} {
  impl_->root = element_from_source(impl_->source, impl_->problems);
  if (!impl_->root || impl_->root->kind != Element::Kind::null) return;
  // Nothing but comments: a map in which every key has its default.
  impl_->root->kind = Element::Kind::map;
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
