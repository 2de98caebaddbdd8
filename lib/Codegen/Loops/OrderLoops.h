//===- OrderLoops.h - Scalar loops without long chains ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_LOOPS_ORDERLOOPS_H
#define MLIR_PROF_LIB_CODEGEN_LOOPS_ORDERLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlirprof::codegen {

/// Makes the loop along the rows of `op`'s result the innermost one, if that is
/// better than a sum: `op` may be replaced.
void orderLoops(mlir::linalg::LinalgOp op);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_ORDERLOOPS_H
