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

#include "ProbeParts.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlirprof::transforms {

/// The program with which a description is written.
struct RuntimeMetadata {
  /// The program as bytes, or empty.
  std::string bytes;
  /// Whether the program is complete only when code is linked: the description
  /// refers to a section (kMetadataSection) that gets it then.
  bool isLater = false;
};

class RuntimeModule {
public:
  /// Describes the probes of `layout` in `module`. Code of dispatches does not
  /// have a description: it gets that of the host side.
  RuntimeModule(mlir::ModuleOp module, const ProbeLayout &layout,
                uint32_t instances, const RuntimeMetadata &metadata);

  /// Fails with an error if a symbol of `module` has the name of a runtime
  /// function but is something else.
  static llvm::LogicalResult checkNames(mlir::ModuleOp module);

  /// The address of the module's description, for code at `op`.
  mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location location,
                         mlir::Operation *op);
  /// The number by which the runtime knows the probe, or table, `own` of the
  /// function around `op`.
  mlir::Value getProbe(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::Operation *op, uint32_t own);
  mlir::Value getTable(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::Operation *op, uint32_t own);
  /// The address of the record of a dispatch, as i64.
  mlir::Value getPart(mlir::OpBuilder &builder, mlir::Location location,
                      uint32_t dispatch);
  /// Calls a function of the runtime, and declares it if necessary.
  mlir::LLVM::CallOp call(mlir::OpBuilder &builder, mlir::Location location,
                          llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange arguments);
  /// Calls the handler of --probe=call before `op` with the number of a probe,
  /// through a function of the module whose return address identifies the
  /// position in the code.
  void callHandler(mlir::Operation *op, uint32_t probe);

private:
  template <typename Number>
  mlir::LLVM::GlobalOp createArray(llvm::StringRef name,
                                   llvm::ArrayRef<Number> numbers);
  mlir::LLVM::GlobalOp createBytes(llvm::StringRef name, llvm::StringRef bytes);
  mlir::LLVM::GlobalOp createGlobal(llvm::StringRef name, mlir::Type type,
                                    mlir::Attribute value);
  mlir::LLVM::GlobalOp createDiscard(uint64_t words);
  mlir::LLVM::GlobalOp createDescription(const ProbeLayout &layout,
                                         uint32_t instances,
                                         const RuntimeMetadata &metadata);
  mlir::LLVM::GlobalOp createMetadata(const RuntimeMetadata &metadata);
  mlir::LLVM::GlobalOp createParts(const ProbeLayout &layout);
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name,
                                 mlir::LLVM::LLVMFunctionType type);
  mlir::LLVM::LLVMFuncOp createHandlerCall();

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::OpBuilder builder;
  /// Null in code of dispatches.
  mlir::LLVM::GlobalOp description;
  /// The records of the dispatches; null without any.
  mlir::LLVM::GlobalOp parts;
  mlir::LLVM::LLVMFuncOp handlerCall;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_RUNTIMEMODULE_H
