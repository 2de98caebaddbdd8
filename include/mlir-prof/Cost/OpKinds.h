//===- OpKinds.h - Kinds of work that ops do --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COST_OPKINDS_H
#define MLIR_PROF_COST_OPKINDS_H

#include "mlir/IR/Operation.h"

namespace mlirprof::cost {

/// Kinds of work, as far as the name of an op determines it, in any dialect.
enum class OpKind : uint8_t {
  /// Constants, terminators, reshapes: nothing runs, or almost nothing.
  Free,
  Elementwise,
  /// Elementwise, with a function that takes tens of instructions.
  Transcendental,
  Contraction,
  Convolution,
  Reduction,
  /// Reductions over sliding windows.
  Window,
  /// Copies, transposes, slices, pads.
  Movement,
  /// Repeats a value; inside a fusion it is only an index.
  Broadcast,
  /// Calls, loops, functions: their time is that of the ops they contain.
  Control,
  Other,
};

OpKind getKind(mlir::Operation *op);

/// Whether an op can take time by itself.
inline bool doesWork(mlir::Operation *op) {
  return getKind(op) != OpKind::Free;
}

/// Whether `op` is a matrix product or a convolution.
bool isProduct(mlir::Operation *op);

/// Whether `op`, of any dialect, can have become an op with XLA's opcode
/// `opcode`: "dot" of linalg.matmul, "maximum" of a linalg.generic that
/// contains arith.maximumf, "multiply" of a division by a constant.
bool isKind(llvm::StringRef opcode, mlir::Operation *op);

/// All opcodes for which isKind holds.
llvm::SmallVector<llvm::StringRef, 4> getOpcodes(mlir::Operation *op);

/// XLA's opcodes for an op of this name, without dialect; empty if the name is
/// unknown.
llvm::ArrayRef<llvm::StringRef> getKnownOpcodes(llvm::StringRef name);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_OPKINDS_H
