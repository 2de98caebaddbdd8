//===- KeptLevels.h - The levels of a module to be stored -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KEPTLEVELS_H
#define MLIR_PROF_LIB_COMPILE_KEPTLEVELS_H

#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Support/BackgroundThread.h"

namespace mlirprof::compile {

struct CompiledModel;

/// A level as profiles store it.
struct KeptLevel {
  profile::IrModule stored;
  /// The module, until it is the bytecode of `stored`.
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The levels of a module. Outlives its keeper while a thread stores one.
struct KeptLevels {
  std::vector<KeptLevel> levels;
  module::ValueHashes hashes;
  /// The first that occurred.
  std::optional<llvm::Error> error;

  ~KeptLevels();
  /// Appends `module` as `level`.
  void store(mlir::ModuleOp module, llvm::StringRef level);
  /// The same, without a copy; with `isOpen`, ops may still follow, so that it
  /// does not become bytecode yet.
  void take(mlir::OwningOpRef<mlir::ModuleOp> module, llvm::StringRef level,
            bool isOpen);

private:
  void setError(llvm::Error next);
};

/// Appends the modules of the kernels of `model` to the `levels` of its host
/// side that are open, which makes them the levels of `model`, and its kernels
/// do not have any more. `background` does a part of the work; the context of
/// the modules must be one for several threads.
llvm::Error joinOpenLevels(std::vector<KeptLevel> levels, CompiledModel &model,
                           BackgroundThread &background);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KEPTLEVELS_H
