#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace gnomon {

/// Data or a request that cannot be served. The message is one line: what, where, what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call that is wrong by itself (an unknown name, a malformed value): exit code 2 on the command line.
class UsageError : public Error {
 public:
  using Error::Error;
};

namespace detail {

/// How many texts have been formed for messages. Checks that hold form none: tests count.
inline std::atomic<std::int64_t> messages_formed{0};

/// An argument that costs nothing to hand over: something that exists already, or a plain value. A text made for
/// the message does not count.
template <class T>
concept ReadyMade = std::is_lvalue_reference_v<T> || std::is_trivially_destructible_v<T>;

}  // namespace detail

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) {
  ++detail::messages_formed;
  throw Error(fmt::format(message, std::forward<Args>(args)...));
}

/// Checks a condition that a caller can break; the message says how to put it right. It costs a comparison while the
/// condition holds: an argument that would be made for the message alone does not compile. Write
/// `if (!condition) fail(message, join(names))` then.
template <class... Args>
void require(bool condition, fmt::format_string<Args...> message, Args&&... args) {
  static_assert((detail::ReadyMade<Args> && ...),
                "this text is made even when all is well: write if (!condition) fail(...)");
  if (!condition) fail(message, std::forward<Args>(args)...);
}

}  // namespace gnomon
