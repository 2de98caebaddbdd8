//===- KernelGoals.h - Which kernels are fast, and which small --*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_KERNELGOALS_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_KERNELGOALS_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlirprof::compile {

/// The goals of kernels by function. With a balance, the kernels that do nine
/// tenths of the model's work, by the iterations of their loops, are fast, and
/// the others small.
llvm::DenseMap<mlir::Operation *, codegen::CodeGoal>
chooseGoals(llvm::ArrayRef<mlir::func::FuncOp> kernels,
            const mlir::SymbolUserMap &users, codegen::CodeGoal goal);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_KERNELGOALS_H
