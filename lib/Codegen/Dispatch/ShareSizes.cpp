//===- ShareSizes.cpp - Sizes as arguments of kernels ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of one structure (SizeClasses.h) become the same function, each for
// itself: share-dispatches then finds them equal. A dimension in which they
// differ becomes dynamic. A number of a slice in which they differ becomes an
// argument, one for all numbers that are equal in each of them; so does an
// integer of a small kernel.
//
//===----------------------------------------------------------------------===//

#include "../Marks.h"
#include "SizeClasses.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SHARESIZESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using dispatch::RunOp;

namespace {

struct SizedKernel {
  func::FuncOp function;
  KernelSizes sizes;
  SmallVector<RunOp, 1> runs;
};

/// Which numbers of kernels of one structure differ.
class SizeClass {
public:
  explicit SizeClass(ArrayRef<SizedKernel *> kernels);

  bool differs() const {
    return llvm::is_contained(isFree, true) || !exchanged.empty();
  }

  ArrayRef<SizedKernel *> kernels;
  std::vector<bool> isFree;
  /// By number: the argument that tells it, if one has to.
  SmallVector<unsigned> argumentOf;
  /// By argument: the position of one of its numbers.
  SmallVector<size_t> arguments;
  /// By constant: the argument that replaces it, from 0 on, if one does.
  SmallVector<std::optional<unsigned>> exchangeOf;
  /// By such an argument: the position of one of its constants.
  SmallVector<size_t> exchanged;
  /// The kernel for whose sizes the loops are planned.
  const SizedKernel *largest = nullptr;

private:
  void compareConstants();
};

/// Gives one kernel the code of its class.
class SizeRewriter {
public:
  SizeRewriter(SizedKernel &kernel, const SizeClass &sizes)
      : kernel(kernel), sizes(sizes) {}

  void rewrite();

private:
  SmallVector<Type> getTypes(TypeRange types);
  void addArguments();
  void addExchanged();
  bool exchange(Operation *op);
  void rewrite(Operation *op);
  void rewriteSlice(OffsetSizeAndStrideOpInterface slice);
  void rewriteEmpty(tensor::EmptyOp empty, size_t first);
  void markLoops();
  void rewriteRuns();

  SizedKernel &kernel;
  const SizeClass &sizes;
  /// The next number of the kernel.
  size_t next = 0;
  /// The next of its integers that may differ.
  size_t nextConstant = 0;
  SmallVector<Value> arguments;
  SmallVector<Value> exchanged;
};

} // namespace

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

SizeClass::SizeClass(ArrayRef<SizedKernel *> kernels) : kernels(kernels) {
  largest = kernels.front();
  size_t count = largest->sizes.numbers.size();
  isFree.resize(count);
  argumentOf.resize(count);
  std::map<SmallVector<int64_t>, unsigned> known;
  for (size_t i = 0; i < count; ++i) {
    SmallVector<int64_t> numbers =
        llvm::map_to_vector(kernels, [&](const SizedKernel *kernel) {
          return kernel->sizes.numbers[i];
        });
    isFree[i] = !llvm::all_equal(numbers);
    auto [entry, isNew] = known.try_emplace(numbers, known.size());
    argumentOf[i] = entry->second;
    if (isNew)
      arguments.push_back(i);
  }
  for (const SizedKernel *kernel : kernels)
    if (kernel->sizes.work > largest->sizes.work)
      largest = kernel;
  compareConstants();
}

void SizeClass::compareConstants() {
  size_t count = largest->sizes.constants.size();
  exchangeOf.resize(count);
  std::map<SmallVector<const void *>, unsigned> known;
  for (size_t i = 0; i < count; ++i) {
    // Equal attributes are one.
    SmallVector<const void *> values =
        llvm::map_to_vector(kernels, [&](const SizedKernel *kernel) {
          return kernel->sizes.constants[i].getAsOpaquePointer();
        });
    if (llvm::all_equal(values))
      continue;
    auto [entry, isNew] = known.try_emplace(values, known.size());
    exchangeOf[i] = entry->second;
    if (isNew)
      exchanged.push_back(i);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

SmallVector<Type> SizeRewriter::getTypes(TypeRange types) {
  return llvm::map_to_vector(types, [&](Type type) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return type;
    SmallVector<int64_t> shape(tensor.getShape());
    for (int64_t &size : shape)
      if (sizes.isFree[next++])
        size = ShapedType::kDynamic;
    return tensor.clone(shape);
  });
}

void SizeRewriter::rewriteSlice(OffsetSizeAndStrideOpInterface slice) {
  OpBuilder builder(slice);
  SmallVector<OpFoldResult> numbers = slice.getMixedOffsets();
  llvm::append_range(numbers, slice.getMixedSizes());
  bool changes = false;
  for (OpFoldResult &number : numbers) {
    size_t position = next++;
    if (!sizes.isFree[position])
      continue;
    number = arguments[sizes.argumentOf[position]];
    changes = true;
  }
  if (!changes)
    return;
  ArrayRef<OpFoldResult> all = numbers;
  ArrayRef<OpFoldResult> offsets = all.drop_back(all.size() / 2),
                         extents = all.drop_front(all.size() / 2);
  SmallVector<OpFoldResult> strides = slice.getMixedStrides();
  Operation *changed = nullptr;
  Location location = slice->getLoc();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(slice.getOperation()))
    changed = tensor::InsertSliceOp::create(
        builder, location, insert.getSource(), insert.getDest(), offsets,
        extents, strides);
  else if (auto extract =
               dyn_cast<tensor::ExtractSliceOp>(slice.getOperation()))
    changed = tensor::ExtractSliceOp::create(
        builder, location, extract.getType(), extract.getSource(), offsets,
        extents, strides);
  changed->setDiscardableAttrs(slice->getDiscardableAttrDictionary());
  slice->replaceAllUsesWith(changed);
  slice->erase();
}

/// Tells `empty`, whose type already is that of the class, its sizes.
void SizeRewriter::rewriteEmpty(tensor::EmptyOp empty, size_t first) {
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(empty.getType().getShape()))
    if (sizes.isFree[first + dim])
      dynamic.push_back(arguments[sizes.argumentOf[first + dim]]);
  empty.getDynamicSizesMutable().assign(dynamic);
}

/// Replaces an integer that differs by an argument.
bool SizeRewriter::exchange(Operation *op) {
  if (kernel.sizes.constants.empty() || !isExchangeable(op))
    return false;
  if (std::optional<unsigned> argument = sizes.exchangeOf[nextConstant++]) {
    op->replaceAllUsesWith(ValueRange(exchanged[*argument]));
    op->erase();
  }
  return true;
}

void SizeRewriter::rewrite(Operation *op) {
  if (exchange(op))
    return;
  size_t first = next;
  for (auto [result, type] :
       llvm::zip_equal(op->getResults(), getTypes(op->getResultTypes())))
    result.setType(type);
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    rewriteSlice(slice);
  // Sizes that were dynamic before are the same in all kernels.
  if (auto empty = dyn_cast<tensor::EmptyOp>(op);
      empty && empty.getDynamicSizes().empty())
    rewriteEmpty(empty, first);
}

/// Arguments for the numbers of slices and memory that differ, before the
/// destinations.
void SizeRewriter::addArguments() {
  func::FuncOp function = kernel.function;
  Block &body = function.getBody().front();
  std::vector<bool> isUsed(sizes.arguments.size());
  size_t number = getNumbers(body.getArgumentTypes()).sizes.size();
  for (Operation &op : body) {
    OpNumbers own = getNumbers(op.getResultTypes(), &op);
    size_t count = own.slice.size();
    if (isa<tensor::EmptyOp>(op))
      count = own.sizes.size();
    else
      number += own.sizes.size();
    for (size_t i = 0; i < count; ++i, ++number)
      if (sizes.isFree[number])
        isUsed[sizes.argumentOf[number]] = true;
  }
  arguments.resize(isUsed.size());
  unsigned position = function.getNumArguments() - function.getNumResults();
  OpBuilder builder(function.getContext());
  for (size_t i = 0; i < isUsed.size(); ++i) {
    if (!isUsed[i])
      continue;
    (void)function.insertArgument(position, builder.getIndexType(), {},
                                  function.getLoc());
    arguments[i] = body.getArgument(position++);
  }
}

/// Arguments for the integers that differ, before the destinations.
void SizeRewriter::addExchanged() {
  func::FuncOp function = kernel.function;
  unsigned position = function.getNumArguments() - function.getNumResults();
  for (size_t constant : sizes.exchanged) {
    (void)function.insertArgument(position,
                                  kernel.sizes.constants[constant].getType(),
                                  {}, function.getLoc());
    exchanged.push_back(function.getArgument(position++));
  }
}

/// Tells the rules what they may rely on.
void SizeRewriter::markLoops() {
  OpBuilder builder(kernel.function.getContext());
  for (auto [own, planned] :
       llvm::zip_equal(kernel.sizes.loops, sizes.largest->sizes.loops)) {
    if (!llvm::is_contained(
            cast<linalg::LinalgOp>(own.op).getStaticLoopRanges(),
            ShapedType::kDynamic))
      continue;
    own.op->setDiscardableAttr(kLoopSizes,
                               builder.getDenseI64ArrayAttr(planned.sizes));
    own.op->setDiscardableAttr(kLoopBlocks,
                               builder.getDenseI64ArrayAttr(own.blocks));
  }
}

/// Gives each dispatch the numbers of its kernel.
void SizeRewriter::rewriteRuns() {
  for (RunOp run : kernel.runs) {
    OpBuilder builder(run);
    SmallVector<Value> numbers;
    for (auto [argument, position] :
         llvm::zip_equal(arguments, sizes.arguments))
      if (argument)
        numbers.push_back(arith::ConstantIndexOp::create(
            builder, run.getLoc(), kernel.sizes.numbers[position]));
    for (size_t constant : sizes.exchanged)
      numbers.push_back(arith::ConstantOp::create(
          builder, run.getLoc(), kernel.sizes.constants[constant]));
    run.getInputsMutable().append(numbers);
  }
}

void SizeRewriter::rewrite() {
  func::FuncOp function = kernel.function;
  Block &body = function.getBody().front();
  // Before there are arguments that the numbers do not cover.
  SmallVector<Type> types = getTypes(body.getArgumentTypes());
  for (auto [argument, type] : llvm::zip_equal(body.getArguments(), types))
    argument.setType(type);
  addArguments();
  addExchanged();
  for (Operation &op : llvm::make_early_inc_range(body))
    rewrite(&op);
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
  markLoops();
  rewriteRuns();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ShareSizesPass
    : mlirprof::codegen::impl::ShareSizesPassBase<ShareSizesPass> {
  using ShareSizesPassBase::ShareSizesPassBase;

  void runOnOperation() override;

private:
  std::vector<SizedKernel> findKernels(const TargetModel &target);
};

} // namespace

std::vector<SizedKernel>
ShareSizesPass::findKernels(const TargetModel &target) {
  std::vector<SizedKernel> kernels;
  DenseMap<StringAttr, size_t> positions;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (!dispatch::isKernel(function) || function.isDeclaration())
      continue;
    std::optional<KernelSizes> sizes = describeSizes(function, target);
    if (!sizes)
      continue;
    positions[function.getSymNameAttr()] = kernels.size();
    kernels.push_back({function, std::move(*sizes), {}});
  }
  getOperation().walk([&](RunOp run) {
    auto found = positions.find(run.getKernelAttr().getAttr());
    if (found != positions.end())
      kernels[found->second].runs.push_back(run);
  });
  return kernels;
}

void ShareSizesPass::runOnOperation() {
  FailureOr<TargetModel> target = makeTarget(
      *this, getOperation(), vectorBits, vectorRegisters, features, maxError);
  if (failed(target))
    return signalPassFailure();
  getOperation()->walk([](Operation *op) { removeSizeMarks(op); });
  std::vector<SizedKernel> kernels = findKernels(*target);
  llvm::MapVector<StringRef, SmallVector<SizedKernel *>> classes;
  for (SizedKernel &kernel : kernels)
    classes[kernel.sizes.structure].push_back(&kernel);
  for (auto &[structure, members] : classes) {
    SizeClass sizes(members);
    if (!sizes.differs())
      continue;
    for (SizedKernel *kernel : members)
      SizeRewriter(*kernel, sizes).rewrite();
  }
}
