//===- ShapeFit.h - Whether a model can have shapes -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SITES_SHAPEFIT_H
#define MLIR_PROF_LIB_OPTIMIZE_SITES_SHAPEFIT_H

#include "mlir-prof/Optimize/UnseenShapes.h"

namespace mlirprof::optimize {

enum class ShapeFit : uint8_t {
  /// All ops that were looked at can have them.
  Fits,
  /// The shapes of some ops are not known.
  Unknown,
  /// An op cannot have them.
  Misfits,
};

/// Whether the ops of `entry` agree with these shapes of its arguments: the
/// loops of a structured op have one length in all of its operands, slices lie
/// in what they are of, casts and assertions hold.
ShapeFit checkShapes(mlir::FunctionOpInterface entry,
                     const ArgumentShapes &shapes);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SITES_SHAPEFIT_H
