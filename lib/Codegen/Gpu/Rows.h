//===- Rows.h - Ops that share their rows -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GPU_ROWS_H
#define MLIR_PROF_LIB_CODEGEN_GPU_ROWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlirprof::codegen {

/// Whether the loops of `op` are those of `sizes`, of which the last one is
/// along a row, or those of the rows alone, and if it reduces, along its rows.
bool isRowOp(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> sizes);

/// Whether `op`, a row op, reads one element for each row by `use`: that of its
/// own row.
bool readsItsRow(mlir::linalg::LinalgOp op, mlir::OpOperand &use,
                 llvm::ArrayRef<int64_t> sizes);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GPU_ROWS_H
