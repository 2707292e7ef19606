#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gnomon {

/// Whether the bytes are one whole CBOR value (RFC 8949) in which arrays, maps and strings in pieces lie at most `most`
/// deep. Readers of CBOR call themselves at every level: bytes that someone else wrote are looked at first, so that a
/// stack of arrays in a file cannot overflow the one of the process. Tags are refused; we write none.
/// Cost: one pass, memory O(most).
bool is_shallow_cbor(std::span<const std::uint8_t> bytes, std::size_t most);

}  // namespace gnomon
