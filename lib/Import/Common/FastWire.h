//===- FastWire.h - Reading varints without branches ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_FASTWIRE_H
#define MLIR_PROF_LIB_IMPORT_COMMON_FASTWIRE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

namespace mlirprof::importer {

/// Reads a varint of up to eight bytes; eight can be loaded at `at`. Returns
/// false, with `at` unchanged, if the varint is longer. Times in picoseconds
/// have four to seven bytes, unpredictably, which costs a loop over the bytes a
/// mispredicted branch each: this function does not need any.
LLVM_ATTRIBUTE_ALWAYS_INLINE bool readLoadedVarint(const char *&at,
                                                   uint64_t &value) {
  uint64_t word = llvm::support::endian::read64le(at);
  uint64_t stops = ~word & 0x8080808080808080ull;
  if (LLVM_UNLIKELY(stops == 0))
    return false;
  at += (unsigned(llvm::countr_zero(stops)) + 1) / 8;
  // All bits below the first stop bit.
  word &= stops ^ (stops - 1);
  // Close the gaps of one bit between bytes, then of two, then of four.
  word = (word & 0x007f007f007f007full) | ((word & 0x7f007f007f007f00ull) >> 1);
  word = (word & 0x00003fff00003fffull) | ((word & 0x3fff00003fff0000ull) >> 2);
  value =
      (word & 0x000000000fffffffull) | ((word & 0x0fffffff00000000ull) >> 4);
  return true;
}

/// Reads a varint at `at`; same result and exceptions as
/// protozero::decode_varint.
inline uint64_t readVarint(const char *&at, const char *end) {
  uint64_t value;
  if (LLVM_LIKELY(end - at >= 8 && readLoadedVarint(at, value)))
    return value;
  return protozero::decode_varint(&at, end);
}

/// The same if bytes up to `loadable`, which is not before `end`, may be
/// loaded: messages of a few bytes end before eight can be loaded from them.
inline uint64_t readVarint(const char *&at, const char *end,
                           const char *loadable) {
  if (LLVM_UNLIKELY(at == end))
    throw protozero::end_of_buffer_exception();
  uint64_t value = readVarint(at, loadable);
  if (LLVM_UNLIKELY(at > end))
    throw protozero::end_of_buffer_exception();
  return value;
}

/// The same if one or two bytes are by far the most likely length.
inline uint64_t readShortVarint(const char *&at, const char *end) {
  if (LLVM_LIKELY(at != end && int8_t(*at) >= 0))
    return uint64_t(*at++);
  if (LLVM_LIKELY(end - at >= 2 && int8_t(at[1]) >= 0)) {
    uint64_t value = (uint64_t(at[0]) & 0x7f) | uint64_t(at[1]) << 7;
    at += 2;
    return value;
  }
  return protozero::decode_varint(&at, end);
}

/// Reads the length of a field and checks that the field is within `end`.
inline size_t readLength(const char *&at, const char *end) {
  uint64_t length = readShortVarint(at, end);
  if (LLVM_UNLIKELY(length > uint64_t(end - at)))
    throw protozero::end_of_buffer_exception();
  return size_t(length);
}

/// Reads the length and the bytes of a field.
inline llvm::StringRef readBytes(const char *&at, const char *end) {
  size_t length = readLength(at, end);
  llvm::StringRef bytes(at, length);
  at += length;
  return bytes;
}

/// Skips the value of a field whose tag has the encoded form `tag`. Groups,
/// which are obsolete, are an error.
inline void skipField(uint64_t tag, const char *&at, const char *end) {
  size_t size = 0;
  switch (tag & 7) {
  case 0:
    readVarint(at, end);
    return;
  case 1:
    size = 8;
    break;
  case 2:
    readBytes(at, end);
    return;
  case 5:
    size = 4;
    break;
  default:
    throw protozero::unknown_pbf_wire_type_exception();
  }
  if (size > size_t(end - at))
    throw protozero::end_of_buffer_exception();
  at += size;
}

/// Tags in their encoded form.
constexpr uint64_t varintTag(uint64_t field) { return field << 3; }
constexpr uint64_t fixed64Tag(uint64_t field) { return field << 3 | 1; }
constexpr uint64_t bytesTag(uint64_t field) { return field << 3 | 2; }

/// Calls `read(tag, at, end)` for every field; `read` must advance past the
/// value.
template <typename Read>
inline void readFields(llvm::StringRef message, Read &&read) {
  const char *at = message.begin();
  const char *end = message.end();
  while (at != end)
    read(readShortVarint(at, end), at, end);
}

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_FASTWIRE_H
