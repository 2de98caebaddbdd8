//===- ProgramLowering.h - A program of the executor ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_PROGRAMLOWERING_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_PROGRAMLOWERING_H

#include "Conflicts.h"
#include "RunLowering.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlirprof::codegen {

/// Dispatches and copies of a block that become one program.
struct HostSteps {
  llvm::SmallVector<mlir::Operation *> steps;
  /// Between them; they take place afterward.
  llvm::SmallVector<mlir::Operation *> deallocs;
};

/// Whether a dispatch in a table may have as many bindings and arguments as
/// operands of `types` need. The host side calls the kernels of others once,
/// with a grid of one workgroup.
bool fitsTable(mlir::TypeRange types);

/// Whether a program can copy as `op` does: a buffer as one sequence of bytes.
bool isPlainCopy(mlir::Operation *op);

/// Turns one program into a call of the executor.
class ProgramLowering {
public:
  ProgramLowering(RunLowering &parent, unsigned number)
      : parent(parent), builder(parent.builder), number(number) {}

  void lower(const HostSteps &program);

private:
  void addRun(dispatch::RunOp run);
  void addCopy(mlir::memref::CopyOp copy);
  TableValue addAddress(mlir::Value operand);
  void nameFunction(std::string name);
  void addThunk(dispatch::RunOp run);
  void addCopyFunction(mlir::memref::CopyOp copy);
  /// Without a value, a declaration.
  mlir::LLVM::GlobalOp define(llvm::StringRef name, mlir::Type type,
                              mlir::Attribute value);
  mlir::LLVM::GlobalOp declareArray(llvm::StringRef prefix, size_t length);
  mlir::LLVM::GlobalOp addProgram();
  mlir::LLVM::GlobalOp declareTable();
  mlir::LLVM::LLVMFuncOp getRunFunction();
  mlir::Value makeAddresses();
  void callExecutor(mlir::Value addresses, mlir::Value parameters,
                    mlir::LLVM::GlobalOp program);

  RunLowering &parent;
  mlir::OpBuilder &builder;
  unsigned number;
  mlir::Operation *last = nullptr;
  ConflictFinder conflicts;
  DispatchTable table;
  /// The number of each buffer among the addresses.
  llvm::SmallDenseMap<mlir::Value, uint32_t> addresses;
  /// Null for those of constants.
  llvm::SmallVector<mlir::Value> addressValues, parameters;
  /// The names of these, and of others "".
  llvm::SmallVector<llvm::StringRef> constants;
  llvm::SmallVector<llvm::StringRef> kernels;
  std::vector<std::string> thunks;
  llvm::SmallVector<mlir::Attribute> thunkPlaces;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_PROGRAMLOWERING_H
