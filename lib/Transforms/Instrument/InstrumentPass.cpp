//===- InstrumentPass.cpp - prof-instrument -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeLookup.h"
#include "ProbePlan.h"
#include "SkippedPlaces.h"
#include "ValueSites.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir-prof/Transforms/ProbeScope.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFINSTRUMENT
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;
using Place = PlannedProbe::Place;

/// Whether calls, of functions or of kernels, may happen during `op`.
static bool containsCalls(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<CallOpInterface, dispatch::RunOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static prof::BeginOp createBegin(OpBuilder &builder, Operation *op,
                                 uint32_t probe) {
  return prof::BeginOp::create(builder, op->getLoc(),
                               prof::TokenType::get(op->getContext()), probe,
                               containsCalls(op));
}

/// Begins at the function's entry and ends before each return.
static void placeInFunction(FunctionOpInterface function, uint32_t probe) {
  Region &body = function.getFunctionBody();
  OpBuilder builder = OpBuilder::atBlockBegin(&body.front());
  prof::BeginOp begin = createBegin(builder, function, probe);
  for (Block &block : body) {
    Operation *last = block.empty() ? nullptr : &block.back();
    if (!last || !last->hasTrait<OpTrait::ReturnLike>())
      continue;
    builder.setInsertionPoint(last);
    prof::EndOp::create(builder, last->getLoc(), probe, begin.getToken());
  }
}

static void placeInBody(Operation *op, uint32_t probe) {
  Block &body = op->getRegion(0).front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  prof::BeginOp begin = createBegin(builder, op, probe);
  builder.setInsertionPoint(body.getTerminator());
  prof::EndOp::create(builder, op->getLoc(), probe, begin.getToken());
}

static prof::EndOp placeAround(Operation *op, uint32_t probe) {
  OpBuilder builder(op);
  prof::BeginOp begin = createBegin(builder, op, probe);
  builder.setInsertionPointAfter(op);
  return prof::EndOp::create(builder, op->getLoc(), probe, begin.getToken());
}

/// Whether the barrier at the end of `loop` may be moved past the loop's end.
/// It completes reductions, private copies and linear variables.
static bool canMoveBarrier(omp::WsloopOp loop) {
  return !loop.getNowait() && loop.getReductionVars().empty() &&
         loop.getPrivateVars().empty() && loop.getLinearVars().empty();
}

/// Work is the time of a thread until it waits for the others: the barrier of
/// `loop` moves behind `end`. The end of the parallel region is a barrier
/// anyway.
static void moveBarrier(omp::WsloopOp loop, prof::EndOp end) {
  loop.setNowait(true);
  Operation *next = end->getNextNode();
  if (isa<omp::TerminatorOp>(next) && isa<omp::ParallelOp>(end->getParentOp()))
    return;
  OpBuilder builder(next);
  omp::BarrierOp::create(builder, loop.getLoc());
}

namespace {
struct InstrumentPass : transforms::impl::ProfInstrumentBase<InstrumentPass> {
  using ProfInstrumentBase::ProfInstrumentBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<ProbeScope> parsed = parseProbeScope(scope);
    if (!parsed) {
      emitBadScope(module);
      return signalPassFailure();
    }
    Program program;
    if (failed(checkFresh(module)) ||
        failed(getOrStartProgram(module, program)) ||
        failed(checkUnlisted(module, program)))
      return signalPassFailure();
    NodeLookup lookup(program);
    // First, so that it comes before the probes of the ops it describes.
    if (values)
      recordValues(module, program, lookup, /*everywhere=*/false);
    for (func::FuncOp function :
         getMeasuredFunctions(module, kNotProbed, skippedPlaces)) {
      reportSkipped(function);
      instrument(function, *parsed, lookup, program);
    }
    setProgram(module, program);
    report(module, lookup, program.probes.size());
  }

private:
  static constexpr StringLiteral kNotProbed = "prof-instrument: not probed";

  /// Reports the parts of `function` that the scope does not cover.
  void reportSkipped(func::FuncOp function) {
    SmallVector<SkippedPlace> places;
    visitBlockGraphs(function, [&](Region &, CFGLoopInfo &loops) {
      for (CFGLoop *loop : loops.getLoopsInPreorder())
        places.push_back(
            {loop->getHeader()->getTerminator(), "loops of branches"});
    });
    for (Block &block : function.getBody()) {
      Operation *last = block.empty() ? nullptr : &block.back();
      if (functions && last && last->getNumSuccessors() == 0 &&
          !last->hasTrait<OpTrait::ReturnLike>())
        places.push_back({last, "ends of functions that do not return"});
    }
    skippedPlaces += places.size();
    emitSkipped(function, kNotProbed, places);
  }

  void emitBadScope(ModuleOp module) {
    InFlightDiagnostic error = emitError(module.getLoc())
                               << "prof-instrument: unknown scope '" << scope
                               << "'";
    error.attachNote() << "hint: " << kProbeScopes;
  }

  /// Probes refer to the probes around them, so all must be created at once.
  static LogicalResult checkFresh(ModuleOp module) {
    prof::BeginOp found;
    module.walk([&](prof::BeginOp begin) {
      found = begin;
      return WalkResult::interrupt();
    });
    if (!found)
      return success();
    InFlightDiagnostic error =
        emitError(found.getLoc())
        << "prof-instrument: the module already has probes";
    error.attachNote() << "hint: instrument a module once, with one scope";
    return error;
  }

  /// The program still lists probes that have already been lowered.
  LogicalResult checkUnlisted(ModuleOp module, const Program &program) {
    if (program.probes.empty() && (!values || program.sites.empty()))
      return success();
    InFlightDiagnostic error =
        emitError(module.getLoc())
        << "prof-instrument: the module's program lists "
        << (program.probes.empty() ? "recorded values" : "probes")
        << " already";
    error.attachNote() << (program.probes.empty()
                               ? "hint: leave out values, or the pass "
                                 "prof-record-values"
                               : "hint: instrument a module once, with one "
                                 "scope");
    return error;
  }

  void instrument(func::FuncOp function, ProbeScope scope, NodeLookup &lookup,
                  Program &program) {
    std::vector<PlannedProbe> plan = planProbes(function, scope, functions);
    uint32_t first = program.probes.size();
    for (const PlannedProbe &planned : plan) {
      ProgramProbe probe;
      probe.kind = planned.kind;
      probe.node = lookup.find(planned.op);
      if (planned.parent != kNone)
        probe.parent = first + planned.parent;
      probe.depth = planned.facts.depth;
      probe.height = planned.facts.height;
      program.probes.push_back(probe);
    }
    // From the last to the first: among probes that begin or end at the same
    // position, the outer one must end up outside.
    for (size_t i = plan.size(); i-- > 0;)
      place(plan[i], first + i);
  }

  void place(const PlannedProbe &planned, uint32_t probe) {
    if (planned.kind == ProbeKind::Function)
      return placeInFunction(cast<FunctionOpInterface>(planned.op), probe);
    if (planned.place == Place::Inside)
      return placeInBody(planned.op, probe);
    prof::EndOp end = placeAround(planned.op, probe);
    auto loop = dyn_cast<omp::WsloopOp>(planned.op);
    if (!loop || loop.getNowait())
      return;
    if (canMoveBarrier(loop))
      moveBarrier(loop, end);
    else
      emitRemark(loop.getLoc())
          << "prof-instrument: the work of this loop includes "
             "waiting for the other threads, as its barrier "
             "finishes a reduction or private copies";
  }

  void report(ModuleOp module, const NodeLookup &lookup, size_t probes) {
    probeCount += probes;
    notProbed += skippedPlaces;
    lostNodes += lookup.getLost();
    sharedNodes += lookup.getShared();
    if (lookup.getLost() + lookup.getShared() == 0)
      return;
    emitRemark(module.getLoc())
        << "prof-instrument: of " << probes << " probed ops "
        << lookup.getLost() << " do not have an identity, "
        << lookup.getShared()
        << " have several, of which the first owns the time";
  }

  uint64_t skippedPlaces = 0;
};
} // namespace
