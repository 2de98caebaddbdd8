//===- FindChoices.cpp - Known choices for the ops of a model -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir-prof/Optimize/StructuralHash.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

ChoiceMap optimize::findChoices(
    mlir::ModuleOp canonical, const DecisionDatabase &database,
    llvm::StringRef machine,
    llvm::function_ref<void(const OpSignature &, const DecisionMatch &)>
        onMatch,
    const std::map<std::string, MeasuredSizes> &sizes) {
  ChoiceMap choices;
  for (const SignedOp &entry : getSignatures(canonical)) {
    if (choices.count(entry.signature.exact))
      continue;
    auto known = sizes.find(entry.signature.exact);
    for (const DecisionMatch &match : database.find(
             entry.signature, machine,
             known == sizes.end() ? MeasuredSizes() : known->second)) {
      const Decision &decision = *match.decision;
      if (decision.choice.empty())
        continue;
      choices[entry.signature.exact][decision.key.technique] = decision.choice;
      if (onMatch)
        onMatch(entry.signature, match);
    }
  }
  return choices;
}

std::function<llvm::Error(mlir::ModuleOp)>
optimize::chooseBy(ChoiceMap choices) {
  return [choices = std::move(choices)](mlir::ModuleOp canonical) {
    applyChoices(canonical, choices);
    return llvm::Error::success();
  };
}
