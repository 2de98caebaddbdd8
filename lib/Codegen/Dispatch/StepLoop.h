//===- StepLoop.h - Calls of kernels by a table -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where code should be small, one loop calls the kernels of a host side, and a
// table of constants tells it their arguments:
//
//   for each step
//     kernel = *pointers++, parameters = *pointers++
//     for each of its bindings
//       base = *bases++
//       binding = base ? bases of the host side[base] + *offsets++
//                      : *pointers++
//     kernel(bindings, parameters)
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_STEPLOOP_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_STEPLOOP_H

#include "RunLowering.h"

namespace mlirprof::codegen {

/// Replaces runs of one block, between which nothing else happens, by a loop.
class StepLoop {
public:
  explicit StepLoop(RunLowering &lowering) : lowering(lowering) {}

  /// The runs of `function` for which a loop is less code, in the order of
  /// their execution. Others are left out.
  std::vector<llvm::SmallVector<dispatch::RunOp>>
  findSequences(mlir::FunctionOpInterface function);
  void lower(mlir::ArrayRef<dispatch::RunOp> runs);

private:
  bool isKnown(dispatch::RunOp run);
  void addRow(dispatch::RunOp run, mlir::Operation *at);
  void addBinding(mlir::Value operand, mlir::Operation *at);
  uint8_t getBase(mlir::Value base);
  mlir::LLVM::GlobalOp makeTable(mlir::Type element, int64_t count,
                                 mlir::Attribute values);
  mlir::Value getAddress(mlir::LLVM::GlobalOp table);
  mlir::Value makeConstant(mlir::DenseElementsAttr values);
  mlir::Value makePointers();
  mlir::func::FuncOp getLoop();
  void buildLoop(mlir::func::FuncOp loop);

  RunLowering &lowering;
  mlir::func::FuncOp loop;
  /// The most bindings of a run; the loop makes room for as many.
  unsigned mostBindings = 0;
  mlir::LLVM::ConstantOp room;
  unsigned tables = 0;
  /// The columns of the table that is being made.
  llvm::SmallVector<mlir::StringRef> pointers;
  llvm::SmallVector<int32_t> offsets;
  llvm::SmallVector<uint8_t> bases;
  llvm::SmallVector<mlir::Value> places;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_STEPLOOP_H
