//===- KeptLevels.cpp - The levels of a module to be stored ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptLevels.h"
#include "mlir-prof/Module/StoredLevel.h"
#include "mlir-prof/Scope/Scope.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::module;
using namespace mlirprof::profile;

/// Levels belong to the model that is compiled, whatever its name is.
static constexpr StringLiteral kSource = "model";

KeptLevels::~KeptLevels() {
  if (error)
    llvm::consumeError(std::move(*error));
}

void KeptLevels::setError(llvm::Error next) {
  if (error)
    llvm::consumeError(std::move(next));
  else
    error.emplace(std::move(next));
}

void KeptLevels::store(ModuleOp module, StringRef level) {
  PROF_SCOPE("store level");
  Profile holder;
  if (llvm::Error failed = storeModule(holder, level, module, kSource, &hashes))
    return setError(std::move(failed));
  levels.push_back({std::move(holder.irModules.front()), {}});
}

void KeptLevels::take(OwningOpRef<ModuleOp> module, StringRef level,
                      bool isOpen) {
  PROF_SCOPE("store level");
  KeptLevel kept;
  kept.stored = shortenToStored(*module, level, kSource, hashes);
  if (isOpen)
    kept.module = std::move(module);
  else if (llvm::Error failed = setBytecode(kept.stored, *module))
    return setError(std::move(failed));
  levels.push_back(std::move(kept));
}
