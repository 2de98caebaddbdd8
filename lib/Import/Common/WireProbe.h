//===- WireProbe.h - A first look at protobufs ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_WIREPROBE_H
#define MLIR_PROF_LIB_IMPORT_COMMON_WIREPROBE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlirprof::importer {

/// Steps through the fields of a potential protobuf, to distinguish formats,
/// which differ only in the numbers and types of fields. Safe on any input.
class WireProbe {
public:
  enum class Type : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

  explicit WireProbe(llvm::StringRef bytes) : rest(bytes) {}

  /// Goes to the first or next field; false at the end, at an invalid field,
  /// and if the bytes end within a field.
  bool next();

  uint64_t number() const { return field; }
  Type type() const { return wireType; }
  bool is(uint64_t aNumber, Type aType) const {
    return field == aNumber && wireType == aType;
  }
  /// Value of a varint.
  uint64_t value() const { return varint; }
  /// Content of a field of bytes, as far as it is available.
  llvm::StringRef bytes() const { return content; }
  /// Whether the last field extends past the bytes: a truncated file.
  bool isCut() const { return cut; }
  /// Whether there is an invalid field other than by truncation.
  bool isBroken() const { return broken; }

private:
  bool readVarint(uint64_t &value);

  llvm::StringRef rest;
  llvm::StringRef content;
  uint64_t field = 0;
  uint64_t varint = 0;
  Type wireType = Type::Varint;
  bool cut = false;
  bool broken = false;
};

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_WIREPROBE_H
