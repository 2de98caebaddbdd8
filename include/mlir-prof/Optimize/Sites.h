//===- Sites.h - The ops that decisions are about ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_SITES_H
#define MLIR_PROF_OPTIMIZE_SITES_H

#include "mlir-prof/Optimize/Evidence.h"
#include "mlir-prof/Optimize/Technique.h"
#include "mlir-prof/Record/Peak.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <string>

namespace mlirprof::optimize {

/// The choices for an op, by technique.
using Choices = std::map<std::string, tuning::Choice>;
/// The choices for ops, by OpSignature::exact.
using ChoiceMap = std::map<std::string, Choices>;

/// Sets the choices that `source` has for the ops of `canonical`, a module in
/// its canonical form, replacing their choices of the same techniques. Returns
/// the number of ops that got choices.
uint64_t
applyChoices(mlir::ModuleOp canonical,
             llvm::function_ref<Choices(const tuning::OpSignature &)> source);
uint64_t applyChoices(mlir::ModuleOp canonical, const ChoiceMap &choices);

/// The model from which sites are collected, and the known facts about it.
struct SiteInput {
  /// The model as it was read; without it (null) sites do not have bounds.
  mlir::ModuleOp input;
  /// The model in its canonical form, with the program attached.
  mlir::ModuleOp canonical;
  codegen::TargetModel target;
  /// Null without a profile.
  const Evidence *evidence = nullptr;
  /// Shapes of the arguments of each request, for the sizes of ops and for the
  /// average of their operations and bytes.
  std::vector<std::vector<llvm::ArrayRef<int64_t>>> requests;
  /// Zeros if it was not measured.
  record::MachinePeak peak;
  ValueOrigin valueOrigin = ValueOrigin::Profile;
  Effort effort = Effort::Hot;
};

/// Collects the ops that can have decisions, equal ones as one site, in
/// pre-order of the first op of each. If an op of the input became several ops,
/// its time and bound are split by their static cost.
ModelSites collectSites(const SiteInput &input);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_SITES_H
