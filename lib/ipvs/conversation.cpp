#include "ipvs/conversation.hpp"

#include <utility>

namespace lvs::ipvs {

using Failure = Conversation::Failure;

Conversation::Conversation(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)) {}

tl::unexpected<Failure> Conversation::drop(Failure failure) {
  transport_->close();
  return tl::unexpected(std::move(failure));
}

tl::expected<Conversation::Finished, Failure> Conversation::ask(const Request& request,
                                                                Clock::time_point deadline,
                                                                const OnEntry& on_entry) {
  ++sequence_;
  const auto sent = transport_->send(datagram_from_request(request, sequence_));
  if (!sent) return drop({Failure::Source::transport, sent.error(), {}});

  Finished finished{};
  while (true) {
    const auto datagram = transport_->receive(deadline);
    if (!datagram) return drop({Failure::Source::transport, datagram.error(), {}});
    const auto messages = messages_from_datagram(*datagram);
    if (!messages) return drop({Failure::Source::malformed, 0, messages.error()});

    bool has_entries = false;
    for (const auto& message : *messages) {
      // A late answer to an earlier request is nobody's any more.
      if (message.sequence != sequence_ || message.kind == Message::Kind::ignored) continue;
      finished.interrupted = finished.interrupted || message.interrupted;
      if (message.kind == Message::Kind::end) {
        finished.pieces += has_entries ? 1 : 0;
        if (message.error_number == 0) return finished;
        return tl::unexpected(Failure{Failure::Source::kernel, message.error_number, {}});
      }
      has_entries = true;
      on_entry(message);
    }
    finished.pieces += has_entries ? 1 : 0;
  }
}

}  // namespace lvs::ipvs
