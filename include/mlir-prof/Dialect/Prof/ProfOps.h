//===- ProfOps.h - Probes ---------------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_PROFOPS_H
#define MLIR_PROF_DIALECT_PROF_PROFOPS_H

#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlirprof::prof {

/// The counters of probes.
struct ProbeResource : public mlir::SideEffects::Resource::Base<ProbeResource> {
  llvm::StringRef getName() final { return "<Probe>"; }
};

} // namespace mlirprof::prof

#define GET_TYPEDEF_CLASSES
#include "mlir-prof/Dialect/Prof/ProfTypes.h.inc"

#define GET_OP_CLASSES
#include "mlir-prof/Dialect/Prof/ProfOps.h.inc"

#endif // MLIR_PROF_DIALECT_PROF_PROFOPS_H
