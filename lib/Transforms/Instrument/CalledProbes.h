//===- CalledProbes.h - Probes of called functions --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_CALLEDPROBES_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_CALLEDPROBES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlirprof::transforms {

/// Determines which functions with probes may be called by others with probes.
/// Only these need to sum up the time of calls; a model of one function does
/// not pay for it.
class CalledProbes {
public:
  explicit CalledProbes(mlir::ModuleOp module);

  /// Whether `function` may run while a probe of another function does.
  bool isCalled(mlir::Operation *function) const {
    return called.contains(function);
  }
  /// Whether probes of other functions may run in a call that `function` makes.
  bool callsProbes(mlir::Operation *function) const {
    return calling.contains(function);
  }

  /// Whether `function` may call itself, directly or through others.
  bool callsItself(mlir::Operation *function) const {
    return recursive.contains(function);
  }

private:
  using Functions = llvm::SetVector<mlir::Operation *>;
  using Edges = llvm::MapVector<mlir::Operation *, Functions>;
  void findRecursive(const Edges &mentioned, const Edges &mentioning);

  llvm::DenseSet<mlir::Operation *> recursive;
  llvm::DenseSet<mlir::Operation *> called;
  llvm::DenseSet<mlir::Operation *> calling;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_CALLEDPROBES_H
