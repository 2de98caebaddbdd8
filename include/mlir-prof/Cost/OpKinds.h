//===- OpKinds.h - What kind of work an op does -----------------*- C++ -*-===//
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

/// Kinds of work, as far as the name of an op tells, in any dialect.
enum class OpKind : uint8_t {
  /// Constants, terminators, reshapes: nothing runs, or next to nothing.
  Free,
  Elementwise,
  /// Elementwise with a function that takes tens of instructions.
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
  /// Calls, loops, functions: their time is that of what they hold.
  Control,
  Other,
};

OpKind getKind(mlir::Operation *op);

/// Whether time can be the op's own.
inline bool doesWork(mlir::Operation *op) {
  return getKind(op) != OpKind::Free;
}

/// Whether an op with XLA's opcode `opcode` can be what became of `op`, in any
/// dialect: "dot" of linalg.matmul, "maximum" of a linalg.generic with
/// arith.maximumf in it, "multiply" of a division by a constant.
bool isKind(llvm::StringRef opcode, mlir::Operation *op);

/// All opcodes for which that is so.
llvm::SmallVector<llvm::StringRef, 4> getOpcodes(mlir::Operation *op);

/// XLA's opcodes for an op of this name, without dialect; none when it is not
/// known.
llvm::ArrayRef<llvm::StringRef> getKnownOpcodes(llvm::StringRef name);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_OPKINDS_H
