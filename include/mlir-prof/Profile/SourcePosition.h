//===- SourcePosition.h - Places in a user's program ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_SOURCEPOSITION_H
#define MLIR_PROF_PROFILE_SOURCEPOSITION_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <tuple>

namespace mlirprof::profile {

/// A place in a program's source.
struct SourcePosition {
  /// Empty if a recording contains only a function.
  std::string file;
  uint32_t line = 0;
  /// 0 if unknown.
  uint32_t column = 0;
  /// The function that contains it, or "".
  std::string function;

  auto tie() const { return std::tie(file, line, column, function); }
};

inline bool operator==(const SourcePosition &a, const SourcePosition &b) {
  return a.tie() == b.tie();
}
inline bool operator<(const SourcePosition &a, const SourcePosition &b) {
  return a.tie() < b.tie();
}

/// Reads a frame as printed by frameworks, "models.py(21): forward"; a column
/// may follow the line ("(21:5)"), and the function may be missing. Other text
/// is the function of a position without a file.
SourcePosition parseFrame(llvm::StringRef text);
/// The inverse of parseFrame().
std::string printFrame(const SourcePosition &position);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_SOURCEPOSITION_H
