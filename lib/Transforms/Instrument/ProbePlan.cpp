//===- ProbePlan.cpp - Placement of probes --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbePlan.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir-prof/Transforms/ProbeScope.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;
using Place = PlannedProbe::Place;

std::optional<ProbeScope> transforms::parseProbeScope(StringRef text) {
  using Kind = ProbeScope::Kind;
  if (text == "op")
    return ProbeScope{Kind::Operations};
  if (text == "siblings")
    return ProbeScope{Kind::Siblings};
  if (text == "all")
    return ProbeScope{Kind::AllLoops};
  ProbeScope scope;
  if (text.consume_front("depth:"))
    scope.kind = Kind::Depth;
  else if (text.consume_front("height:"))
    scope.kind = Kind::Height;
  else
    return std::nullopt;
  if (text.getAsInteger(10, scope.level))
    return std::nullopt;
  return scope;
}

bool transforms::isProbeScope(StringRef text) {
  return parseProbeScope(text).has_value();
}

/// Whether `op` does enough work for a separate probe, other than as a loop.
static bool isHeavy(Operation *op) {
  if (isa<linalg::LinalgDialect>(op->getDialect()))
    return !op->hasTrait<OpTrait::IsTerminator>() && op->getNumOperands() > 0;
  return isa<memref::CopyOp, CallOpInterface>(op);
}

/// Whether a loop whose iterations threads share is nested in `op`.
static bool hasSharedLoop(Operation *op) {
  return op
      ->walk([&](omp::LoopWrapperInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {
class Planner {
public:
  Planner(FunctionOpInterface function, ProbeScope scope)
      : function(function), scope(scope), nests(function) {}

  std::vector<PlannedProbe> run(bool withFunction) {
    uint32_t parent = kNone;
    if (withFunction)
      parent = add(function, Place::Inside, ProbeKind::Function, kNone);
    visitRegion(function.getFunctionBody(), parent);
    return std::move(plan);
  }

private:
  bool perOperation() const {
    return scope.kind == ProbeScope::Kind::Operations;
  }

  uint32_t add(Operation *op, Place place, ProbeKind kind, uint32_t parent) {
    plan.push_back({op, place, kind, nests.get(op), parent});
    return plan.size() - 1;
  }

  bool selectsLoop(Operation *op) const {
    LoopFacts facts = nests.get(op);
    switch (scope.kind) {
    case ProbeScope::Kind::Operations:
      return true;
    case ProbeScope::Kind::Siblings:
      return facts.hasSibling && (facts.height >= 1 || facts.depth == 0);
    case ProbeScope::Kind::Depth:
      return facts.depth <= scope.level;
    case ProbeScope::Kind::Height:
      return facts.height >= scope.level;
    case ProbeScope::Kind::AllLoops:
      return true;
    }
    return false;
  }

  /// Whether `op` is an OpenMP parallel region with selected work.
  bool selectsTeam(omp::ParallelOp team) const {
    if (perOperation())
      return true;
    return team
        ->walk([&](omp::LoopWrapperInterface loop) {
          return isLoop(loop) && selectsLoop(loop) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void visitRegion(Region &region, uint32_t parent) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(&op, parent);
  }

  void visitRegions(Operation *op, uint32_t parent) {
    // A nested function or module is not a part of this one, and the scalar
    // code of a structured op will not stay where it is.
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
        isa<linalg::LinalgDialect>(op->getDialect()))
      return;
    for (Region &region : op->getRegions())
      visitRegion(region, parent);
  }

  void visit(Operation *op, uint32_t parent) {
    if (auto team = dyn_cast<omp::ParallelOp>(op))
      return visitTeam(team, parent);
    if (isLoop(op))
      return visitLoop(op, parent);
    if (perOperation() && isHeavy(op)) {
      add(op, Place::Around, ProbeKind::Operation, parent);
      return;
    }
    visitRegions(op, parent);
  }

  void visitTeam(omp::ParallelOp team, uint32_t parent) {
    if (selectsTeam(team)) {
      parent = add(team, Place::Around, ProbeKind::Parallel, parent);
      if (!hasSharedLoop(team) && team.getRegion().hasOneBlock())
        parent = add(team, Place::Inside, ProbeKind::Work, parent);
    }
    visitRegions(team, parent);
  }

  void visitLoop(Operation *op, uint32_t parent) {
    bool holdsOps = perOperation() && op->hasAttr(kBlockLoop);
    if (holdsOps || !selectsLoop(op))
      return visitRegions(op, parent);
    if (isParallelLoop(op)) {
      parent = add(op, Place::Around, ProbeKind::Parallel, parent);
      // Each iteration may run on a separate thread. An innermost loop stays
      // unchanged: its wall time has to suffice until it is a loop of a team.
      if (!nests.get(op).isInnermost)
        parent = add(op, Place::Inside, ProbeKind::Work, parent);
    } else {
      bool shared = isa<omp::LoopWrapperInterface>(op);
      bool structured = isa<linalg::LinalgOp>(op);
      ProbeKind kind = shared       ? ProbeKind::Work
                       : structured ? ProbeKind::Operation
                                    : ProbeKind::Loop;
      parent = add(op, Place::Around, kind, parent);
    }
    if (!perOperation())
      visitRegions(op, parent);
  }

  FunctionOpInterface function;
  ProbeScope scope;
  LoopNests nests;
  std::vector<PlannedProbe> plan;
};
} // namespace

std::vector<PlannedProbe> transforms::planProbes(FunctionOpInterface function,
                                                 ProbeScope scope,
                                                 bool withFunction) {
  return Planner(function, scope).run(withFunction);
}
