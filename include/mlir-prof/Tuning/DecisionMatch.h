//===- DecisionMatch.h - Decisions that fit an op ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_DECISIONMATCH_H
#define MLIR_PROF_TUNING_DECISIONMATCH_H

#include "mlir-prof/Tuning/Decision.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof::tuning {

/// The confidence that a decision applies to an op. A wrong match costs time
/// but never correctness, since techniques check their preconditions.
enum class Confidence : uint8_t {
  /// The same op with the same shapes.
  Exact,
  /// The same op, measured on dynamic sizes that are very different.
  OtherSizes,
  /// The same op with other static sizes.
  ShapeErased,
  /// An op of that name between the same neighbors.
  Neighborhood,
};
llvm::StringRef getName(Confidence confidence);

struct DecisionMatch {
  /// Valid until the database changes.
  const Decision *decision = nullptr;
  Confidence confidence = Confidence::Exact;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISIONMATCH_H
