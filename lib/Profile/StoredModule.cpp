//===- StoredModule.cpp - Runs to which a stored module belongs -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/StoredModule.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;

static constexpr const char *kFact = "stored module";
static constexpr const char *kOfOthers = "of other runs";

bool profile::hasStoredModule(const Profile &profile) {
  return llvm::any_of(profile.irModules, [](const IrModule &module) {
    return module.program.empty();
  });
}

bool profile::isOfStoredModule(const Run &run) {
  return llvm::none_of(run.facts, [](const auto &fact) {
    return fact.first == kFact && fact.second == kOfOthers;
  });
}

void profile::setOfStoredModule(Run &run, bool isOf) {
  llvm::erase_if(run.facts,
                 [](const auto &fact) { return fact.first == kFact; });
  if (!isOf)
    run.facts.emplace_back(kFact, kOfOthers);
}

std::vector<bool> profile::findKeysOfStoredModule(const Profile &profile) {
  // Keys that no run has measured belong to it too, and so do keys measured in
  // both kinds of runs.
  std::vector<bool> isOf(profile.opKeys.size(), true);
  for (bool isOfRun : {false, true})
    for (const Run &run : profile.runs)
      if (isOfStoredModule(run) == isOfRun)
        for (const OpSummary &op : run.ops)
          isOf[op.op] = isOfRun;
  return isOf;
}
