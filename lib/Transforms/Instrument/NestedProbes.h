//===- NestedProbes.h - Nesting of probes -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_NESTEDPROBES_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_NESTEDPROBES_H

#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir-prof/Profile/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlirprof::transforms {

/// The current nesting of probes in the functions of a module. The program
/// records the nesting where they were created; a function that was inlined
/// since then has moved its probes into those of its callers.
class NestedProbes {
public:
  NestedProbes(mlir::ModuleOp module, const profile::Program &program);

  /// Whether `begin` is the outermost one of a function, and is in a probe of
  /// the function into which it was inlined.
  bool isInlined(prof::BeginOp begin) const {
    return inlined.contains(begin.getOperation());
  }
  /// Whether such a probe is around `begin`.
  bool isInInlined(prof::BeginOp begin) const;
  /// Whether such a probe is within `begin`.
  bool holdsInlined(prof::BeginOp begin) const {
    return holding.contains(begin.getOperation());
  }

private:
  void visitRegion(mlir::Region &region, mlir::Operation *open);
  mlir::Operation *visitBlock(mlir::Block &block, mlir::Operation *open);

  llvm::DenseMap<mlir::Operation *, mlir::Operation *> around;
  llvm::DenseSet<mlir::Operation *> inlined;
  llvm::DenseSet<mlir::Operation *> holding;
  llvm::DenseSet<mlir::Operation *> within;
  /// Begins, outer ones first.
  std::vector<mlir::Operation *> begins;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_NESTEDPROBES_H
