//===- MemoryParts.h - Buffers as parts that ops access whole ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DEVICES_MEMORYPARTS_H
#define MLIR_PROF_LIB_CODEGEN_DEVICES_MEMORYPARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace mlirprof::codegen {

/// Consecutive parts.
struct PartRange {
  unsigned begin = 0, end = 0;
};

/// Bytes of one buffer that each op of a function accesses all or not at all.
struct MemoryPart {
  /// The argument of the function that they are in; null for a constant.
  mlir::BlockArgument base;
  int64_t begin = 0, end = 0;
};

/// The memory of a function, whose buffers are parts of its arguments, or
/// constants.
class MemoryParts {
public:
  /// Finds the buffers of all ops in `function`. One whose place or size is not
  /// known is an error at its op.
  mlir::LogicalResult find(mlir::func::FuncOp function);

  llvm::ArrayRef<MemoryPart> get() const { return parts; }

  /// The parts of `buffer`, or of a range of its bytes. Constants, which do not
  /// change, do not have parts.
  PartRange getParts(mlir::Value buffer,
                     std::optional<llvm::ArrayRef<int64_t>> range = {}) const;

private:
  mlir::LogicalResult addBuffer(mlir::Operation *op, mlir::Value buffer);

  std::vector<MemoryPart> parts;
  /// By argument of the function: the begins and ends of its buffers, each with
  /// the part that begins there.
  std::map<unsigned, std::map<int64_t, unsigned>> cuts;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DEVICES_MEMORYPARTS_H
