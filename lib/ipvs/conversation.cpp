#include "ipvs/conversation.hpp"

#include <cerrno>
#include <optional>
#include <utility>

namespace lvs::ipvs {

using Failure = Conversation::Failure;

namespace {

using Result = tl::expected<void, Failure>;

Result result_from_end(const Message& message) {
  if (message.error_number == 0) return {};
  return tl::unexpected(Failure{Failure::Source::kernel, message.error_number, {}});
}

/// Requests without a result of their own get that of the conversation.
std::vector<Result> completed(const std::vector<std::optional<Result>>& results,
                              const Failure& otherwise) {
  std::vector<Result> all;
  all.reserve(results.size());
  for (const auto& result : results)
    all.push_back(result.value_or(tl::unexpected(otherwise)));
  return all;
}

}  // namespace

Conversation::Conversation(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)) {}

tl::unexpected<Failure> Conversation::drop(Failure failure) {
  transport_->close();
  return tl::unexpected(std::move(failure));
}

tl::expected<void, Failure> Conversation::send(ByteView datagram) {
  const auto sent = transport_->send(datagram);
  if (!sent) return drop({Failure::Source::unsent, sent.error(), {}});
  return {};
}

/// The views in the messages are valid until the next call.
tl::expected<std::vector<Message>, Failure> Conversation::next_messages(
    Clock::time_point deadline) {
  const auto datagram = transport_->receive(deadline);
  if (!datagram) return drop({Failure::Source::transport, datagram.error(), {}});
  auto messages = messages_from_datagram(*datagram);
  if (!messages) return drop({Failure::Source::malformed, 0, std::move(messages.error())});
  return *std::move(messages);
}

tl::expected<Conversation::Finished, Failure> Conversation::ask(const Request& request,
                                                                Clock::time_point deadline,
                                                                const OnEntry& on_entry) {
  if (Clock::now() >= deadline) {
    return tl::unexpected(Failure{Failure::Source::unsent, ETIMEDOUT, {}});
  }
  ++sequence_;
  const auto sent = send(datagram_from_request(request, sequence_));
  if (!sent) return tl::unexpected(sent.error());

  Finished finished{};
  while (true) {
    const auto messages = next_messages(deadline);
    if (!messages) return tl::unexpected(messages.error());

    bool has_entries = false;
    for (const auto& message : *messages) {
      // A late answer to an earlier request is nobody's any more.
      if (message.sequence != sequence_ || message.kind == Message::Kind::ignored) continue;
      finished.interrupted = finished.interrupted || message.interrupted;
      if (message.kind == Message::Kind::end) {
        finished.pieces += has_entries ? 1 : 0;
        return result_from_end(message).map([&] { return finished; });
      }
      has_entries = true;
      on_entry(message);
    }
    finished.pieces += has_entries ? 1 : 0;
  }
}

std::vector<Result> Conversation::order(std::span<const Request> requests,
                                        Clock::time_point deadline) {
  if (requests.empty()) return {};
  const auto first = sequence_ + 1;
  sequence_ += static_cast<std::uint32_t>(requests.size());
  const auto sent = send(datagram_from_requests(requests, first));
  if (!sent) return std::vector<Result>(requests.size(), tl::unexpected(sent.error()));

  std::vector<std::optional<Result>> results(requests.size());
  for (auto missing = requests.size(); missing > 0;) {
    const auto messages = next_messages(deadline);
    if (!messages) return completed(results, messages.error());
    for (const auto& message : *messages) {
      const std::size_t index = message.sequence - first;  // below `first` it wraps to huge
      if (message.kind != Message::Kind::end || index >= results.size() || results[index]) continue;
      results[index] = result_from_end(message);
      --missing;
    }
  }
  return completed(results, {});
}

}  // namespace lvs::ipvs
