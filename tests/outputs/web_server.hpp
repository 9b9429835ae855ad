#pragma once

// A web server that answers every request with its name, at once or when it is told to.

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <list>
#include <string>
#include <utility>

namespace lvs::monitord::testing {

class WebServer {
 public:
  WebServer(boost::asio::io_context& io, std::string name)
      : acceptor_(io, {boost::asio::ip::address_v4::loopback(), 0}), name_(std::move(name)) {
    accept();
  }

  unsigned requests{};
  bool holds{};  ///< requests wait for release()

  [[nodiscard]] unsigned port() const { return acceptor_.local_endpoint().port(); }
  void release() {
    holds = false;
    for (auto& client : clients_) {
      if (std::exchange(client.waits, false)) answer(client);
    }
  }

 private:
  struct Client {
    explicit Client(boost::asio::ip::tcp::socket made) : socket(std::move(made)) {}

    boost::asio::ip::tcp::socket socket;
    std::string request{}, answer{};
    bool waits{};
  };

  void accept() {
    acceptor_.async_accept(
        [this](boost::system::error_code failure, boost::asio::ip::tcp::socket socket) {
          if (failure) return;
          read(clients_.emplace_back(std::move(socket)));
          accept();
        });
  }
  void read(Client& client) {
    boost::asio::async_read_until(client.socket, boost::asio::dynamic_buffer(client.request),
                                  "\r\n\r\n",
                                  [this, &client](boost::system::error_code failure, std::size_t) {
                                    if (failure) return;
                                    ++requests;
                                    if (holds) {
                                      client.waits = true;
                                    } else {
                                      answer(client);
                                    }
                                  });
  }
  void answer(Client& client) {
    client.answer = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(name_.size()) +
                    "\r\nConnection: close\r\n\r\n" + name_;
    boost::asio::async_write(client.socket, boost::asio::buffer(client.answer),
                             [&client](boost::system::error_code, std::size_t) {
                               boost::system::error_code ignored;
                               client.socket.close(ignored);
                             });
  }

  boost::asio::ip::tcp::acceptor acceptor_;
  std::string name_;
  std::list<Client> clients_{};  ///< none is ever removed: a test is short
};

}  // namespace lvs::monitord::testing
