#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/genetlink.hpp"
#include "ipvs/transport.hpp"

namespace lvs::ipvs {

/// Requests and their answers over one transport, told apart by sequence number.
///
/// Threading: one thread. Errors: whatever leaves an answer unfinished (deadline, lost or malformed
/// data) drops the socket, so that the rest of it can never be taken for the next answer, and the
/// kernel does not say EBUSY for a dump that nobody reads to its end.
class Conversation {
 public:
  struct Failure {
    enum class Source {
      kernel,     ///< it refused, and carried nothing out
      unsent,     ///< nothing went out
      transport,  ///< it went out, and the answer was lost
      malformed,  ///< it went out, and the answer cannot be understood
    };
    Source source{Source::kernel};
    int error_number{};    ///< positive errno; 0 when malformed
    std::string detail{};  ///< malformed only

    /// The kernel may have carried the request out.
    [[nodiscard]] bool perhaps_done() const {
      return source == Source::transport || source == Source::malformed;
    }
    friend bool operator==(const Failure&, const Failure&) = default;
  };
  struct Finished {
    std::size_t pieces{};  ///< datagrams with entries in them; a dump in one piece is consistent
    bool interrupted{};    ///< the kernel marked the dump as inconsistent
  };
  using OnEntry = std::function<void(const Message&)>;

  explicit Conversation(std::unique_ptr<Transport> transport);

  /// `on_entry` gets every entry of the answer; its views end with the call.
  tl::expected<Finished, Failure> ask(const Request& request, Clock::time_point deadline,
                                      const OnEntry& on_entry);

  /// Requests that are answered by an ack only, all sent in one datagram; the results in their
  /// order. Acks that came before an unfinished end count: each request has its own result.
  std::vector<tl::expected<void, Failure>> order(std::span<const Request> requests,
                                                 Clock::time_point deadline);

 private:
  tl::expected<void, Failure> send(ByteView datagram);
  tl::expected<std::vector<Message>, Failure> next_messages(Clock::time_point deadline);
  tl::unexpected<Failure> drop(Failure failure);

  std::unique_ptr<Transport> transport_;
  std::uint32_t sequence_{};  // the first is 1, since the kernel's own notifications have 0
};

}  // namespace lvs::ipvs
