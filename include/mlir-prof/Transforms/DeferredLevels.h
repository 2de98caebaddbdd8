//===- DeferredLevels.h - Levels that another thread describes --*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_DEFERREDLEVELS_H
#define MLIR_PROF_TRANSFORMS_DEFERREDLEVELS_H

#include "mlir-prof/Profile/Program.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace mlirprof::transforms {

/// Takes the snapshots of a module in two steps, so that another thread does
/// most of the work while passes run: the levels are those of snapshotLevel,
/// but the module does not have the attribute `prof.program`.
class DeferredLevels {
public:
  explicit DeferredLevels(mlir::MLIRContext *context);
  ~DeferredLevels();

  /// Gives the ops of `module` identities of one more level, as numbers
  /// (prof::IdentityForm::Number), and returns the first. Emits an error, and
  /// does not change the module, if there is that level already.
  llvm::FailureOr<uint32_t> identify(mlir::ModuleOp module,
                                     llvm::StringRef level);
  /// Describes the level whose first identity is `first` by a copy that was
  /// made before identify(), and removes the identities in `copy`. Levels come
  /// in their order, on any thread, while another one may identify later ones.
  void describe(mlir::ModuleOp copy, llvm::StringRef level, uint32_t first);
  /// Warns at the place of `module` of what the levels described so far lack.
  void warn(mlir::ModuleOp module) const;
  /// The program of all levels, which must have been described.
  profile::Program take();

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_DEFERREDLEVELS_H
