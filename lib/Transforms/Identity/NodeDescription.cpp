//===- NodeDescription.cpp - A program's description of an op -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeDescription.h"

#include "mlir-prof/Cost/StaticCost.h"
#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

/// Names may be whole call stacks.
static constexpr size_t kMaxName = 512;
static constexpr size_t kMaxLocation = 256;

/// Whether `op` is in the body of an op on tensors or buffers that describes
/// the computation per element.
static bool isInBody(Operation *op) {
  for (Operation *above = op->getParentOp();
       above && !isa<FunctionOpInterface>(above); above = above->getParentOp())
    if (isa<linalg::LinalgOp, tensor::PadOp, tensor::GenerateOp>(above))
      return true;
  return false;
}

NodeKind transforms::getNodeKind(Operation *op) {
  if (isa<FunctionOpInterface>(op))
    return NodeKind::Function;
  if (isa<CallOpInterface>(op))
    return NodeKind::Call;
  // By name, because the dialects need not be loaded. Among OpenMP's two ops
  // for one loop nest, omp.wsloop only specifies how omp.loop_nest is shared.
  return llvm::StringSwitch<NodeKind>(op->getName().getStringRef())
      .Cases({"scf.for", "scf.parallel", "scf.forall", "scf.while"},
             NodeKind::Loop)
      .Cases({"affine.for", "affine.parallel", "omp.loop_nest"}, NodeKind::Loop)
      .Cases({"scf.if", "scf.index_switch", "affine.if"}, NodeKind::Branch)
      .Cases({"cf.cond_br", "cf.switch", "llvm.cond_br", "llvm.switch"},
             NodeKind::Branch)
      .Default(isInBody(op) ? NodeKind::Body : NodeKind::Operation);
}

/// The product of the trips of each dimension, or -1.
static int64_t multiplyTrips(ArrayRef<OpFoldResult> lower,
                             ArrayRef<OpFoldResult> upper,
                             ArrayRef<OpFoldResult> step) {
  int64_t trips = 1;
  for (auto [from, to, by] : llvm::zip(lower, upper, step)) {
    std::optional<int64_t> begin = getConstantIntValue(from);
    std::optional<int64_t> end = getConstantIntValue(to);
    std::optional<int64_t> stride = getConstantIntValue(by);
    int64_t length, product;
    if (!begin || !end || !stride || *stride <= 0 ||
        llvm::SubOverflow(*end, *begin, length))
      return -1;
    int64_t count = length <= 0 ? 0 : (length - 1) / *stride + 1;
    if (llvm::MulOverflow(trips, count, product))
      return -1;
    trips = product;
  }
  return trips;
}

/// For omp.loop_nest, whose bounds are its operands: all lower, all upper, all
/// steps. `loop_inclusive` means that the upper bound is included.
static int64_t getOmpTrips(Operation *op) {
  size_t rank = op->getNumOperands() / 3;
  if (rank == 0 || op->getNumOperands() != 3 * rank ||
      op->hasAttr("loop_inclusive"))
    return -1;
  SmallVector<OpFoldResult> bounds(op->getOperands());
  ArrayRef<OpFoldResult> all = bounds;
  return multiplyTrips(all.take_front(rank), all.slice(rank, rank),
                       all.take_back(rank));
}

int64_t transforms::getConstantTrips(Operation *op) {
  if (op->getName().getStringRef() == "omp.loop_nest")
    return getOmpTrips(op);
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
    return trips && *trips <= uint64_t(INT64_MAX) ? int64_t(*trips) : -1;
  }
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op)) {
    std::optional<SmallVector<int64_t, 8>> ranges = loop.getConstantRanges();
    if (!ranges)
      return -1;
    SmallVector<OpFoldResult> lower, upper, step;
    Builder builder(op->getContext());
    for (auto [range, by] : llvm::zip(*ranges, loop.getSteps())) {
      lower.push_back(builder.getIndexAttr(0));
      upper.push_back(builder.getIndexAttr(range));
      step.push_back(builder.getIndexAttr(by));
    }
    return multiplyTrips(lower, upper, step);
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return -1;
  auto lower = loop.getLoopLowerBounds();
  auto upper = loop.getLoopUpperBounds();
  auto step = loop.getLoopSteps();
  return lower && upper && step ? multiplyTrips(*lower, *upper, *step) : -1;
}

uint64_t NodeDescriber::getCost(Operation *op) {
  uint64_t cost = getStaticCost(op);
  auto isMemref = [](Type type) { return isa<BaseMemRefType>(type); };
  if (cost == 0 || op->getNumRegions() != 0 || isa<linalg::LinalgOp>(op) ||
      (llvm::none_of(op->getOperandTypes(), isMemref) &&
       llvm::none_of(op->getResultTypes(), isMemref)))
    return cost;
  // An access to a buffer is smaller than the buffer.
  return std::clamp<uint64_t>(
      llvm::SaturatingMultiply(weights.get(op), cost::kElement), 1, cost::kMax);
}

/// The first `limit` bytes of `text`, without splitting a UTF-8 character.
static StringRef cut(StringRef text, size_t limit) {
  if (text.size() <= limit)
    return text;
  while (limit > 0 && (text[limit] & 0xc0) == 0x80)
    --limit;
  return text.take_front(limit);
}

/// `text`, truncated to `limit` bytes.
static StringAttr limit(MLIRContext *context, StringRef text, size_t limit) {
  return StringAttr::get(context, cut(text, limit));
}

std::shared_ptr<LocationTexts> transforms::makeLocationTexts() {
  return std::make_shared<LocationTexts>();
}

const LocationTexts::Texts &LocationTexts::get(Location location) {
  auto [entry, isNew] = known.try_emplace(location);
  Texts &texts = entry->second;
  if (!isNew)
    return texts;
  MLIRContext *context = location.getContext();
  const LocationInfo &info = locations.get(locations.add(location));
  auto names = llvm::map_range(
      info.names, [&](uint32_t number) { return locations.getName(number); });
  const Frame &frame = info.getUserFrame();
  texts.name = limit(context, llvm::join(names, "; "), kMaxName);
  texts.location = limit(context, locations.describe(info), kMaxLocation);
  texts.file = limit(context, frame.file, kMaxName);
  texts.line = frame.line;
  return texts;
}

const NodeDescriber::Origin &NodeDescriber::getOrigin(Location location) {
  auto [entry, isNew] = origins.try_emplace(location);
  Origin &origin = entry->second;
  if (!isNew)
    return origin;
  const LocationTexts::Texts &of = texts.get(location);
  origin.name = program.intern(of.name);
  origin.location = program.intern(of.location);
  origin.file = program.intern(of.file);
  origin.line = of.line;
  return origin;
}

ProgramNode NodeDescriber::describe(Operation *op, Location location) {
  const Origin &origin = getOrigin(location);
  ProgramNode node;
  node.kind = getNodeKind(op);
  node.op = program.intern(op->getName().getIdentifier());
  node.name = origin.name;
  if (node.kind == NodeKind::Function)
    node.name = program.intern(limit(
        op->getContext(), cast<FunctionOpInterface>(op).getName(), kMaxName));
  node.location = origin.location;
  node.file = origin.file;
  node.line = origin.line;
  node.cost = getCost(op);
  if (node.kind == NodeKind::Loop)
    node.trips = getConstantTrips(op);
  return node;
}
