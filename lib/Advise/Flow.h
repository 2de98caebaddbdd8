//===- Flow.h - Measured ops and the users of their results -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_ADVISE_FLOW_H
#define MLIR_PROF_LIB_ADVISE_FLOW_H

#include "Context.h"

namespace mlirprof::advise {

/// A measured op, and the users of its result.
struct FlowOp {
  Subject subject;
  /// As Advice::ops; kNone if unknown.
  uint32_t position = trace::kNone;
  bool isMemoryBound = false;
  /// Positions in Flow::ops, ascending and distinct; kNone (last) represents
  /// ops that are not in it.
  std::vector<uint32_t> users;
  /// Loops that contain its code, ascending.
  std::vector<uint32_t> loops;
};

struct Flow {
  std::vector<FlowOp> ops;

  /// Whether a loop contains code of both.
  bool isFused(uint32_t a, uint32_t b) const;
};

/// The flow between the measured instructions of XLA's programs, or between the
/// ops of a model that `mlir-prof record` ran; none if neither is known.
std::optional<Flow> getFlow(const AdviseContext &context);

} // namespace mlirprof::advise

#endif // MLIR_PROF_LIB_ADVISE_FLOW_H
