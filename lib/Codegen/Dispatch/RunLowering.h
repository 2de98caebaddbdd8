//===- RunLowering.h - Calls of kernels -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_RUNLOWERING_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_RUNLOWERING_H

#include "mlir-prof/Codegen/Lowering.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

namespace mlirprof::codegen {

/// Replaces runs of kernels by calls of their code, or of the executor.
class RunLowering {
public:
  explicit RunLowering(mlir::ModuleOp module)
      : module(module), builder(module.getContext()),
        converter(module.getContext(), getLoweringOptions(module)),
        pointer(mlir::LLVM::LLVMPointerType::get(module.getContext())) {}

  /// Turns constants that only dispatches read into globals of LLVM, whose
  /// addresses take one op. Before all runs.
  void lowerConstants();
  /// One after the other, on the calling thread.
  void lowerToCall(dispatch::RunOp run);
  /// All runs of the module, in programs of the executor.
  void lowerToPrograms();
  /// Kernels are functions of addresses from here on.
  void replaceDeclarations();

private:
  friend class ProgramLowering;
  friend class StepLoop;

  /// An array for one call, which returns before the next array is made.
  mlir::Value makeArray(mlir::Operation *at, mlir::Type element,
                        mlir::ArrayRef<mlir::Value> values);
  /// A constant of integers, one for all calls that need it; null if there are
  /// none, or if they are not known.
  mlir::LLVM::GlobalOp findNumbers(mlir::Type element,
                                   mlir::ArrayRef<int64_t> values);
  mlir::LLVM::GlobalOp findNumbers(mlir::Type element, mlir::ValueRange values);
  /// Adds the dynamic dimensions of the buffer `operand`, as they were before
  /// it was cast, to `sizes`. Returns whether they are known.
  static bool findSizes(mlir::Value operand,
                        mlir::SmallVectorImpl<int64_t> &sizes);
  /// The same without the elements.
  mlir::Value getArray(mlir::Operation *at, mlir::Type element, size_t count);
  mlir::Value getAddress(mlir::Operation *at, mlir::Value operand);
  /// The lowered constant whose memory begins at `buffer`, or null if there is
  /// none.
  mlir::LLVM::GlobalOp findConstant(mlir::Value buffer);
  /// Memory on the stack, once per call of the function around `at`.
  mlir::Value reserve(mlir::Operation *at, mlir::Type type, unsigned count);
  void store(mlir::Location location, mlir::Value value, mlir::Type element,
             mlir::Value base, unsigned index);
  /// Adds the dynamic dimensions of the buffer `operand`.
  void addSizes(mlir::Operation *at, mlir::Value operand,
                mlir::SmallVectorImpl<mlir::Value> &sizes);
  /// Tells samplers that dispatch `instance` runs, or none.
  void publish(dispatch::RunOp run, int32_t instance);
  mlir::LLVM::GlobalOp getSlot();

  mlir::ModuleOp module;
  mlir::OpBuilder builder;
  mlir::LLVMTypeConverter converter;
  mlir::Type pointer;
  mlir::LLVM::GlobalOp slot;
  llvm::DenseMap<mlir::StringAttr, mlir::LLVM::GlobalOp> constants;
  /// The constants of integers, by their values.
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::GlobalOp> numbers;
  /// By function and type of the elements: the array that all calls share, as
  /// long as the longest of them.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Type>, mlir::LLVM::AllocaOp>
      arrays;
  /// Names of the functions that call a kernel for one dispatch.
  llvm::StringSet<> thunks;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_RUNLOWERING_H
