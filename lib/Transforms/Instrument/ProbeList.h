//===- ProbeList.h - The probes of a module ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBELIST_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBELIST_H

#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::transforms {

/// The ops to lower, in module order.
struct ProbeList {
  llvm::SmallVector<prof::BeginOp> begins;
  llvm::SmallVector<prof::ValueOp> values;
  llvm::SmallVector<prof::PartOp> parts;

  explicit ProbeList(mlir::ModuleOp module);
  bool empty() const {
    return begins.empty() && values.empty() && parts.empty();
  }
};

/// Removes the attributes with which probes of kernels find their dispatches:
/// only the lowering of probes needs them, and the translation does not know
/// them.
void removePartLists(mlir::ModuleOp module);
/// Warns that the probes of `module` are dropped.
void emitDropped(mlir::ModuleOp module, const ProbeList &probes);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBELIST_H
