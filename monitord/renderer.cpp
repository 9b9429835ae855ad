#include "monitord/renderer.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace lvs::monitord {

namespace asio = boost::asio;

Renderer::~Renderer() {
  pool_.stop();
  pool_.join();
}

void Renderer::render(Document document, Taker taker) {
  auto work = [guard = asio::make_work_guard(io_), document = std::move(document),
               taker = std::move(taker)]() mutable {
    auto text = std::make_shared<const std::string>(document());
    // What the taker holds belongs to the io_context's thread: it is handed over, not copied.
    asio::post(guard.get_executor(), [taker = std::move(taker), text = std::move(text)]() mutable {
      taker(std::move(text));
    });
  };
  asio::post(pool_, std::move(work));
}

}  // namespace lvs::monitord
