//===- StaticCost.h - Static cost of an op, from its types ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COST_STATICCOST_H
#define MLIR_PROF_COST_STATICCOST_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlirprof::cost {

/// Weights of the cost model. The unit is one multiplication or addition of a
/// contraction that runs at a core's peak. See docs/matching.md for how the
/// others were chosen. An element that an elementwise op computes is loaded and
/// stored for one instruction, whereas a contraction reuses loaded elements.
inline constexpr uint64_t kElement = 8;
/// An element of tanh, exp and similar functions.
inline constexpr uint64_t kTranscendental = 40;
/// An element that a reduction reads.
inline constexpr uint64_t kReduced = 24;
/// An element that is moved.
inline constexpr uint64_t kMoved = 16;
/// An element that a broadcast writes; within a fusion it is mostly just an
/// index.
inline constexpr uint64_t kBroadcast = 1;
/// Assumed size of dynamic dimensions. Members of one set mostly have the same
/// dynamic dimensions, so the size cancels out.
inline constexpr int64_t kDynamicSize = 128;
/// Upper bound of costs.
inline constexpr uint64_t kMax = uint64_t(1) << 48;
/// Cost of running `op` once: 0 for ops that do not do work, else at least 1.
uint64_t getStaticCost(mlir::Operation *op);

/// Elements of the op's largest result, at least 1: the cost of sending it to
/// other devices.
uint64_t getSendCost(mlir::Operation *op);

/// Cost of a structured op of linalg, from its loops; none for other ops.
std::optional<uint64_t> getLinalgCost(mlir::Operation *op);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_STATICCOST_H
