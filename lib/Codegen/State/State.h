//===- State.h - Values that outlive a call of a model ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable is a symbol whose value outlives the calls of a model. On tensors,
// variables are values (ThreadState.cpp): each function has an argument for the
// value before its call and a result for the one after it. On buffers, all
// variables are parts of one buffer (PlaceState.cpp), the state.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_STATE_STATE_H
#define MLIR_PROF_LIB_CODEGEN_STATE_STATE_H

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "llvm/ADT/SetVector.h"

namespace mlirprof::codegen {

/// On the op that stores a variable: its destination is the variable's buffer.
inline constexpr llvm::StringLiteral kStoresVariable = "mlirprof.store";

/// The variables that a function uses, in the order of their first uses.
struct VariableUses {
  llvm::SmallSetVector<mlir::ml_program::GlobalOp, 4> used, written;
};

/// The value of a variable, `type` for scalars too, of rank 0.
mlir::RankedTensorType getTensorType(mlir::ml_program::GlobalOp variable);

/// Adds what `function` uses itself, without its callees, to `uses`. Fails at
/// an op that cannot be expressed by values.
mlir::LogicalResult addOwnUses(mlir::func::FuncOp function,
                               mlir::SymbolTable &symbols, VariableUses &uses);

/// Replaces the loads and stores of `function` by values: arguments for all
/// variables in its entry of `uses`, results for those written. Calls pass
/// them on.
mlir::LogicalResult
threadVariables(mlir::func::FuncOp function, mlir::SymbolTable &symbols,
                const llvm::DenseMap<mlir::Operation *, VariableUses> &uses);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_STATE_STATE_H
