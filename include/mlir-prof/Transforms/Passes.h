//===- Passes.h - Passes of mlir-prof ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_PASSES_H
#define MLIR_PROF_TRANSFORMS_PASSES_H

#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Transforms/Annotate.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlirprof::transforms {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "mlir-prof/Transforms/Passes.h.inc"

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_PASSES_H
