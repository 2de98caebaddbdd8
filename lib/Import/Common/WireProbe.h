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

/// Steps over the fields of what may be a protobuf, to tell formats apart: the
/// numbers and types of fields are all that differs. Safe on any input.
class WireProbe {
public:
  enum class Type : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

  explicit WireProbe(llvm::StringRef bytes) : rest(bytes) {}

  /// Goes to the first or next field; false at the end, at what is no field,
  /// and where the bytes end within one.
  bool next();

  uint64_t number() const { return field; }
  Type type() const { return wireType; }
  bool is(uint64_t aNumber, Type aType) const {
    return field == aNumber && wireType == aType;
  }
  /// Of a varint.
  uint64_t value() const { return varint; }
  /// Of a field of bytes: what of it is there.
  llvm::StringRef bytes() const { return content; }
  /// Whether the last field ends behind the bytes: a file that was cut.
  bool isCut() const { return cut; }
  /// Whether there is something that is no field, other than by a cut.
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
