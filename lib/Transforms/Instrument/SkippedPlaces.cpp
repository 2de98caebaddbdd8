//===- SkippedPlaces.cpp - Code that is not measured ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SkippedPlaces.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

void transforms::emitSkipped(Operation *function, StringRef what,
                             ArrayRef<SkippedPlace> places) {
  if (places.empty())
    return;
  llvm::MapVector<StringRef, SmallVector<Operation *>> byReason;
  for (const SkippedPlace &place : places)
    byReason[place.reason].push_back(place.op);
  InFlightDiagnostic remark = emitRemark(function->getLoc()) << what;
  StringRef separator = ": ";
  for (auto &[reason, ops] : byReason) {
    remark << separator << ops.size() << " " << reason;
    separator = ", ";
    remark.attachNote(ops.front()->getLoc()) << "the first of " << reason;
  }
}

SmallVector<func::FuncOp> transforms::getMeasuredFunctions(ModuleOp module,
                                                           StringRef what,
                                                           uint64_t &skipped) {
  SmallVector<func::FuncOp> functions;
  SmallVector<SkippedPlace> others;
  module.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    auto measured = dyn_cast<func::FuncOp>(function.getOperation());
    if (function.isExternal())
      return;
    if (!measured)
      others.push_back({function, "functions of other dialects than func"});
    else if (function->getParentOp() != module)
      others.push_back({function, "functions in nested modules"});
    else
      functions.push_back(measured);
  });
  emitSkipped(module, what, others);
  skipped += others.size();
  return functions;
}

void transforms::visitBlockGraphs(
    func::FuncOp function,
    llvm::function_ref<void(Region &, CFGLoopInfo &)> visit) {
  DominanceInfo dominance(function);
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function && op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return WalkResult::skip();
    for (Region &region : op->getRegions()) {
      if (region.empty() || region.hasOneBlock())
        continue;
      CFGLoopInfo loops(dominance.getDomTree(&region));
      visit(region, loops);
    }
    return WalkResult::advance();
  });
}
