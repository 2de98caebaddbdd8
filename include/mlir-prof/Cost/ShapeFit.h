//===- ShapeFit.h - Whether a model can have shapes -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COST_SHAPEFIT_H
#define MLIR_PROF_COST_SHAPEFIT_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace mlirprof::cost {

enum class ShapeFit : uint8_t {
  /// All ops that were looked at can have them.
  Fits,
  /// The shapes of some ops are not known.
  Unknown,
  /// An op cannot have them.
  Misfits,
};

/// Whether the ops of `entry` agree with these shapes of its arguments: the
/// loops of a structured op have one length in all of its operands and stay
/// inside them, slices lie in their source, casts and assertions hold.
ShapeFit checkShapes(mlir::FunctionOpInterface entry,
                     llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// An op that cannot be executed, and the sizes that contradict each other.
struct ShapeMisfit {
  mlir::Operation *op = nullptr;
  std::string reason;
};

/// The first op that refutes these shapes of the arguments of `entry`, among
/// those that every call executes: ops outside of loops and branches, in the
/// functions called there, too. Assertions are left to the run, which prints
/// their messages.
std::optional<ShapeMisfit>
findMisfit(mlir::FunctionOpInterface entry,
           llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_SHAPEFIT_H
