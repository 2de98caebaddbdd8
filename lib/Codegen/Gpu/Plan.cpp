//===- Plan.cpp - How a GPU computes a kernel -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "Emit.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using bufferization::MaterializeInDestinationOp;
using linalg::LinalgOp;

/// The bits that a thread reads or writes at once.
static constexpr int64_t kAccessBits = 128;
/// Enough threads to keep all processors of a large GPU busy: elements are only
/// joined if as many remain.
static constexpr int64_t kBusyThreads = 64 * 1024;

ArrayRef<int64_t> GpuOutput::getShape() const {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

bool codegen::isTensorKernel(func::FuncOp function) {
  return dispatch::isKernel(function) && !function.isExternal() &&
         !function.getOps<MaterializeInDestinationOp>().empty();
}

/// The tensor that is written to `buffer`.
static Value skipPlaces(Value tensor) {
  while (auto placed = tensor.getDefiningOp<MaterializeInDestinationOp>())
    tensor = placed.getSource();
  return tensor;
}

/// A result that keeps all but an inserted part of its buffer is that part.
static GpuOutput makeOutput(Value tensor, Value buffer) {
  auto insert = tensor.getDefiningOp<tensor::InsertSliceOp>();
  auto read = insert
                  ? insert.getDest().getDefiningOp<bufferization::ToTensorOp>()
                  : bufferization::ToTensorOp();
  bool isDense =
      insert && llvm::all_of(insert.getMixedStrides(), [](OpFoldResult stride) {
        return getConstantIntValue(stride) == 1;
      });
  if (!isDense || !read || read.getBuffer() != buffer)
    return {tensor, buffer, {}, {}};
  GpuOutput output = {insert.getSource(), buffer, insert.getMixedOffsets(), {}};
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  int64_t next = 0;
  for (unsigned dim = 0, e = output.offsets.size(); dim != e; ++dim)
    output.dimensions.push_back(dropped.test(dim) ? -1 : next++);
  return output;
}

SmallVector<GpuOutput> codegen::findOutputs(func::FuncOp kernel) {
  SmallVector<GpuOutput> outputs;
  for (auto op : kernel.getOps<MaterializeInDestinationOp>())
    if (isa<MemRefType>(op.getDest().getType()))
      outputs.push_back(makeOutput(skipPlaces(op.getSource()), op.getDest()));
  return outputs;
}

static int64_t countElements(const GpuOutput &output) {
  int64_t count = 1;
  for (int64_t size : output.getShape())
    count *= size;
  return count;
}

/// How many elements of `output` a thread computes.
static int64_t getWidth(const GpuOutput &output) {
  Type element =
      cast<RankedTensorType>(output.tensor.getType()).getElementType();
  if (!element.isIntOrFloat() || output.getShape().empty())
    return 1;
  int64_t bits = std::max<int64_t>(element.getIntOrFloatBitWidth(), 8);
  int64_t width = std::max<int64_t>(kAccessBits / bits, 1);
  while (width > 1 && (output.getShape().back() % width != 0 ||
                       countElements(output) / width < kBusyThreads))
    width /= 2;
  return width;
}

/// The op that computes its element from that of `value` at indices in another
/// order; null if there is none.
static LinalgOp getElementUser(Value value) {
  LinalgOp user;
  for (OpOperand &use : value.getUses()) {
    if (isa<MaterializeInDestinationOp>(use.getOwner()))
      continue;
    auto op = dyn_cast<LinalgOp>(use.getOwner());
    if (user || !op || op.getNumReductionLoops() != 0 || !op.isDpsInput(&use) ||
        !op.getMatchingIndexingMap(&use).isPermutation() ||
        op->getNumResults() != 1 ||
        !op.getIndexingMapMatchingResult(op->getResult(0)).isPermutation())
      return {};
    user = op;
  }
  return user;
}

LinalgOp codegen::findRoot(func::FuncOp kernel, ArrayRef<GpuOutput> outputs) {
  LinalgOp root;
  for (auto op : kernel.getOps<LinalgOp>()) {
    if (op.getNumReductionLoops() == 0)
      continue;
    if (root || op->getNumResults() != outputs.size())
      return {};
    root = op;
  }
  if (!root)
    return {};
  if (outputs.size() > 1)
    return llvm::all_of(outputs,
                        [&](const GpuOutput &output) {
                          return output.tensor.getDefiningOp() == root;
                        })
               ? root
               : LinalgOp();
  Value value = root->getResult(0);
  while (value != outputs.front().tensor) {
    LinalgOp next = getElementUser(value);
    if (!next)
      return {};
    value = next->getResult(0);
  }
  return root;
}

SmallVector<Value> codegen::getOutputIndices(LinalgOp root,
                                             ArrayRef<Value> indices) {
  SmallVector<Value> places(indices);
  Value value = root->getResult(0);
  while (LinalgOp next = getElementUser(value)) {
    OpOperand *use = nullptr;
    for (OpOperand *input : next.getDpsInputOperands())
      if (input->get() == value)
        use = input;
    // The loops, and then the indices of the result.
    SmallVector<Value> loops(places.size());
    for (auto [expression, place] :
         llvm::zip_equal(next.getMatchingIndexingMap(use).getResults(), places))
      loops[cast<AffineDimExpr>(expression).getPosition()] = place;
    AffineMap map = next.getIndexingMapMatchingResult(next->getResult(0));
    for (auto [expression, place] : llvm::zip_equal(map.getResults(), places))
      place = loops[cast<AffineDimExpr>(expression).getPosition()];
    value = next->getResult(0);
  }
  return places;
}

/// Threads that share a warp's instructions.
static constexpr int64_t kWarp = 32;

/// Whether the innermost elements that `op` reads are those of a reduction.
static bool readsAlongReduction(LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() == 0)
      continue;
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction &&
          map.getResults().back().isFunctionOfDim(dim))
        return true;
  }
  return false;
}

/// Several threads share a reduction unless there are enough results to keep
/// all threads busy, and threads next to each other read elements next to each
/// other.
static void planReduction(LinalgOp root, const GpuOutput &output,
                          GpuPlan &plan) {
  int64_t depth = 1;
  for (auto [size, kind] : llvm::zip_equal(root.getStaticLoopRanges(),
                                           root.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      depth *= size;
  bool isAlong = readsAlongReduction(root);
  int64_t count = countElements(output);
  if (!getCombiners(root) || depth < 2 * kWarp ||
      (!isAlong && count >= kBusyThreads))
    return;
  plan.strategy = GpuStrategy::Reduction;
  plan.width = 1;
  plan.lanes = kWarp;
  while (plan.lanes < plan.threads && depth >= 8 * plan.lanes &&
         count * plan.lanes < 2 * kBusyThreads)
    plan.lanes *= 2;
  // All lanes have several groups of elements.
  Type element =
      getElementTypeOrSelf(root.getDpsInputOperand(0)->get().getType());
  int64_t size = getReductionSize(root);
  if (element.isIntOrFloat())
    plan.width = kAccessBits /
                 std::clamp<int64_t>(element.getIntOrFloatBitWidth(), 16, 128);
  while (plan.width > 1 &&
         (size % plan.width != 0 || size < 2 * plan.lanes * plan.width))
    plan.width /= 2;
}

/// A warp computes a row, or a workgroup a long one.
static void planRows(ArrayRef<int64_t> sizes, GpuPlan &plan) {
  constexpr int64_t kLongRow = 1024;
  plan.strategy = GpuStrategy::Rows;
  plan.lanes = sizes.back() <= kLongRow ? kWarp : plan.threads;
  plan.width = kAccessBits / 32;
  while (plan.width > 1 && (sizes.back() % plan.width != 0 ||
                            sizes.back() < plan.lanes * plan.width))
    plan.width /= 2;
}

GpuPlan codegen::planKernel(func::FuncOp kernel, bool hasWarpgroups) {
  GpuPlan plan;
  SmallVector<GpuOutput> all = findOutputs(kernel);
  // One reduction with what it reads and its epilogues is planned below.
  if (std::optional<SmallVector<int64_t>> sizes = findRows(kernel, all);
      sizes && !findRoot(kernel, all)) {
    planRows(*sizes, plan);
    return plan;
  }
  if (LinalgOp root = findRoot(kernel, all)) {
    // Small tiles are not worth the detour through shared memory.
    std::optional<GpuProduct> product = findProduct(root, all.front());
    if (product && product->rowSize >= 16 && product->columnSize >= 16 &&
        product->depthSize >= 16)
      planProduct(*product, hasWarpgroups, plan);
    else
      planReduction(root, all.front(), plan);
    if (plan.strategy != GpuStrategy::Elements)
      return plan;
  }
  for (const GpuOutput &output : findOutputs(kernel)) {
    int64_t width = getWidth(output);
    plan.width = plan.width == 1 ? width : std::min(plan.width, width);
  }
  for (const GpuOutput &output : findOutputs(kernel))
    while (plan.width > 1 && output.getShape().back() % plan.width != 0)
      plan.width /= 2;
  return plan;
}

static constexpr StringLiteral kStrategies[] = {
    "elements", "reduction", "rows", "product", "tensor-core", "warpgroup"};

namespace {
/// A number of a plan.
struct Field {
  StringRef name;
  int64_t GpuPlan::*member;
  int64_t least, most;
};
} // namespace

static ArrayRef<Field> getFields() {
  static const Field fields[] = {
      {"columns", &GpuPlan::columns, 0, 256},
      {"depth", &GpuPlan::depth, 0, 256},
      {"lanes", &GpuPlan::lanes, 1, 1024},
      {"rows", &GpuPlan::rows, 0, 256},
      {"stages", &GpuPlan::stages, 0, 8},
      {"threads", &GpuPlan::threads, 1, 1024},
      {"width", &GpuPlan::width, 1, 16},
  };
  return fields;
}

DictionaryAttr codegen::toAttribute(const GpuPlan &plan, MLIRContext *context) {
  Builder builder(context);
  SmallVector<NamedAttribute> attributes = {builder.getNamedAttr(
      "strategy", builder.getStringAttr(kStrategies[int(plan.strategy)]))};
  for (const Field &field : getFields())
    attributes.push_back(builder.getNamedAttr(
        field.name, builder.getI64IntegerAttr(plan.*field.member)));
  return builder.getDictionaryAttr(attributes);
}

std::optional<GpuPlan> codegen::toPlan(DictionaryAttr attribute) {
  auto name = attribute.getAs<StringAttr>("strategy");
  const auto *found =
      name ? llvm::find(kStrategies, name.getValue()) : std::end(kStrategies);
  if (found == std::end(kStrategies))
    return std::nullopt;
  GpuPlan plan;
  plan.strategy = GpuStrategy(found - std::begin(kStrategies));
  for (const Field &field : getFields()) {
    auto number = attribute.getAs<IntegerAttr>(field.name);
    if (!number)
      continue;
    plan.*field.member = number.getInt();
    if (number.getInt() < field.least || number.getInt() > field.most)
      return std::nullopt;
  }
  return plan;
}
