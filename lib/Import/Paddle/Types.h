//===- Types.h - The types of PaddlePaddle's events -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PADDLE_TYPES_H
#define MLIR_PROF_LIB_IMPORT_PADDLE_TYPES_H

#include "../Kineto/CallTree.h"
#include "mlir-prof/Scope/RecordingBuilder.h"
#include "mlir-prof/Scope/Scope.h"

#include <optional>

namespace mlirprof::importer::paddle {

/// The type that a trace calls `category`.
std::optional<scope::ScopeType> findType(llvm::StringRef category);

/// The part that events of a type play for ops.
struct Meaning {
  kineto::Category category = kineto::Category::Other;
  profile::CallPhase phase = profile::CallPhase::Forward;
};
Meaning getMeaning(scope::ScopeType type);

/// The name of the op that an event of type Operator measures: Paddle's tables
/// do not show " dygraph", " pybind_imperative_func" and " compute" either.
llvm::StringRef getOpName(llvm::StringRef name, scope::ScopeType type);

/// Whether an event of this type is work of a device.
inline bool isDeviceType(scope::ScopeType type) {
  return type == scope::ScopeType::Kernel || type == scope::ScopeType::Memcpy ||
         type == scope::ScopeType::Memset;
}

/// "Place(gpu:0)" is the memory "gpu:0".
llvm::StringRef getPlace(llvm::StringRef text);

/// The type of a memory event that a trace calls `category`.
std::optional<scope::MemoryType> findMemoryType(llvm::StringRef category);

/// Hangs user scopes of other threads without a scope around them below the
/// step during which they began.
void linkToSteps(scope::Recording &recording);

/// Times in nanoseconds since the epoch, of which the earliest becomes the
/// anchor.
class EpochTimes {
public:
  /// The earliest begin so far counts.
  void see(uint64_t ns) { earliestNs = std::min(earliestNs, ns); }
  int64_t getAnchorNs() const;
  /// Saturates.
  int64_t toPs(uint64_t ns) const;

private:
  uint64_t earliestNs = std::numeric_limits<int64_t>::max();
};

} // namespace mlirprof::importer::paddle

#endif // MLIR_PROF_LIB_IMPORT_PADDLE_TYPES_H
