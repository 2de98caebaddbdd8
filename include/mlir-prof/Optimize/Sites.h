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
/// its canonical form, in place of those that they have of the same techniques.
/// Returns how many ops got some.
uint64_t
applyChoices(mlir::ModuleOp canonical,
             llvm::function_ref<Choices(const tuning::OpSignature &)> source);
uint64_t applyChoices(mlir::ModuleOp canonical, const ChoiceMap &choices);

/// The model, and what is known of it, that sites are collected from.
struct SiteInput {
  /// The model as it was read; may be null, and then there are no bounds.
  mlir::ModuleOp input;
  /// The model in its canonical form, with the program on it.
  mlir::ModuleOp canonical;
  codegen::TargetModel target;
  /// Null without a profile.
  const Evidence *evidence = nullptr;
  /// Shapes of the arguments of each request, for the sizes of ops, and for
  /// their operations and bytes, of which the average counts.
  std::vector<std::vector<llvm::ArrayRef<int64_t>>> requests;
  /// Zeros where it was not measured.
  record::MachinePeak peak;
  ValueOrigin valueOrigin = ValueOrigin::Profile;
  Effort effort = Effort::Hot;
};

/// Collects the ops that decisions may be about, alike ones together, in
/// pre-order of the first of each. Times and bounds of an op of the input that
/// became several are split by their static cost.
ModelSites collectSites(const SiteInput &input);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_SITES_H
