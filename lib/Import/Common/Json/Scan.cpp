//===- Scan.cpp - Finding the ends of JSON values -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scan.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace mlirprof::importer;
using namespace mlirprof::importer::json;

const char *mlirprof::importer::json::skipString(const char *at,
                                                 const char *end) {
  for (++at; at < end; ++at) {
    if (*at == '"')
      return at + 1;
    if (*at == '\\')
      ++at;
  }
  return nullptr;
}

const char *mlirprof::importer::json::skipValue(const char *at,
                                                const char *end) {
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

/// Classes of 64 bytes; bit i is byte i.
struct Block {
  uint64_t quotes;
  uint64_t backslashes;
  uint64_t opens;
  uint64_t closes;
  uint64_t controls;
};

/// The portable version.
Block classify(const char *at) {
  Block block = {0, 0, 0, 0, 0};
  for (unsigned i = 0; i != 64; ++i) {
    uint64_t bit = uint64_t(1) << i;
    char c = at[i];
    block.quotes |= c == '"' ? bit : 0;
    block.backslashes |= c == '\\' ? bit : 0;
    // Braces differ from brackets in this bit only.
    block.opens |= (c | 0x20) == '{' ? bit : 0;
    block.closes |= (c | 0x20) == '}' ? bit : 0;
    block.controls |= uint8_t(c) < 0x20 ? bit : 0;
  }
  return block;
}

#if defined(__x86_64__)
#define MLIRPROF_AVX2 __attribute__((target("avx2,popcnt,bmi")))
MLIRPROF_AVX2 inline Block classifyWithAvx2(const char *at) {
  Block block = {0, 0, 0, 0, 0};
  for (unsigned i = 0; i != 2; ++i) {
    __m256i bytes =
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(at + 32 * i));
    __m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
    __m256i controls = _mm256_cmpeq_epi8(
        _mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
    unsigned shift = 32 * i;
    block.quotes |= uint64_t(uint32_t(_mm256_movemask_epi8(
                        _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')))))
                    << shift;
    block.backslashes |= uint64_t(uint32_t(_mm256_movemask_epi8(
                             _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')))))
                         << shift;
    block.opens |= uint64_t(uint32_t(_mm256_movemask_epi8(
                       _mm256_cmpeq_epi8(folded, _mm256_set1_epi8('{')))))
                   << shift;
    block.closes |= uint64_t(uint32_t(_mm256_movemask_epi8(
                        _mm256_cmpeq_epi8(folded, _mm256_set1_epi8('}')))))
                    << shift;
    block.controls |= uint64_t(uint32_t(_mm256_movemask_epi8(controls)))
                      << shift;
  }
  return block;
}
#endif

namespace plain {
#define MLIRPROF_TARGET
#define MLIRPROF_CLASSIFY classify
#include "Cut.inc"
} // namespace plain

#if defined(__x86_64__)
namespace avx2 {
#define MLIRPROF_TARGET MLIRPROF_AVX2
#define MLIRPROF_CLASSIFY classifyWithAvx2
#include "Cut.inc"
} // namespace avx2
#endif

} // namespace

Cut mlirprof::importer::json::cutElements(const char *begin, const char *end,
                                          size_t length, size_t limit) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
      __builtin_cpu_supports("bmi"))
    return avx2::cut(begin, end, length, limit);
#endif
  return plain::cut(begin, end, length, limit);
}
