//===- CalledProbes.cpp - Probes of functions that are called -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalledProbes.h"

#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;

using Functions = llvm::SetVector<Operation *>;

static bool hasProbes(Operation *function) {
  return function->walk([](prof::BeginOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The functions that `function` mentions: it may call them, or pass them on.
static Functions getMentioned(Operation *function, SymbolTable &symbols) {
  Functions result;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(&function->getRegion(0));
  if (!uses)
    return result;
  for (const SymbolTable::SymbolUse &use : *uses) {
    StringAttr name = use.getSymbolRef().getRootReference();
    if (auto callee = symbols.lookup<FunctionOpInterface>(name))
      result.insert(callee);
  }
  return result;
}

CalledProbes::CalledProbes(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::MapVector<Operation *, Functions> mentioned;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      mentioned[function] = getMentioned(function, symbols);

  for (auto &[function, direct] : mentioned) {
    if (!hasProbes(function))
      continue;
    Functions reached = direct;
    // Grows while it is read.
    for (size_t i = 0; i < reached.size(); ++i) {
      auto found = mentioned.find(reached[i]);
      if (found != mentioned.end())
        reached.insert(found->second.begin(), found->second.end());
    }
    for (Operation *callee : reached) {
      if (!hasProbes(callee))
        continue;
      called.insert(callee);
      calling.insert(function);
    }
  }
}
