//===- UnseenShapes.h - Shapes that were not recorded -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice that is faster for the shapes of a recording may be slower for
// others. A search therefore also measures it on shapes that were not recorded.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_UNSEENSHAPES_H
#define MLIR_PROF_OPTIMIZE_UNSEENSHAPES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace mlirprof::optimize {

/// The shape of each argument of a function; empty for scalars.
using ArgumentShapes = std::vector<std::vector<int64_t>>;

struct UnseenLimits {
  size_t shapes = 12;
  /// Limit on the elements of all arguments together, or sixteen times those of
  /// the largest seen shapes, whichever is more.
  double elements = 1 << 20;
  /// Limit on the work, relative to that of the largest seen shapes.
  double work = 32;
};

/// Makes shapes of the arguments of `entry` that `seen` lacks, by rule: all
/// dynamic dimensions half as large, twice as large, and half as large again
/// and odd; rounded up to a multiple of 16; one of them six times as large and
/// the others a little larger (long); one of them 1 and the others twice as
/// large (thin). They are derived from the most frequent of `seen`, and from
/// the largest.
///
/// Dimensions that were equal in all of `seen` change together, unless the ops
/// of `entry` show that they need not. Shapes that an op of `entry` cannot have
/// are left out, as far as its shapes follow from those of the arguments.
std::vector<ArgumentShapes>
makeUnseenShapes(mlir::FunctionOpInterface entry,
                 llvm::ArrayRef<ArgumentShapes> seen,
                 const UnseenLimits &limits = {});

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_UNSEENSHAPES_H
