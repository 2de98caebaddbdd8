//===- CalledProbes.cpp - Probes of called functions ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalledProbes.h"
#include "ProbeParts.h"

#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

using Functions = llvm::SetVector<Operation *>;

static bool hasProbes(Operation *function) {
  return function->walk([](prof::BeginOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The functions that `function` refers to: it may call them, or pass them on.
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

/// The functions reachable from `from` by `next`, in at least one step.
static Functions
findReached(const Functions &from,
            const llvm::MapVector<Operation *, Functions> &next) {
  Functions reached;
  auto follow = [&](Operation *function) {
    auto found = next.find(function);
    if (found != next.end())
      reached.insert(found->second.begin(), found->second.end());
  };
  for (Operation *function : from)
    follow(function);
  // The list grows during the loop.
  for (size_t i = 0; i < reached.size(); ++i)
    follow(reached[i]);
  return reached;
}

/// The functions that remain when functions without references to them, and
/// functions without references, are removed repeatedly: the cycles, and
/// functions between two cycles, which is harmless.
void CalledProbes::findRecursive(const Edges &mentioned,
                                 const Edges &mentioning) {
  for (auto &[function, callees] : mentioned)
    recursive.insert(function);
  for (const auto &[next, previous] : {std::pair(&mentioned, &mentioning),
                                       std::pair(&mentioning, &mentioned)}) {
    llvm::DenseMap<Operation *, size_t> left;
    SmallVector<Operation *> free;
    for (auto &[function, callees] : mentioned) {
      auto found = previous->find(function);
      if (recursive.contains(function) && found != previous->end())
        left[function] = llvm::count_if(found->second, [&](Operation *other) {
          return recursive.contains(other);
        });
      if (recursive.contains(function) && left.lookup(function) == 0)
        free.push_back(function);
    }
    while (!free.empty()) {
      Operation *function = free.pop_back_val();
      recursive.erase(function);
      auto found = next->find(function);
      if (found == next->end())
        continue;
      for (Operation *other : found->second)
        if (recursive.contains(other) && --left[other] == 0)
          free.push_back(other);
    }
  }
}

/// Whether `function` runs kernels, which may have probes.
static bool runsKernels(Operation *function) {
  return function->walk([](prof::PartOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

CalledProbes::CalledProbes(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::MapVector<Operation *, Functions> mentioned;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      mentioned[function] = getMentioned(function, symbols);

  // From all functions with probes at once: the functions that they reach, and
  // that reach them, in at least one step.
  llvm::MapVector<Operation *, Functions> mentioning;
  Functions withProbes;
  for (auto &[function, callees] : mentioned) {
    if (hasProbes(function))
      withProbes.insert(function);
    for (Operation *callee : callees)
      mentioning[callee].insert(function);
  }
  findRecursive(mentioned, mentioning);
  Functions reached = findReached(withProbes, mentioned);
  Functions reaching = findReached(withProbes, mentioning);
  Functions running;
  for (auto &[function, callees] : mentioned)
    if (runsKernels(function))
      running.insert(function);
  Functions reachingKernels = findReached(running, mentioning);
  bool areAllCalled = isShared(module);
  for (Operation *function : withProbes) {
    if (areAllCalled || reached.contains(function))
      called.insert(function);
    if (reaching.contains(function) || running.contains(function) ||
        reachingKernels.contains(function))
      calling.insert(function);
  }
}
