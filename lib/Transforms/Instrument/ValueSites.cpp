//===- ValueSites.cpp - Recording of values -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueSites.h"
#include "ProbeParts.h"

#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

void ValueSites::add(OpBuilder &builder, Operation *op, ValueKind kind,
                     ArrayRef<Value> tuple, std::vector<std::string> names,
                     bool hot) {
  ValueSite site;
  site.kind = kind;
  site.node = lookup.find(op);
  site.names = std::move(names);
  prof::ValueOp::create(builder, op->getLoc(), program.sites.size(), tuple,
                        hot);
  program.sites.push_back(std::move(site));
}

/// The name in its location, else "arg0".
static std::string getArgumentName(BlockArgument argument) {
  if (auto name = dyn_cast<NameLoc>(prof::removeIdentities(argument.getLoc())))
    return name.getName().str();
  return llvm::formatv("arg{0}", argument.getArgNumber());
}

/// prof.value takes 64 bits; i1 is zero-extended.
static Value widen(OpBuilder &builder, Location location, Value value) {
  Type type = value.getType(), wide = builder.getI64Type();
  if (type == wide)
    return value;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, location, wide, value);
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, location, wide, value);
  return arith::ExtSIOp::create(builder, location, wide, value);
}

void ValueSites::recordEntry(OpBuilder &builder, ValueKind kind,
                             ArrayRef<EntryValue> values) {
  SmallVector<Value> tuple;
  std::vector<std::string> names;
  for (const EntryValue &value : values) {
    Value read = readEntryValue(builder, function, value);
    tuple.push_back(widen(builder, function.getLoc(), read));
    std::string name = getArgumentName(function.getArgument(value.argument));
    if (value.dimension)
      name += llvm::formatv(".dim{0}", *value.dimension);
    names.push_back(std::move(name));
  }
  if (!tuple.empty())
    add(builder, function, kind, tuple, std::move(names), /*hot=*/false);
}

void ValueSites::recordArguments() {
  for (Type type : function.getArgumentTypes())
    if (isa<UnrankedMemRefType, UnrankedTensorType>(type))
      skipped.push_back({function, "arguments without a rank"});
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  recordEntry(builder, ValueKind::Dimensions, getEntryDimensions(function));
  recordEntry(builder, ValueKind::Arguments, getEntryNumbers(function));
}

/// Whether `op` runs its regions repeatedly, or on several threads.
static bool repeats(Operation *op) {
  return isLoop(op) ||
         isa<omp::LoopNestOp, omp::LoopWrapperInterface, omp::ParallelOp>(op);
}

Operation *ValueSites::getPlace(Operation *loop,
                                const LoopRanges &ranges) const {
  Operation *place = loop;
  for (Operation *parent = loop->getParentOp(); parent != function;
       parent = parent->getParentOp()) {
    bool isPlain = isa<memref::AllocaScopeOp, scf::ExecuteRegionOp>(parent);
    if ((!isPlain && !repeats(parent)) || !ranges.isDefinedOutside(parent))
      break;
    if (!isPlain)
      place = parent;
  }
  return place;
}

void ValueSites::recordTrips(Operation *loop) {
  std::optional<LoopRanges> ranges = getLoopRanges(loop);
  if (!ranges) {
    skipped.push_back({loop, "loops whose trip count is unknown in advance"});
    return;
  }
  if (ranges->isStatic())
    return;
  Operation *place = getPlace(loop, *ranges);
  if (isa<omp::LoopWrapperInterface>(place)) {
    skipped.push_back(
        {loop, "loops of a team with bounds computed by each thread"});
    return;
  }
  bool inLoop = nests.getParentLoop(place) != nullptr;
  if (inLoop && nests.get(loop).isInnermost && !everywhere) {
    skipped.push_back({loop, "innermost loops whose bounds change in a loop"});
    return;
  }
  OpBuilder builder(place);
  SmallVector<Value> counts = createTripCounts(builder, loop, *ranges);
  std::vector<std::string> names;
  for (size_t i = 0; i < counts.size(); ++i)
    names.push_back(counts.size() == 1 ? "trips"
                                       : llvm::formatv("trips{0}", i).str());
  add(builder, loop, ValueKind::Trips, counts, std::move(names), inLoop);
}

void ValueSites::recordBranch(Operation *op, Value condition, bool inInnermost,
                              bool inLoop) {
  if (matchPattern(condition, m_Constant()))
    return;
  if (inInnermost && !everywhere) {
    skipped.push_back({op, "branches in innermost loops"});
    return;
  }
  OpBuilder builder(op);
  Value taken = arith::ExtUIOp::create(builder, op->getLoc(),
                                       builder.getI64Type(), condition);
  add(builder, op, ValueKind::Branch, {taken}, {"taken"}, inLoop);
}

void ValueSites::recordBranches(Region &region, CFGLoopInfo &loops) {
  Operation *around = region.getParentOp();
  // The blocks may belong to a region in a loop.
  Operation *outer = around == function
                         ? nullptr
                         : nests.getParentLoop(&region.front().front());
  bool outerIsInnermost = outer && nests.get(outer).isInnermost;
  for (Block &block : region) {
    Operation *last = block.empty() ? nullptr : &block.back();
    CFGLoop *loop = loops.getLoopFor(&block);
    if (auto branch = dyn_cast_or_null<cf::CondBranchOp>(last))
      recordBranch(branch, branch.getCondition(),
                   loop ? loop->isInnermost() : outerIsInnermost,
                   loop || outer);
    else if (last && last->getNumSuccessors() > 1)
      skipped.push_back({last, "branches of other kinds"});
  }
  for (CFGLoop *loop : loops.getLoopsInPreorder())
    skipped.push_back(
        {loop->getHeader()->getTerminator(),
         "loops of branches whose trip count is unknown in advance"});
}

/// Whether the loops to which `op` will be lowered depend on values.
static bool isDynamic(linalg::LinalgOp op) {
  return llvm::is_contained(op.getStaticLoopRanges(), ShapedType::kDynamic);
}

/// Reports ops whose values are never recorded.
void ValueSites::skipOthers() {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (structured && isDynamic(structured))
      skipped.push_back({op, "structured ops of dynamic shapes"});
    if (isa<affine::AffineIfOp, scf::IndexSwitchOp>(op))
      skipped.push_back({op, "branches of other kinds"});
    return structured ? WalkResult::skip() : WalkResult::advance();
  });
}

void ValueSites::record() {
  SmallVector<Operation *> ops;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // The loops of a structured op do not exist yet, nor does the nest for its
    // scalar code.
    if (isa<linalg::LinalgOp>(op))
      return WalkResult::skip();
    if (isLoop(op) || isa<scf::IfOp>(op))
      ops.push_back(op);
    return WalkResult::advance();
  });
  // A kernel's arguments are the host side's buffers.
  if (function.isPublic() && !findPart(function))
    recordArguments();
  for (Operation *op : ops) {
    auto choice = dyn_cast<scf::IfOp>(op);
    if (!choice) {
      recordTrips(op);
      continue;
    }
    Operation *loop = nests.getParentLoop(op);
    recordBranch(op, choice.getCondition(), loop && nests.get(loop).isInnermost,
                 loop);
  }
  visitBlockGraphs(function, [&](Region &region, CFGLoopInfo &loops) {
    recordBranches(region, loops);
  });
  skipOthers();
}

uint64_t transforms::recordValues(ModuleOp module, Program &program,
                                  NodeLookup &lookup, bool everywhere) {
  constexpr StringLiteral kWhat = "prof-record-values: not recorded";
  uint64_t count = 0;
  for (func::FuncOp function : getMeasuredFunctions(module, kWhat, count)) {
    ValueSites sites(function, program, lookup, everywhere);
    sites.record();
    count += sites.getSkipped().size();
    emitSkipped(function, kWhat, sites.getSkipped());
  }
  return count;
}
