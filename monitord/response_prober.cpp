#include "monitord/response_prober.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "monitord/asio_address.hpp"

namespace lvs::monitord {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Failure = ResponseEngine::Failure;

}  // namespace

/// Lives as long as one of its operations is under way, also when the prober has let it go.
struct ResponseProber::Connection {
  Connection(asio::io_context& io, ProbeId which) : id(which), socket(io) {}
  ProbeId id;
  tcp::socket socket;
  std::string request{};
  std::array<char, 4096> buffer{};
};

ResponseProber::ResponseProber(asio::io_context& io, ResponseEngine& engine,
                               std::function<Moment()> clock)
    : io_(io), engine_(engine), clock_(std::move(clock)), timer_(io) {}

void ResponseProber::begin_cycle(std::span<const ProbeTarget> targets) {
  engine_.begin_cycle(clock_(), targets);
  pump();
}

void ResponseProber::pump() {
  const auto steps = engine_.due(clock_());
  for (const auto id : steps.give_up)
    drop(id);
  for (const auto& probe : steps.start)
    open(probe);
  arm();
}

void ResponseProber::arm() {
  const auto next = engine_.next();
  if (!next) return;
  timer_.expires_after(std::max(Moment::zero(), *next - clock_()));
  timer_.async_wait([this](error_code stopped) {
    if (!stopped) pump();
  });
}

void ResponseProber::open(const Probe& probe) {
  const auto connection = std::make_shared<Connection>(io_, probe.id);
  connections_.emplace(probe.id, connection);
  const tcp::endpoint to(asio_address(probe.to.address), probe.to.port);
  // The handler runs from the loop, never from here, so that one probe cannot start the next.
  connection->socket.async_connect(
      to, [this, connection](error_code failure) { connected(connection, failure); });
}

void ResponseProber::connected(const Shared& connection, error_code failure) {
  if (!connections_.contains(connection->id)) return;
  if (failure == asio::error::connection_refused) return fail(connection, Failure::refused);
  if (failure) return fail(connection, Failure::unreachable);
  connection->request = engine_.connected(connection->id, clock_());
  if (connection->request.empty()) return end(connection);
  send(connection);
}

void ResponseProber::send(const Shared& connection) {
  asio::async_write(connection->socket, asio::buffer(connection->request),
                    [this, connection](error_code failure, std::size_t) {
                      if (!connections_.contains(connection->id)) return;
                      if (failure) return fail(connection, Failure::cut_short);
                      receive(connection);
                    });
}

void ResponseProber::receive(const Shared& connection) {
  connection->socket.async_read_some(
      asio::buffer(connection->buffer), [this, connection](error_code failure, std::size_t size) {
        if (!connections_.contains(connection->id)) return;
        if (failure) return fail(connection, Failure::cut_short);
        const std::string_view bytes(connection->buffer.data(), size);
        if (!engine_.received(connection->id, bytes, clock_())) return end(connection);
        receive(connection);
      });
}

void ResponseProber::fail(const Shared& connection, Failure failure) {
  engine_.failed(connection->id, failure);
  end(connection);
}

void ResponseProber::end(const Shared& connection) {
  drop(connection->id);
  // One that waits for its turn may have the place.
  pump();
}

/// Its handlers still run, and find that it is not among the connections any more.
void ResponseProber::drop(ProbeId id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  error_code ignored;
  found->second->socket.close(ignored);
  connections_.erase(found);
}

}  // namespace lvs::monitord
