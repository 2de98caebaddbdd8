//===- RuntimeModule.h - Data passed to the runtime -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's side of an instrumented module: the variable that describes it
// (prof_rt_module) and the functions of prof_rt.h.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_RUNTIMEMODULE_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_RUNTIMEMODULE_H

#include "mlir-prof/Profile/Program.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlirprof::transforms {

class RuntimeModule {
public:
  /// Describes `program` in `module`. `metadata` is the program as bytes, or
  /// empty.
  RuntimeModule(mlir::ModuleOp module, const profile::Program &program,
                uint32_t instances, llvm::StringRef metadata);

  /// Fails with an error if a symbol of `module` has the name of a runtime
  /// function but is something else.
  static llvm::LogicalResult checkNames(mlir::ModuleOp module);

  /// The address of the module's description.
  mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location location);
  /// Calls a function of the runtime, and declares it if necessary.
  mlir::LLVM::CallOp call(mlir::OpBuilder &builder, mlir::Location location,
                          llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange arguments);
  /// Calls the handler of --probe=call with the number of a probe, through a
  /// function of the module whose return address identifies the position in the
  /// code.
  void callHandler(mlir::OpBuilder &builder, mlir::Location location,
                   uint32_t probe);

private:
  mlir::LLVM::GlobalOp createArray(llvm::StringRef name,
                                   llvm::ArrayRef<uint32_t> numbers);
  mlir::LLVM::GlobalOp createBytes(llvm::StringRef name, llvm::StringRef bytes);
  mlir::LLVM::GlobalOp createGlobal(llvm::StringRef name, mlir::Type type,
                                    mlir::Attribute value);
  mlir::LLVM::GlobalOp createDiscard(const profile::Program &program);
  mlir::LLVM::GlobalOp createDescription(const profile::Program &program,
                                         uint32_t instances,
                                         llvm::StringRef metadata);
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name,
                                 mlir::LLVM::LLVMFunctionType type);
  mlir::LLVM::LLVMFuncOp createHandlerCall();

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::OpBuilder builder;
  mlir::LLVM::GlobalOp description;
  mlir::LLVM::LLVMFuncOp handlerCall;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_RUNTIMEMODULE_H
