//===- Model.h - The model of a user, read and compiled ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_MODEL_H
#define MLIR_PROF_SESSION_MODEL_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Session/Session.h"

namespace mlirprof {

/// A compiled model, and its module as it was, for what depends on shapes.
struct BuiltModel {
  compile::CompiledModel model;
  mlir::OwningOpRef<mlir::ModuleOp> input;
  /// Outlives the modules.
  std::unique_ptr<mlir::MLIRContext> context;

  BuiltModel() = default;
  BuiltModel(BuiltModel &&) = default;
  BuiltModel &operator=(BuiltModel &&) = default;
  /// In an order that leaves the context for last.
  ~BuiltModel();
  /// Leaves module and context as they are, for the process to end with: after
  /// a crash they cannot be taken down.
  void abandon();
};

/// Reads the module `path`, with the names of its arguments; the model is
/// empty.
llvm::Expected<BuiltModel> readInput(llvm::StringRef path);

/// Compiles a copy of `built.input`. A crash of a pass is an error, after which
/// module and context are gone.
llvm::Error compileInput(BuiltModel &built, llvm::StringRef path,
                         const compile::CompileOptions &options,
                         const NoteHandler &onNote = {});

/// A copy of `built.input` in `form`, with errors as compileInput has them.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
prepareInput(BuiltModel &built, llvm::StringRef path,
             const compile::CompileOptions &options, compile::StageForm form);

/// Reads the module `path` and compiles it; a crash of a pass is an error.
llvm::Expected<BuiltModel> buildModel(llvm::StringRef path,
                                      const compile::CompileOptions &options,
                                      const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_MODEL_H
