//===- Warpgroups.h - Products of warpgroups by tensor cores ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GPU_WARPGROUPS_H
#define MLIR_PROF_LIB_CODEGEN_GPU_WARPGROUPS_H

#include "AsyncOperand.h"

namespace mlirprof::codegen {

/// Products of warpgroups (wgmma of sm_90a): four warps multiply tiles in
/// shared memory, while their threads go on. Each warpgroup has some rows of
/// the tile of the workgroup, and all of its columns.
class Warpgroups {
public:
  /// The rows and the depth of one instruction.
  static constexpr int64_t kRows = 64, kDepth = 16;

  Warpgroups(GpuKernel &kernel, mlir::Location location, mlir::Value thread);

  /// Whether warpgroups cover the tile of `plan`.
  static bool fits(const GpuPlan &plan);

  /// The first row and column of the thread in the tile of the workgroup.
  std::pair<mlir::Value, mlir::Value> getPlace();
  /// The rows of a warpgroup.
  int64_t getRowCount() const { return rows; }

  /// Sums that are zero, as start() takes them: one value for each instruction
  /// along the rows.
  llvm::SmallVector<mlir::Value> getZeros(mlir::Type type);
  /// Starts to add the products of the tile `stage` to `sums`.
  llvm::SmallVector<mlir::Value> start(const AsyncOperand &left,
                                       const AsyncOperand &right,
                                       mlir::Value stage,
                                       llvm::ArrayRef<mlir::Value> sums);
  /// Waits until at most `count` calls of start() are not done.
  void wait(unsigned count);
  /// The numbers of `sums`, for which the thread has waited.
  llvm::SmallVector<mlir::Value> getNumbers(llvm::ArrayRef<mlir::Value> sums);

private:
  mlir::Value describe(const AsyncOperand &operand, mlir::Value stage,
                       mlir::Value line, int64_t atomStride);
  mlir::Value skip(mlir::Value descriptor, int64_t bytes);

  mlir::OpBuilder &builder;
  mlir::Location location;
  IndexBuilder math;
  int64_t rows, columns, depth;
  mlir::Value thread, firstRow;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GPU_WARPGROUPS_H
