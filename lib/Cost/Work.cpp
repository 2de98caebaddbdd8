//===- Work.cpp - Operations and bytes of the ops of a model --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/Work.h"
#include "OpWork.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Limit on nested function calls.
static constexpr unsigned kMaxCalls = 32;
/// Limit on nested loops: deeper loops do not have work.
static constexpr unsigned kMaxNesting = 64;
/// Limit on the ops visited in total: functions that each call two others could
/// cause an arbitrary number of executions.
static constexpr uint64_t kMaxVisits = 1 << 20;

namespace {
/// Walks through one execution.
class WorkWalker {
public:
  explicit WorkWalker(ModuleOp module) : symbols(module) {}

  void visitFunction(FunctionOpInterface function, ShapeEvaluator &shapes,
                     uint64_t times);

  struct Sum {
    OpWork work;
    bool isKnown = true;
  };
  llvm::DenseMap<Operation *, Sum> sums;
  /// Whether a limit was reached, so that some sums are too small.
  bool isCut = false;

private:
  void visitRegion(Region &region, ShapeEvaluator &shapes,
                   std::optional<uint64_t> times);
  void visitLoop(LoopLikeOpInterface loop, ShapeEvaluator &shapes,
                 std::optional<uint64_t> times);
  void visitCall(CallOpInterface call, ShapeEvaluator &shapes,
                 std::optional<uint64_t> times);
  void visitOp(Operation &op, ShapeEvaluator &shapes,
               std::optional<uint64_t> times);
  void add(Operation &op, ShapeEvaluator &shapes,
           std::optional<uint64_t> times);

  SymbolTable symbols;
  unsigned calls = 0;
  unsigned nesting = 0;
  uint64_t visits = 0;
};
} // namespace

void WorkWalker::visitFunction(FunctionOpInterface function,
                               ShapeEvaluator &shapes, uint64_t times) {
  Region &body = function.getFunctionBody();
  // With several blocks, the data determines which of them run.
  visitRegion(body, shapes,
              body.hasOneBlock() ? std::optional(times) : std::nullopt);
}

void WorkWalker::visitRegion(Region &region, ShapeEvaluator &shapes,
                             std::optional<uint64_t> times) {
  if (nesting == kMaxNesting || visits > kMaxVisits) {
    isCut = true;
    return;
  }
  ++nesting;
  for (Block &block : region)
    for (Operation &op : block)
      visitOp(op, shapes, times);
  --nesting;
}

void WorkWalker::visitOp(Operation &op, ShapeEvaluator &shapes,
                         std::optional<uint64_t> times) {
  ++visits;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return visitLoop(loop, shapes, times);
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call, shapes, times);
  add(op, shapes, times);
  // The body of a structured op is part of it; it is unknown how often the body
  // of any other op runs.
  if (!isa<linalg::LinalgOp>(op))
    for (Region &region : op.getRegions())
      visitRegion(region, shapes, std::nullopt);
}

/// Iterations of `loop`, if its bounds are known.
static std::optional<uint64_t> getTrips(LoopLikeOpInterface loop,
                                        ShapeEvaluator &shapes) {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return std::nullopt;
  uint64_t trips = 1;
  for (auto [from, to, by] : llvm::zip_equal(*lower, *upper, *steps)) {
    auto begin = shapes.getInteger(from), end = shapes.getInteger(to);
    auto step = shapes.getInteger(by);
    if (!begin || !end || !step || *step <= 0)
      return std::nullopt;
    uint64_t span = *end > *begin ? uint64_t(*end) - uint64_t(*begin) : 0;
    uint64_t each = span / uint64_t(*step) + (span % uint64_t(*step) != 0);
    trips = llvm::SaturatingMultiply(trips, each);
  }
  return trips;
}

void WorkWalker::visitLoop(LoopLikeOpInterface loop, ShapeEvaluator &shapes,
                           std::optional<uint64_t> times) {
  std::optional<uint64_t> trips = getTrips(loop, shapes);
  if (times && trips)
    times = llvm::SaturatingMultiply(*times, *trips);
  else
    times = std::nullopt;
  for (Region *region : loop.getLoopRegions())
    visitRegion(*region, shapes, times);
}

void WorkWalker::visitCall(CallOpInterface call, ShapeEvaluator &shapes,
                           std::optional<uint64_t> times) {
  auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  auto function =
      callee ? symbols.lookup<FunctionOpInterface>(callee.getLeafReference())
             : FunctionOpInterface();
  if (!function || function.isExternal())
    return;
  if (calls == kMaxCalls) {
    isCut = true;
    return;
  }
  ShapeEvaluator inner;
  for (auto [argument, operand] :
       llvm::zip(function.getArguments(), call.getArgOperands())) {
    if (auto shape = shapes.getShape(operand))
      inner.setShape(argument, *shape);
    if (argument.getType().isIndex())
      if (auto value = shapes.getInteger(operand))
        inner.setInteger(argument, *value);
  }
  ++calls;
  unsigned outerNesting = std::exchange(nesting, 0);
  visitRegion(function.getFunctionBody(), inner,
              function.getFunctionBody().hasOneBlock() ? times : std::nullopt);
  nesting = outerNesting;
  --calls;
}

void WorkWalker::add(Operation &op, ShapeEvaluator &shapes,
                     std::optional<uint64_t> times) {
  std::optional<OpWork> work = getOpWork(&op, shapes);
  Sum &sum = sums[&op];
  if (!work || !times) {
    sum.isKnown = false;
    return;
  }
  auto accumulate = [&](uint64_t &to, uint64_t each) {
    to = llvm::SaturatingMultiplyAdd(each, *times, to);
  };
  accumulate(sum.work.flops, work->flops);
  accumulate(sum.work.bytes, work->bytes);
}

/// The nodes of the first level by position.
static llvm::DenseMap<uint32_t, uint32_t> indexNodes(const Program &program) {
  llvm::DenseMap<uint32_t, uint32_t> nodes;
  for (uint32_t node = 0; node < program.nodes.size(); ++node)
    if (program.nodes[node].level == 0 &&
        program.nodes[node].position < kNone - 1)
      nodes.try_emplace(program.nodes[node].position, node);
  return nodes;
}

static void walk(WorkWalker &walker, FunctionOpInterface entry,
                 ArrayRef<ArrayRef<int64_t>> argumentShapes) {
  ShapeEvaluator shapes;
  for (auto [argument, shape] : llvm::zip(entry.getArguments(), argumentShapes))
    shapes.setShape(argument, shape);
  walker.visitFunction(entry, shapes, 1);
}

NodeWork cost::computeTotalWork(FunctionOpInterface entry,
                                ArrayRef<ArrayRef<int64_t>> argumentShapes) {
  NodeWork total;
  auto module = entry->getParentOfType<ModuleOp>();
  if (!module || entry.isExternal())
    return total;
  WorkWalker walker(module);
  walk(walker, entry, argumentShapes);
  if (walker.isCut)
    return total;
  for (const auto &[op, sum] : walker.sums)
    if (sum.isKnown) {
      total.flops = llvm::SaturatingAdd(total.flops, sum.work.flops);
      total.bytes = llvm::SaturatingAdd(total.bytes, sum.work.bytes);
    }
  return total;
}

std::vector<NodeWork>
cost::computeWork(ModuleOp input, const Program &program,
                  llvm::ArrayRef<llvm::ArrayRef<int64_t>> argumentShapes) {
  std::vector<NodeWork> result;
  auto entry = input.lookupSymbol<FunctionOpInterface>(getEntry(program));
  if (!entry || entry.isExternal())
    return result;
  WorkWalker walker(input);
  walk(walker, entry, argumentShapes);
  if (walker.isCut)
    return result;

  llvm::DenseMap<uint32_t, uint32_t> nodes = indexNodes(program);
  uint32_t position = 0;
  input->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto node = nodes.find(position++);
    auto sum = walker.sums.find(op);
    if (node == nodes.end() || sum == walker.sums.end() || !sum->second.isKnown)
      return;
    const ProgramNode &info = program.nodes[node->second];
    // A position in another module would give wrong numbers.
    if (info.op >= program.strings.size() ||
        program.strings[info.op] != op->getName().getStringRef())
      return;
    result.push_back({program.fingerprint, node->second, sum->second.work.flops,
                      sum->second.work.bytes});
  });
  return result;
}

/// Whether the program's first level lists the ops of `input`.
static bool isInput(ModuleOp input, const Program &program) {
  llvm::DenseMap<uint32_t, uint32_t> nodes = indexNodes(program);
  uint32_t position = 0;
  size_t found = 0;
  input->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto node = nodes.find(position++);
    found += node != nodes.end() &&
             program.strings[program.nodes[node->second].op] ==
                 op->getName().getStringRef();
  });
  return found == nodes.size();
}

void cost::completeWork(ModuleOp input, Profile &profile) {
  for (const Program &program : profile.programs) {
    auto isOfProgram = [&](const NodeWork &work) {
      return work.program == program.fingerprint;
    };
    if (llvm::all_of(profile.runs, [&](const Run &run) {
          return llvm::any_of(run.work, isOfProgram);
        }))
      continue;
    if (!isInput(input, program))
      continue;
    std::vector<NodeWork> work = computeWork(input, program, {});
    for (Run &run : profile.runs)
      if (!llvm::any_of(run.work, isOfProgram))
        llvm::append_range(run.work, work);
  }
}
