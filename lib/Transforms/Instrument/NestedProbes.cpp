//===- NestedProbes.cpp - Nesting of probes -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestedProbes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;

/// Visits `block`, at whose begin the probe of `open` is the innermost one that
/// runs; returns the innermost one at its end.
Operation *NestedProbes::visitBlock(Block &block, Operation *open) {
  for (Operation &op : block) {
    if (isa<prof::BeginOp>(op)) {
      around[&op] = open;
      begins.push_back(&op);
      open = &op;
    } else if (auto end = dyn_cast<prof::EndOp>(op)) {
      // Probes that began within it have ended too.
      open = around.lookup(end.getToken().getDefiningOp());
    } else if (!isa<FunctionOpInterface>(op)) {
      for (Region &region : op.getRegions())
        visitRegion(region, open);
    }
  }
  return open;
}

/// Probes nest on every path, so any path to a block determines the nesting.
void NestedProbes::visitRegion(Region &region, Operation *open) {
  if (region.empty())
    return;
  llvm::DenseSet<Block *> seen = {&region.front()};
  SmallVector<std::pair<Block *, Operation *>> work = {{&region.front(), open}};
  while (!work.empty()) {
    auto [block, atBegin] = work.pop_back_val();
    Operation *atEnd = visitBlock(*block, atBegin);
    for (Block *next : block->getSuccessors())
      if (seen.insert(next).second)
        work.emplace_back(next, atEnd);
  }
  // Unreachable blocks may contain probes too.
  for (Block &block : region)
    if (!seen.contains(&block))
      visitBlock(block, open);
}

NestedProbes::NestedProbes(ModuleOp module, const Program &program) {
  module.walk([&](FunctionOpInterface function) {
    visitRegion(function.getFunctionBody(), nullptr);
  });
  for (Operation *begin : begins) {
    Operation *outer = around.lookup(begin);
    if (!outer)
      continue;
    if (program.probes[cast<prof::BeginOp>(begin).getProbe()].parent == kNone)
      inlined.insert(begin);
    if (inlined.contains(outer) || within.contains(outer))
      within.insert(begin);
  }
  // Inner probes first.
  for (Operation *begin : llvm::reverse(begins))
    if (Operation *outer = around.lookup(begin))
      if (inlined.contains(begin) || holding.contains(begin))
        holding.insert(outer);
}

bool NestedProbes::isInInlined(prof::BeginOp begin) const {
  return within.contains(begin.getOperation());
}
