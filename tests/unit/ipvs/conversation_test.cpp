// Orders: several requests in one datagram, each with an ack of its own.

#include "ipvs/conversation.hpp"

#include <rapidcheck.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;

namespace {

using Replies = std::vector<Reply>;
using Source = Conversation::Failure::Source;

/// Gives `replies(first sequence number)` once the last of the requests has come.
struct Orders {
  std::size_t count{};
  std::function<Replies(std::uint32_t)> replies{};
  ScriptedKernel::Log log{};
  Conversation conversation{std::make_unique<ScriptedKernel>(
      [this](const Sent& sent) {
        const auto first = sent.sequence - (log.sent.size() - 1);
        return log.sent.size() == count ? replies(static_cast<std::uint32_t>(first)) : Replies{};
      },
      log)};

  auto results() {
    const std::vector<Request> requests(count, Request{.family = 28, .command = 6});
    return conversation.order(requests, Clock::now() + std::chrono::seconds(1));
  }
};

/// 0 for done, the kernel's errno, or that of sending and receiving as a negative number.
std::vector<int> numbers(const std::vector<tl::expected<void, Conversation::Failure>>& results) {
  std::vector<int> all;
  for (const auto& result : results) {
    const auto& failure = result ? Conversation::Failure{} : result.error();
    all.push_back(failure.source == Source::kernel ? failure.error_number : -failure.error_number);
  }
  return all;
}

}  // namespace

TEST_CASE("orders: none send nothing") {
  Orders orders;
  CHECK(orders.results().empty());
  CHECK(orders.log.datagrams == 0);
}

TEST_CASE("orders: what cannot be sent fails for all of them") {
  Orders orders{.count = 2};
  orders.log.refusal = EMSGSIZE;
  CHECK(numbers(orders.results()) == std::vector<int>{-EMSGSIZE, -EMSGSIZE});
  CHECK(orders.log.closed == 1);
}

TEST_CASE("orders: what was refused or never sent is not done, and a lost answer may be") {
  const bool garbled = GENERATE(false, true);
  Orders orders{.count = 3};
  orders.replies = [&](std::uint32_t first) {
    Replies replies{ack(first, EINVAL), ENOBUFS};
    if (garbled) replies.back() = bytes_from_hex("00ff");
    return replies;
  };
  auto results = orders.results();
  CHECK_FALSE(results.at(0).error().perhaps_done());
  CHECK(results.at(1).error().perhaps_done());
  CHECK(results.at(2).error().perhaps_done());

  orders.log.refusal = ENOBUFS;
  for (auto const& unsent : orders.results())
    CHECK_FALSE(unsent.error().perhaps_done());
}

TEST_CASE("orders: a missing ack leaves the others their results and the next call clean") {
  Orders orders{.count = 3, .replies = [](std::uint32_t first) {
                  return Replies{ack(first), ack(first + 2, ENOENT)};
                }};
  CHECK(numbers(orders.results()) == std::vector<int>{0, -ETIMEDOUT, ENOENT});
  CHECK(orders.log.closed == 1);

  // The missing one comes at last, before the acks of the next three.
  orders.log.sent.clear();
  orders.replies = [](std::uint32_t first) {
    return Replies{ack(first - 2, EPERM), ack(first), ack(first + 1), ack(first + 2)};
  };
  CHECK(numbers(orders.results()) == std::vector<int>{0, 0, 0});
}

TEST_CASE("orders: lost acks and a malformed answer fail what has no result yet") {
  Orders orders{.count = 2};
  orders.replies = [](std::uint32_t first) { return Replies{ack(first + 1), ENOBUFS}; };
  CHECK(numbers(orders.results()) == std::vector<int>{-ENOBUFS, 0});

  orders.log.sent.clear();
  orders.replies = [](std::uint32_t first) {
    return Replies{ack(first), bytes_from_hex("00ff"), ack(first + 1)};
  };
  const auto results = orders.results();
  CHECK(results.at(0).has_value());
  CHECK(results.at(1).error().source == Source::malformed);
  CHECK(orders.log.closed == 2);
}

TEST_CASE("orders: entries and second acks are nobody's result") {
  Orders orders{.count = 2, .replies = [](std::uint32_t first) {
                  return Replies{entry(first, 6, {}), ack(first) + ack(first, EPERM),
                                 ack(first + 2, EINVAL), ack(first + 1)};
                }};
  CHECK(numbers(orders.results()) == std::vector<int>{0, 0});
}

TEST_CASE("orders: all go in one datagram and are numbered one after the other") {
  Orders orders{.count = 32, .replies = [](std::uint32_t first) {
                  Replies replies;
                  for (std::uint32_t i = 0; i < 32; ++i)
                    replies.emplace_back(ack(first + i));
                  return replies;
                }};
  CHECK(numbers(orders.results()) == std::vector<int>(32, 0));
  CHECK(orders.log.datagrams == 1);
  for (std::uint32_t i = 0; i < 32; ++i)
    CHECK(orders.log.sent.at(i).sequence == i + 1);
}

TEST_CASE("orders: each gets its own result in whatever order the acks come") {
  REQUIRE(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 33);
    const auto errors = *rc::gen::container<std::vector<int>>(
        count, rc::gen::element(0, ENOENT, ESRCH, EPERM, EINVAL));
    auto ranks =
        *rc::gen::container<std::vector<std::uint32_t>>(count, rc::gen::arbitrary<std::uint32_t>());
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranks[i]; });

    Orders orders{.count = count, .replies = [&](std::uint32_t first) {
                    Replies replies;
                    for (const auto i : order)
                      replies.emplace_back(ack(first + static_cast<std::uint32_t>(i), errors[i]));
                    return replies;
                  }};
    RC_ASSERT(numbers(orders.results()) == errors);
  }));
}
