//===- SizeClasses.cpp - Kernels that differ in sizes ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeClasses.h"
#include "../Nest/Nest.h"
#include "../Rules/Rules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

OpNumbers codegen::getNumbers(TypeRange types, Operation *op) {
  OpNumbers numbers;
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      llvm::append_range(numbers.sizes, tensor.getShape());
  if (auto slice = dyn_cast_or_null<OffsetSizeAndStrideOpInterface>(op)) {
    llvm::append_range(numbers.slice, slice.getStaticOffsets());
    llvm::append_range(numbers.slice, slice.getStaticSizes());
  }
  return numbers;
}

bool codegen::isExchangeable(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return constant && isa<func::FuncOp>(op->getParentOp()) &&
         isa<IntegerType>(constant.getType()) &&
         constant.getType().getIntOrFloatBitWidth() % 8 == 0;
}

/// Whether the pass can give `op` other sizes.
static bool canBeSized(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.hasPureTensorSemantics();
  return isa<arith::ConstantOp, bufferization::MaterializeInDestinationOp,
             func::ReturnOp, tensor::EmptyOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp>(op);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// LLVM removes loops of few iterations, such as those of a window.
static constexpr int64_t kFewIterations = 16;

/// Whether the code of `op` computes one number at a time, by choice.
static bool isSmallest(Operation *op, const TargetModel &target) {
  return !hasVectors(target) && hasSmallestTile(op);
}

/// The numbers by which the iterations of each loop may differ, if one number
/// is computed at a time.
static SmallVector<int64_t> getSmallestBlocks(linalg::LinalgOp op,
                                              const NestPlan *plan) {
  bool isUnrolled =
      plan && (plan->group || plan->sharedGroups || !plan->unrolled.empty() ||
               plan->rowsPerStep != 1 || plan->vectorsPerStep != 1);
  SmallVector<int64_t> blocks(op.getNumLoops(), isUnrolled ? 0 : 1);
  if (plan && plan->dot)
    blocks[plan->dot->groupDim] = plan->dot->group;
  return blocks;
}

/// The numbers by which the iterations of each loop may differ. Where a sum is
/// computed for several rows at once, all loops keep their sizes, as the rows'
/// places would need registers; and so does a short loop of a sum.
static SmallVector<int64_t> getBlocks(linalg::LinalgOp op,
                                      const NestPlan &plan) {
  SmallVector<int64_t> blocks(op.getNumLoops(), 0);
  bool isSum = op.getNumReductionLoops() != 0;
  if ((isSum && plan.rowDim) || plan.dot || plan.group || plan.sharedGroups ||
      !plan.unrolled.empty())
    return blocks;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [dim, block] : llvm::enumerate(blocks)) {
    if (dim == plan.vectorDim)
      block = plan.lanes * (plan.isOneLoop ? 1 : plan.vectorsPerStep);
    else if (plan.rowDim && dim == *plan.rowDim)
      block = plan.rowsPerStep;
    else if (!llvm::is_contained(plan.reductionOrder, dim) ||
             sizes[dim] > kFewIterations)
      block = 1;
  }
  return blocks;
}

static void print(raw_ostream &os, ArrayRef<unsigned> numbers) {
  llvm::interleaveComma(numbers, os);
  os << ';';
}

/// Prints the plan of a rule for an op, without the sizes of the op.
static void printPlan(raw_ostream &os, StringRef rule, const NestPlan &plan) {
  os << rule << ' ' << plan.vectorDim << ' ' << plan.lanes << ' '
     << plan.vectorsPerStep << ' ' << plan.isOneLoop << ' '
     << (plan.rowDim ? int64_t(*plan.rowDim) : -1) << ' ' << plan.rowsPerStep
     << ' ';
  print(os, plan.parallelOrder);
  print(os, plan.reductionOrder);
  print(os, plan.unrolled);
  if (plan.dot)
    os << getDotInstruction(plan.dot->kind) << ' ' << plan.dot->group << ' '
       << plan.dot->panel << ' ' << plan.dot->groupDim << ' '
       << plan.dot->weights << ' ';
}

/// The elements of all of `sizes`.
static uint64_t multiply(ArrayRef<int64_t> sizes) {
  uint64_t product = 1;
  for (int64_t size : sizes)
    product =
        llvm::SaturatingMultiply(product, uint64_t(std::max<int64_t>(size, 0)));
  return product;
}

namespace {
/// The plan of the first rule that has one.
struct PlannedOp {
  StringRef rule;
  NestFacts facts;
  NestPlan plan;
};
} // namespace

static std::optional<PlannedOp> findPlan(linalg::LinalgOp op,
                                         const TargetModel &target) {
  std::optional<NestFacts> facts = getNestFacts(op);
  if (!facts || isForSize(op))
    return std::nullopt;
  for (const Rule &rule : getRules())
    if (std::optional<NestPlan> plan = rule.plan(op, *facts, target))
      return PlannedOp{rule.name, std::move(*facts), std::move(*plan)};
  return std::nullopt;
}

/// Adds what the code for `op` depends on to `os`.
static SizedLoops describeLoops(linalg::LinalgOp op,
                                const std::optional<PlannedOp> &planned,
                                const TargetModel &target, raw_ostream &os) {
  SizedLoops loops;
  loops.op = op;
  loops.sizes = op.getStaticLoopRanges();
  loops.blocks.assign(loops.sizes.size(), 0);
  if (planned)
    printPlan(os, planned->rule, planned->plan);
  if (isSmallest(op, target))
    loops.blocks = getSmallestBlocks(op, planned ? &planned->plan : nullptr);
  else if (planned)
    loops.blocks = getBlocks(op, planned->plan);
  // A loop of one iteration is none.
  for (auto [size, block] : llvm::zip_equal(loops.sizes, loops.blocks)) {
    if (size <= 1)
      block = 0;
    os << block << ':' << (block ? size % block : size) << ' ';
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

namespace {
/// Prints a kernel without what may differ.
class StructurePrinter {
public:
  StructurePrinter(KernelSizes &sizes, const TargetModel &target)
      : sizes(sizes), os(sizes.structure), target(target) {}

  bool print(func::FuncOp kernel);

private:
  bool print(Operation *op);
  bool printExchangeable(Operation *op);
  void addUnstored(linalg::LinalgOp op, const PlannedOp &planned);
  void printBody(Operation *op);
  void printMemory(func::FuncOp kernel);
  void printAttributes(Operation *op);
  void printOperands(Operation *op);
  void printTypes(TypeRange types, bool withSizes);
  void add(const OpNumbers &numbers);

  KernelSizes &sizes;
  llvm::raw_string_ostream os;
  const TargetModel &target;
  DenseMap<Value, unsigned> numbers;
  /// Whether the code computes one number at a time.
  bool isSmall = false;
  /// Empty tensors that do not become memory.
  DenseSet<Value> unstored;
};
} // namespace

void StructurePrinter::printTypes(TypeRange types, bool withSizes) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || withSizes) {
      os << type << ' ';
      continue;
    }
    os << tensor.getRank() << 'x' << tensor.getElementType() << ' ';
    if (tensor.getEncoding())
      os << tensor.getEncoding() << ' ';
  }
}

void StructurePrinter::printOperands(Operation *op) {
  for (Value operand : op->getOperands())
    os << numbers.lookup(operand) << ' ';
  for (Value result : op->getResults())
    numbers.try_emplace(result, numbers.size() + 1);
}

/// Which dimensions of a tensor `op`, a slice of fewer, does not have: their
/// size must be known to be 1.
static void printDropped(raw_ostream &os, Operation *op) {
  llvm::SmallBitVector dropped;
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    dropped = extract.getDroppedDims();
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    dropped = insert.getDroppedDims();
  for (unsigned dim : dropped.set_bits())
    os << "drops " << dim << ' ';
}

/// All attributes but the numbers of slices, in the order of their names.
void StructurePrinter::printAttributes(Operation *op) {
  bool isSlice = isa<OffsetSizeAndStrideOpInterface>(op);
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    StringRef name = attribute.getName();
    bool isNumber =
        isSlice && (name == "static_offsets" || name == "static_sizes");
    os << name << '=';
    if (!isNumber) {
      os << attribute.getValue() << ' ';
      continue;
    }
    for (int64_t number :
         cast<DenseI64ArrayAttr>(attribute.getValue()).asArrayRef())
      os << ShapedType::isDynamic(number);
  }
}

/// The ops in the region of a structured op.
void StructurePrinter::printBody(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        numbers.try_emplace(argument, numbers.size() + 1);
      printTypes(block.getArgumentTypes(), /*withSizes=*/true);
      for (Operation &inner : block) {
        os << inner.getName() << ' ';
        printAttributes(&inner);
        printOperands(&inner);
        printTypes(inner.getResultTypes(), /*withSizes=*/true);
        printBody(&inner);
      }
    }
}

void StructurePrinter::add(const OpNumbers &own) {
  for (int64_t size : own.sizes)
    os << ShapedType::isDynamic(size);
  llvm::append_range(sizes.numbers, own.sizes);
  llvm::append_range(sizes.numbers, own.slice);
}

/// Prints a constant without its value if that may differ.
bool StructurePrinter::printExchangeable(Operation *op) {
  if (!isSmall || !isExchangeable(op))
    return false;
  auto constant = cast<arith::ConstantOp>(op);
  os << "\nnumber " << constant.getType() << ' ';
  printOperands(op);
  sizes.constants.push_back(cast<IntegerAttr>(constant.getValue()));
  return true;
}

/// Notes which tensors exist only for the form of the ops of a nest: those
/// between its root and its last epilogue, and one that becomes a part of
/// another.
void StructurePrinter::addUnstored(linalg::LinalgOp op,
                                   const PlannedOp &planned) {
  auto add = [&](Value tensor) {
    if (tensor.hasOneUse())
      unstored.insert(tensor);
  };
  SmallVector<linalg::LinalgOp> nest = {op};
  if (op.getNumReductionLoops() != 0)
    llvm::append_range(nest, getEpilogues(op, planned.facts, planned.plan));
  Value start = op.getDpsInits()[0];
  if (linalg::LinalgOp filled = findStart(start); filled && start.hasOneUse())
    add(filled.getDpsInits()[0]);
  for (linalg::LinalgOp inner : ArrayRef(nest).drop_back())
    add(inner.getDpsInits()[0]);
  Value result = nest.back()->getResult(0);
  if (result.hasOneUse() && isa<tensor::InsertSliceOp>(*result.user_begin()))
    add(nest.back().getDpsInits()[0]);
}

bool StructurePrinter::print(Operation *op) {
  if (!canBeSized(op))
    return false;
  if (printExchangeable(op))
    return true;
  os << '\n' << op->getName() << ' ';
  printAttributes(op);
  printDropped(os, op);
  printOperands(op);
  // The value of a constant tells its type, too.
  printTypes(op->getResultTypes(), isa<arith::ConstantOp>(op));
  add(getNumbers(op->getResultTypes(), op));
  printBody(op);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return true;
  std::optional<PlannedOp> planned = findPlan(structured, target);
  sizes.loops.push_back(describeLoops(structured, planned, target, os));
  if (planned && isSmall)
    addUnstored(structured, *planned);
  sizes.work =
      llvm::SaturatingAdd(sizes.work, multiply(sizes.loops.back().sizes));
  return true;
}

/// Memory whose size is not constant is allocated when the kernel runs, which
/// costs little if the kernel does much work. Other tensors keep their sizes,
/// and so do all of small code, which does not have a heap.
void StructurePrinter::printMemory(func::FuncOp kernel) {
  constexpr uint64_t fewest = 4096, share = 16;
  for (auto empty : kernel.getOps<tensor::EmptyOp>()) {
    ArrayRef<int64_t> shape = empty.getType().getShape();
    uint64_t elements = multiply(shape);
    bool isLittle = sizes.work >= fewest && elements <= sizes.work / share;
    bool isFree = isSmall ? unstored.contains(empty) : isLittle;
    if (isFree && !llvm::is_contained(shape, ShapedType::kDynamic))
      continue;
    os << "\nmemory ";
    llvm::interleaveComma(shape, os);
  }
}

bool StructurePrinter::print(func::FuncOp kernel) {
  for (NamedAttribute attribute : kernel->getAttrDictionary())
    if (attribute.getName() != SymbolTable::getSymbolAttrName() &&
        attribute.getName() != kernel.getFunctionTypeAttrName())
      os << attribute.getName().getValue() << '=' << attribute.getValue()
         << ' ';
  Block &body = kernel.getBody().front();
  isSmall = llvm::any_of(
      body, [&](Operation &op) { return isSmallest(&op, target); });
  for (BlockArgument argument : body.getArguments())
    numbers.try_emplace(argument, numbers.size() + 1);
  printTypes(body.getArgumentTypes(), /*withSizes=*/false);
  add(getNumbers(body.getArgumentTypes()));
  if (!llvm::all_of(body, [&](Operation &op) { return print(&op); }))
    return false;
  printMemory(kernel);
  return true;
}

std::optional<KernelSizes> codegen::describeSizes(func::FuncOp kernel,
                                                  const TargetModel &target) {
  KernelSizes sizes;
  if (!kernel.getBody().hasOneBlock() ||
      !StructurePrinter(sizes, target).print(kernel))
    return std::nullopt;
  return sizes;
}
