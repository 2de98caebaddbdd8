//===- Outline.cpp - Moving groups into kernels ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops are copied into the kernel in their order. A value from outside of
// the group becomes an argument, unless the kernel makes it again
// (OpPlaces.cpp). The chain of destinations behind each result leads to the
// tensor that its buffer begins as. An empty one is replaced by a destination
// of the kernel.
//
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using dispatch::RunOp;

/// Limit on chains of scalar ops that a kernel computes again.
static constexpr unsigned kMostScalarOps = 8;

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

/// The operand that `result` begins as, or null.
static OpOperand *getStart(OpResult result) {
  if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return op.getTiedOpOperand(result);
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return loop.getTiedLoopInit(result);
  return nullptr;
}

/// The first operand in the chain of destinations behind `value`; null if
/// `value` does not have a destination.
static OpOperand *getFirstStart(Value value) {
  OpOperand *first = nullptr;
  while (auto result = dyn_cast<OpResult>(value)) {
    OpOperand *start = getStart(result);
    if (!start)
      break;
    first = start;
    value = start->get();
  }
  return first;
}

/// Whether `operand` is where a result of its owner begins.
static bool isStart(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return destination.isDpsInit(&operand);
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && loop.getTiedLoopResult(&operand);
}

/// Whether a kernel can take or make the values that the ops of `group` use.
static bool areOperands(const DispatchGroup &group) {
  llvm::SetVector<Value> values;
  for (Operation *op : group.ops) {
    values.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
  }
  return llvm::all_of(values, [](Value value) {
    Type type = value.getType();
    Operation *op = value.getDefiningOp();
    return isa<RankedTensorType, FloatType, IndexType, ComplexType>(type) ||
           type.isSignlessInteger() ||
           (op && getPlace(op) == OpPlace::EachKernel);
  });
}

bool codegen::canOutline(const DispatchGroup &group) {
  return areOperands(group) &&
         llvm::all_of(group.getLast()->getResults(), [&](OpResult result) {
           if (result.use_empty() ||
               cast<RankedTensorType>(result.getType()).hasStaticShape())
             return true;
           OpOperand *first = getFirstStart(result);
           if (!first)
             return false;
           Operation *op = first->get().getDefiningOp();
           if (!op || isa<tensor::EmptyOp>(op))
             return true;
           // A tensor of the host side.
           OpPlace place = getPlace(op);
           return (place == OpPlace::Host || place == OpPlace::Kernel) &&
                  !llvm::is_contained(group.ops, op);
         });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {

class KernelBuilder {
public:
  KernelBuilder(const DispatchGroup &group, func::FuncOp kernel)
      : group(group), kernel(kernel), entry(kernel.addEntryBlock()),
        builder(OpBuilder::atBlockEnd(entry)) {}

  void build();
  /// Runs the kernel before the last op of the group.
  RunOp createRun();

private:
  void copy(Operation *op);
  void addOutput(OpResult result);
  void removeUnused();
  void protectInputs();

  bool isKnown(Value value) { return mapping.contains(value); }
  bool isMade(Value value);
  bool canCompute(Value scalar, unsigned depth);
  Value resolve(Value value);
  Value resolveStart(Value value);
  Value copyMaker(Operation *op, llvm::function_ref<Value(Value)> get);
  Value addInput(Value value);
  Operation *liftOffsets(Operation *op);

  const DispatchGroup &group;
  func::FuncOp kernel;
  Block *entry;
  OpBuilder builder;
  IRMapping mapping;
  /// Tensors from outside that the ops of the group read.
  DenseSet<Value> tensors;
  /// For the copy of an empty tensor: the original.
  llvm::MapVector<Operation *, tensor::EmptyOp> empties;
  SmallVector<Value> inputs;
  /// For each output: the result of the group's last op, and the tensor of the
  /// host side that it begins as, or one that it is like.
  struct Output {
    OpResult result;
    Value updated, like;
  };
  SmallVector<Output> outputs;
  SmallVector<Value> returned;
};

} // namespace

bool KernelBuilder::isMade(Value value) {
  return isMadeInKernel(value, [&](Value made) { return isKnown(made); });
}

/// Whether the kernel can compute a number from its arguments, such as the size
/// of one of them.
bool KernelBuilder::canCompute(Value scalar, unsigned depth) {
  if (isKnown(scalar))
    return true;
  Operation *op = scalar.getDefiningOp();
  if (!op || depth == kMostScalarOps || op->getNumRegions() != 0 ||
      !scalar.getType().isIntOrIndex())
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (auto size = dyn_cast<tensor::DimOp>(op))
    return (tensors.contains(size.getSource()) || isKnown(size.getSource())) &&
           canCompute(size.getIndex(), depth + 1);
  return isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
             arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::IndexCastOp,
             arith::MaxSIOp, arith::MinSIOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canCompute(operand, depth + 1);
         });
}

Value KernelBuilder::addInput(Value value) {
  inputs.push_back(value);
  BlockArgument argument = entry->addArgument(value.getType(), value.getLoc());
  mapping.map(value, argument);
  return argument;
}

/// Makes constant offsets operands if `op`, a copy, reads or writes a part of a
/// tensor from outside: then dispatches of other parts run the same kernel.
/// Returns the op that replaces `op`.
Operation *KernelBuilder::liftOffsets(Operation *op) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (!slice && !insert)
    return op;
  Value whole = slice ? slice.getSource() : insert.getDest();
  if (!isa<BlockArgument>(whole))
    return op;
  auto part = cast<OffsetSizeAndStrideOpInterface>(op);
  SmallVector<OpFoldResult> offsets = part.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = part.getMixedSizes();
  OpBuilder host(group.getLast());
  for (auto [dim, size] :
       llvm::enumerate(cast<RankedTensorType>(whole.getType()).getShape())) {
    std::optional<int64_t> offset = getConstantIntValue(offsets[dim]);
    if (offset && getConstantIntValue(sizes[dim]) != size)
      offsets[dim] =
          addInput(arith::ConstantIndexOp::create(host, op->getLoc(), *offset));
  }
  Operation *lifted =
      slice ? tensor::ExtractSliceOp::create(builder, op->getLoc(),
                                             slice.getType(), whole, offsets,
                                             sizes, part.getMixedStrides())
                  .getOperation()
            : tensor::InsertSliceOp::create(builder, op->getLoc(),
                                            insert.getSource(), whole, offsets,
                                            sizes, part.getMixedStrides())
                  .getOperation();
  op->replaceAllUsesWith(lifted);
  op->erase();
  return lifted;
}

/// Copies `op`, which has one result, with the operands that `get` gives.
Value KernelBuilder::copyMaker(Operation *op,
                               llvm::function_ref<Value(Value)> get) {
  IRMapping own;
  for (Value operand : op->getOperands())
    own.map(operand, get(operand));
  Operation *made = liftOffsets(builder.clone(*op, own));
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    empties[made] = empty;
  return made->getResult(0);
}

/// The value in the kernel that stands for `value`.
Value KernelBuilder::resolve(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  bool isNumber = !isa<ShapedType>(value.getType());
  if (!isMade(value) && !(isNumber && canCompute(value, 0)))
    return addInput(value);
  Value made = copyMaker(value.getDefiningOp(),
                         [&](Value operand) { return resolve(operand); });
  mapping.map(value, made);
  return made;
}

/// The same for the start of a result: empty tensors and fills are not shared,
/// as each becomes another destination.
Value KernelBuilder::resolveStart(Value value) {
  Operation *op = value.getDefiningOp();
  if (isKnown(value) || !isMade(value))
    return resolve(value);
  if (isa<tensor::EmptyOp>(op))
    return copyMaker(op, [&](Value operand) { return resolve(operand); });
  if (!isa<linalg::FillOp>(op))
    return resolve(value);
  return copyMaker(op, [&](Value operand) {
    return isa<TensorType>(operand.getType()) ? resolveStart(operand)
                                              : resolve(operand);
  });
}

void KernelBuilder::copy(Operation *op) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(isStart(operand) ? resolveStart(operand.get())
                                        : resolve(operand.get()));
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    resolve(value);
  Operation *copied = builder.clone(*op, mapping);
  copied->setOperands(operands);
  Operation *lifted = liftOffsets(copied);
  if (lifted != copied)
    mapping.map(op->getResults(), lifted->getResults());
}

/// Inserts the parts of `concat` into `whole`, so that each is computed or
/// copied there: bufferization would concatenate them elsewhere first.
static Value insertParts(OpBuilder &builder, tensor::ConcatOp concat,
                         Value whole) {
  SmallVector<OpFoldResult> ones(concat.getType().getRank(),
                                 builder.getIndexAttr(1));
  SmallVector<int64_t> offsets(ones.size(), 0);
  for (Value part : concat.getInputs()) {
    ArrayRef<int64_t> sizes = cast<RankedTensorType>(part.getType()).getShape();
    whole = tensor::InsertSliceOp::create(
        builder, concat.getLoc(), part, whole,
        getAsIndexOpFoldResult(builder.getContext(), offsets),
        getAsIndexOpFoldResult(builder.getContext(), sizes), ones);
    offsets[concat.getDim()] += sizes[concat.getDim()];
  }
  concat.erase();
  return whole;
}

/// The concatenation that makes `value`, if its sizes are known and only the
/// kernel's result uses it.
static tensor::ConcatOp getStaticConcat(Value value) {
  auto concat = value.getDefiningOp<tensor::ConcatOp>();
  bool isStatic = concat && concat->use_empty() &&
                  llvm::all_of(concat->getOperandTypes(), [](Type type) {
                    return cast<RankedTensorType>(type).hasStaticShape();
                  });
  return isStatic ? concat : tensor::ConcatOp();
}

void KernelBuilder::addOutput(OpResult result) {
  Value value = mapping.lookup(result);
  BlockArgument output = entry->addArgument(value.getType(), result.getLoc());
  OpOperand *first = getFirstStart(value);
  auto input = first ? dyn_cast<BlockArgument>(first->get()) : BlockArgument();
  if (first && first->get().getDefiningOp<tensor::EmptyOp>()) {
    tensor::EmptyOp empty = empties.lookup(first->get().getDefiningOp());
    outputs.push_back({result, Value(), empty ? empty.getResult() : Value()});
    // Ops that begin as the same empty tensor go on sharing one, but for those
    // that begin other outputs.
    llvm::SmallPtrSet<OpOperand *, 2> others;
    for (OpResult other : group.getLast()->getResults())
      if (OpOperand *start = getFirstStart(mapping.lookup(other));
          start != first)
        others.insert(start);
    for (auto [copied, original] : empties)
      if (original == empty)
        copied->replaceUsesWithIf(ValueRange(output), [&](OpOperand &use) {
          return !others.contains(&use);
        });
  } else if (input && input.getArgNumber() < inputs.size()) {
    outputs.push_back({result, inputs[input.getArgNumber()], Value()});
    first->set(output);
  } else {
    // It may begin as the same tensor as another output.
    Value like;
    if (input) {
      const Output &same = outputs[input.getArgNumber() - inputs.size()];
      like = same.updated ? same.updated : same.like;
    }
    outputs.push_back({result, Value(), like});
    if (tensor::ConcatOp concat = getStaticConcat(value))
      value = insertParts(builder, concat, output);
    else
      value = bufferization::MaterializeInDestinationOp::create(
                  builder, result.getLoc(), value.getType(), value, output)
                  .getResult();
  }
  returned.push_back(value);
}

/// Tensors that only were the start of a result are outputs now.
void KernelBuilder::removeUnused() {
  for (auto [copied, original] : empties)
    if (copied->use_empty())
      copied->erase();
  empties.clear();
  for (size_t i = inputs.size(); i-- > 0;) {
    if (!entry->getArgument(i).use_empty())
      continue;
    entry->eraseArgument(i);
    inputs.erase(inputs.begin() + i);
  }
}

/// Whether bufferization may see a reason to write to the buffer of `tensor`.
static bool mayBeWritten(Value tensor) {
  return llvm::any_of(tensor.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isStart(use))
      return true;
    if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::CastOp>(user))
      return mayBeWritten(user->getResult(0));
    return !isa<cpu::NestOp, cpu::WinogradInputOp, cpu::WinogradOutputOp,
                linalg::LinalgOp, tensor::InsertSliceOp, tensor::DimOp,
                tensor::ExtractOp, tensor::PadOp, vector::TransferReadOp>(user);
  });
}

/// Keeps bufferization, which may write to all arguments of a function, from
/// writing to inputs.
void KernelBuilder::protectInputs() {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (isa<TensorType>(inputs[i].getType()) &&
        mayBeWritten(entry->getArgument(i)))
      kernel.setArgAttr(i,
                        bufferization::BufferizationDialect::kWritableAttrName,
                        builder.getBoolAttr(false));
}

void KernelBuilder::build() {
  for (Operation *op : group.ops)
    for (Value operand : op->getOperands())
      if (isa<TensorType>(operand.getType()) && !isMade(operand))
        tensors.insert(operand);
  for (Operation *op : group.ops)
    for (Value result : op->getResults())
      tensors.erase(result);
  for (Operation *op : group.ops)
    copy(op);
  for (OpResult result : group.getLast()->getResults())
    if (!result.use_empty())
      addOutput(result);
  func::ReturnOp::create(builder, kernel.getLoc(), returned);
  removeUnused();
  kernel.setType(builder.getFunctionType(entry->getArgumentTypes(),
                                         ValueRange(returned).getTypes()));
  protectInputs();
}

RunOp KernelBuilder::createRun() {
  Operation *last = group.getLast();
  OpBuilder host(last);
  SmallVector<Value> destinations;
  SmallVector<int64_t> updates;
  for (const Output &output : outputs) {
    if (output.updated) {
      updates.push_back(destinations.size());
      destinations.push_back(output.updated);
      continue;
    }
    auto type = cast<RankedTensorType>(output.result.getType());
    auto empty = llvm::dyn_cast_if_present<tensor::EmptyOp>(
        output.like ? output.like.getDefiningOp() : nullptr);
    Location location = empty ? empty.getLoc() : output.result.getLoc();
    SmallVector<OpFoldResult> sizes;
    if (empty)
      sizes = empty.getMixedSizes();
    else if (output.like)
      sizes = tensor::getMixedSizes(host, location, output.like);
    else
      sizes = getAsIndexOpFoldResult(host.getContext(), type.getShape());
    destinations.push_back(
        tensor::EmptyOp::create(host, location, sizes, type.getElementType()));
  }
  auto run = RunOp::create(
      host, kernel.getLoc(), ValueRange(destinations).getTypes(),
      FlatSymbolRefAttr::get(kernel.getSymNameAttr()), inputs, destinations,
      updates.empty() ? DenseI64ArrayAttr()
                      : host.getDenseI64ArrayAttr(updates),
      IntegerAttr(), ArrayAttr(), StringAttr());
  for (auto [output, result] : llvm::zip_equal(outputs, run.getResults()))
    output.result.replaceAllUsesWith(result);
  return run;
}

/// Erases `op` and the slices and views of its results that kernels have
/// copied.
static void eraseWithUsers(Operation *op) {
  while (!op->use_empty())
    eraseWithUsers(*op->user_begin());
  op->erase();
}

func::FuncOp codegen::outlineGroup(const DispatchGroup &group, StringRef name,
                                   OpBuilder &kernels) {
  MLIRContext *context = kernels.getContext();
  SmallVector<Location> locations = llvm::map_to_vector(
      group.ops, [](Operation *op) { return op->getLoc(); });
  auto kernel = func::FuncOp::create(kernels, FusedLoc::get(context, locations),
                                     name, kernels.getFunctionType({}, {}));
  kernel.setPrivate();
  kernel->setAttr(dispatch::DispatchDialect::getKernelAttrName(),
                  kernels.getUnitAttr());
  KernelBuilder builder(group, kernel);
  builder.build();
  builder.createRun();
  for (Operation *op : llvm::reverse(group.ops))
    eraseWithUsers(op);
  return kernel;
}
