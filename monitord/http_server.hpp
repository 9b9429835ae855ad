#pragma once

// Serves pages over HTTP/1.1, on a thread of its own that sees finished, immutable values only:
// what is slow there, a reader, a large page or the thread itself, never delays a cycle.
//
// Threading: the public functions belong to the thread that made it; answers are made on the
// server's. Errors: of a client, end that client's connection. A connection costs at most 8 KiB of
// header, 16 s until its request is there and 30 s until the answer is taken; there are at most 64.

#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "monitord/http_answer.hpp"

namespace lvs::monitord {

class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest&, const Published&)>;

  /// Called on the server's thread only.
  explicit HttpServer(Handler handler);
  /// Waits for the answer that is being made, and for nobody who reads one.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// `listen`: ADDRESS:PORT or the path of a Unix socket. The error is one line.
  tl::expected<void, std::string> open(const std::string& listen);

  /// What is shown from now on. Never waits for anybody but for the copy of a pointer.
  void publish(std::shared_ptr<const Published> published);

  /// Of the open server; that of port 0 is only known then.
  [[nodiscard]] unsigned port() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace lvs::monitord
