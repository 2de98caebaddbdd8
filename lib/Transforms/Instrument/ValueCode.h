//===- ValueCode.h - The code that records values ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_VALUECODE_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_VALUECODE_H

#include "ProbeCode.h"

#include <vector>

namespace mlirprof::transforms {

/// Emits the code of prof.value.
class ValueCode {
public:
  ValueCode(RuntimeModule &runtime, ThreadBlocks &blocks,
            const profile::Program &program, int64_t firstCell);

  /// Lowers `value` and erases it.
  void lower(prof::ValueOp value);

private:
  mlir::Value isNew(mlir::OpBuilder &builder, BlockWords &words,
                    mlir::Location location, int64_t cell,
                    mlir::ValueRange tuple);
  void callChanged(mlir::OpBuilder &builder, BlockWords &words,
                   prof::ValueOp value, int64_t cell, mlir::ValueRange tuple);
  void callValue(mlir::OpBuilder &builder, BlockWords &words,
                 prof::ValueOp value, int64_t cell, mlir::ValueRange tuple);

  RuntimeModule &runtime;
  ThreadBlocks &blocks;
  /// The word at which the cell of each site begins.
  std::vector<int64_t> cells;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_VALUECODE_H
