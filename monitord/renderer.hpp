#pragma once

// Writes documents about many destinations on a thread of its own: a table of 10,000 servers takes
// a tenth of a second, which no cycle has to wait for.
//
// Threading: one thread calls, that of the io_context, which also gets the texts. Errors: none of
// its own; what a document throws ends the process, as it would elsewhere.

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <string>

namespace lvs::monitord {

class Renderer {
 public:
  /// Runs beside the io_context, so it may touch nothing but finished values that it owns.
  using Document = std::function<std::string()>;
  /// Runs on the io_context.
  using Taker = std::function<void(std::shared_ptr<const std::string>)>;

  /// `io` must outlive it.
  explicit Renderer(boost::asio::io_context& io) : io_(io) {}
  /// Waits for the document that is being written; others are never written, nobody is told.
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// In the order of the calls. The io_context does not run out of work before `taker` has run.
  void render(Document document, Taker taker);

 private:
  boost::asio::io_context& io_;
  boost::asio::thread_pool pool_{1};
};

}  // namespace lvs::monitord
