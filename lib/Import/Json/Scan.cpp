//===- Scan.cpp - Where JSON values end -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scan.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"

#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

using namespace mlirprof::json;

const char *mlirprof::json::skipString(const char *at, const char *end) {
  for (++at; at < end; ++at) {
    if (*at == '"')
      return at + 1;
    if (*at == '\\')
      ++at;
  }
  return nullptr;
}

const char *mlirprof::json::skipValue(const char *at, const char *end) {
  size_t depth = 0;
  while (at < end) {
    switch (*at) {
    case '"':
      at = skipString(at, end);
      if (!at || depth == 0)
        return at;
      continue;
    case '{':
    case '[':
      ++depth;
      break;
    case '}':
    case ']':
      // A number, true, false or null ends before it.
      if (depth == 0)
        return at;
      if (--depth == 0)
        return at + 1;
      break;
    default:
      if (depth == 0 && (*at == ',' || isSpace(*at)))
        return at;
    }
    ++at;
  }
  return nullptr;
}

namespace {

/// Which of 64 bytes are what; bit i is byte i.
struct Block {
  uint64_t quotes;
  uint64_t backslashes;
  uint64_t opens;
  uint64_t closes;
  uint64_t controls;
};

#if defined(__SSE2__)
Block classify(const char *at) {
  Block block = {0, 0, 0, 0, 0};
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i open = _mm_set1_epi8('{');
  const __m128i close = _mm_set1_epi8('}');
  const __m128i control = _mm_set1_epi8(0x1f);
  const __m128i lower = _mm_set1_epi8(0x20);
  auto bits = [](__m128i mask) {
    return uint64_t(uint32_t(_mm_movemask_epi8(mask)));
  };
  for (unsigned i = 0; i != 4; ++i) {
    __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(at + 16 * i));
    // Braces differ from brackets in this bit only.
    __m128i folded = _mm_or_si128(bytes, lower);
    unsigned shift = 16 * i;
    block.quotes |= bits(_mm_cmpeq_epi8(bytes, quote)) << shift;
    block.backslashes |= bits(_mm_cmpeq_epi8(bytes, backslash)) << shift;
    block.opens |= bits(_mm_cmpeq_epi8(folded, open)) << shift;
    block.closes |= bits(_mm_cmpeq_epi8(folded, close)) << shift;
    block.controls |= bits(_mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes))
                      << shift;
  }
  return block;
}
#else
Block classify(const char *at) {
  Block block = {0, 0, 0, 0, 0};
  for (unsigned i = 0; i != 64; ++i) {
    uint64_t bit = uint64_t(1) << i;
    char c = at[i];
    block.quotes |= c == '"' ? bit : 0;
    block.backslashes |= c == '\\' ? bit : 0;
    block.opens |= (c | 0x20) == '{' ? bit : 0;
    block.closes |= (c | 0x20) == '}' ? bit : 0;
    block.controls |= uint8_t(c) < 0x20 ? bit : 0;
  }
  return block;
}
#endif

/// Bit i of the result is the parity of bits 0 to i.
uint64_t prefixXor(uint64_t bits) {
  for (unsigned shift = 1; shift != 64; shift *= 2)
    bits ^= bits << shift;
  return bits;
}

/// Follows strings and nesting from block to block.
class Walk {
public:
  /// What a block leaves of the masks: what stands outside of strings, and
  /// control characters in them.
  Block step(const char *at) {
    Block block = classify(at);
    if (LLVM_UNLIKELY(block.backslashes || escapesNext))
      block.quotes &= ~findEscaped(block.backslashes);
    uint64_t inString = prefixXor(block.quotes) ^ stringMask;
    stringMask = uint64_t(int64_t(inString) >> 63);
    block.opens &= ~inString;
    block.closes &= ~inString;
    block.controls &= inString;
    return block;
  }

private:
  /// The bytes that a backslash before them takes its meaning from.
  uint64_t findEscaped(uint64_t backslashes) {
    uint64_t escaped = 0;
    uint64_t pending = backslashes & ~uint64_t(escapesNext);
    escaped = escapesNext;
    escapesNext = 0;
    while (pending) {
      unsigned i = unsigned(llvm::countr_zero(pending));
      if (i == 63) {
        escapesNext = 1;
        break;
      }
      escaped |= uint64_t(2) << i;
      // Neither this one nor the one that it escapes begins another.
      pending &= ~(uint64_t(3) << i);
    }
    return escaped;
  }

  /// All bits set when a string goes on into the next block.
  uint64_t stringMask = 0;
  /// 1 when the next block's first byte is escaped.
  uint64_t escapesNext = 0;
};

} // namespace

Cut mlirprof::json::cutElements(const char *begin, const char *end,
                                size_t length, size_t limit) {
  Walk walk;
  int64_t depth = 0;
  const char *lastEnd = begin;
  alignas(16) char tail[64];
  for (const char *at = begin; at < end; at += 64) {
    const char *block = at;
    if (LLVM_UNLIKELY(end - at < 64)) {
      std::memset(tail, ' ', sizeof(tail));
      std::memcpy(tail, at, size_t(end - at));
      block = tail;
    }
    Block masks = walk.step(block);
    if (LLVM_UNLIKELY(masks.controls))
      return {at + llvm::countr_zero(masks.controls), CutReason::Suspicious};
    int64_t closes = llvm::popcount(masks.closes);
    bool isFull = size_t(at - begin) + 64 >= length;
    if (LLVM_LIKELY(depth > closes && !isFull)) {
      depth += llvm::popcount(masks.opens) - closes;
      continue;
    }
    // An element, or the array, may end here.
    for (uint64_t both = masks.opens | masks.closes; both; both &= both - 1) {
      unsigned i = unsigned(llvm::countr_zero(both));
      if (masks.opens >> i & 1) {
        ++depth;
        continue;
      }
      if (--depth < 0)
        return {at + i, CutReason::ArrayEnd};
      if (depth == 0) {
        lastEnd = at + i + 1;
        if (size_t(lastEnd - begin) >= length)
          return {lastEnd, CutReason::Length};
      }
    }
    if (LLVM_UNLIKELY(size_t(at - begin) > limit))
      return {at, CutReason::Suspicious};
  }
  return {lastEnd, CutReason::InputEnd};
}
