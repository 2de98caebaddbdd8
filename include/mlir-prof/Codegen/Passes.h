//===- Passes.h - Passes of the CPU code generator --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_PASSES_H
#define MLIR_PROF_CODEGEN_PASSES_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlirprof::codegen {

/// An attribute for LLVM, on functions that hold a part of a large model, for
/// which compile time matters.
inline constexpr llvm::StringLiteral kPartOfModel = "mlirprof-part";

/// The variable of a model's code that holds the number of the dispatch that
/// runs, for samplers.
inline constexpr llvm::StringLiteral kInstanceSlot = "mlirprof_instance";

/// On arguments and results of a function: the variable whose value it gets, or
/// leaves. Callers of the model do not see them.
inline constexpr llvm::StringLiteral kVariable = "mlirprof.variable";

/// The variables of a model's code, which keep their values between calls, and
/// the function without arguments that gives them their first values.
inline constexpr llvm::StringLiteral kStateSymbol = "mlirprof_state";
inline constexpr llvm::StringLiteral kResetSymbol = "mlirprof_reset";

/// On the argument of a function that is the memory of all variables.
inline constexpr llvm::StringLiteral kState = "mlirprof.state";

/// On an scf.for whose iterations do not depend on each other. Set by the pass
/// that applies the rules; the driver removes marks that come with a model.
inline constexpr llvm::StringLiteral kParallelLoop = "mlirprof.parallel";

#define GEN_PASS_DECL
#include "mlir-prof/Codegen/Passes.h.inc"

/// The options for `target` that passes of this library share; OptionsT is, for
/// example, ApplyRulesPassOptions.
template <typename OptionsT>
OptionsT getTargetOptions(const TargetModel &target) {
  OptionsT options;
  options.vectorBits = target.vectorBits;
  options.vectorRegisters = target.vectorRegisters;
  options.features = target.features;
  options.maxError = target.maxError;
  return options;
}

#define GEN_PASS_REGISTRATION
#include "mlir-prof/Codegen/Passes.h.inc"

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_PASSES_H
