//===- BufferFlow.cpp - Data flow through memory --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferFlow.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;

namespace {

/// The use of a buffer by an op.
struct BufferUse {
  mlir::Value buffer;
  bool reads = false;
  bool writes = false;
};
using BufferUses = llvm::SmallVector<BufferUse, 2>;

/// The ops of one block that wrote each buffer and are not followed by an op
/// that read and wrote it.
class BlockFlow {
public:
  void add(uint32_t op, llvm::ArrayRef<BufferUse> uses,
           llvm::SmallVectorImpl<uint32_t> &sources);

private:
  /// Limit above which writers count as sequential.
  static constexpr size_t kMaxWriters = 16;

  llvm::DenseMap<mlir::Value, llvm::SmallVector<uint32_t, 2>> writers;
};

} // namespace

static bool isBuffer(mlir::Value value) {
  return llvm::isa<mlir::BaseMemRefType>(value.getType());
}

/// The buffer that `value` is a view of.
static mlir::Value getBuffer(mlir::Value value) {
  constexpr unsigned kMaxViews = 64;
  for (unsigned i = 0; i < kMaxViews; ++i) {
    auto view = value.getDefiningOp<mlir::ViewLikeOpInterface>();
    if (!view || !isBuffer(view.getViewSource()))
      break;
    value = view.getViewSource();
  }
  return value;
}

static void addUse(BufferUses &uses, BufferUse use) {
  for (BufferUse &known : uses)
    if (known.buffer == use.buffer) {
      known.reads |= use.reads;
      known.writes |= use.writes;
      return;
    }
  uses.push_back(use);
}

/// Adds the op's own uses, without the ops in it.
static void addOwnUses(mlir::Operation *op, BufferUses &uses) {
  auto interface = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!interface) {
    if (!op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>())
      for (mlir::Value operand : op->getOperands())
        if (isBuffer(operand))
          addUse(uses, {getBuffer(operand), true, true});
    return;
  }
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const mlir::MemoryEffects::EffectInstance &effect : effects) {
    mlir::Value value = effect.getValue();
    bool reads = llvm::isa<mlir::MemoryEffects::Read>(effect.getEffect());
    bool writes = llvm::isa<mlir::MemoryEffects::Write>(effect.getEffect());
    if (value && isBuffer(value) && (reads || writes))
      addUse(uses, {getBuffer(value), reads, writes});
  }
}

/// Adds the uses of an op in `op`, as far as they are visible outside of `op`.
static void addInnerUses(mlir::Operation *op, llvm::ArrayRef<BufferUse> inner,
                         BufferUses &uses) {
  for (const BufferUse &use : inner)
    if (mlir::Value buffer = use.buffer;
        !op->isAncestor(buffer.getParentBlock()->getParentOp()))
      addUse(uses, use);
}

void BlockFlow::add(uint32_t op, llvm::ArrayRef<BufferUse> uses,
                    llvm::SmallVectorImpl<uint32_t> &sources) {
  for (const BufferUse &use : uses) {
    llvm::SmallVector<uint32_t, 2> &wrote = writers[use.buffer];
    bool isLast = use.writes && (use.reads || wrote.size() >= kMaxWriters);
    if (use.reads || isLast)
      sources.append(wrote.begin(), wrote.end());
    if (isLast)
      wrote.clear();
    if (use.writes)
      wrote.push_back(op);
  }
  llvm::sort(sources);
  sources.erase(llvm::unique(sources), sources.end());
}

std::vector<llvm::SmallVector<uint32_t, 1>>
match::findBufferSources(const ModuleIndex &index) {
  std::vector<BufferUses> uses(index.size());
  // Ops follow the ops that contain them.
  for (uint32_t op = index.size(); op-- > 1;) {
    addOwnUses(index[op].op, uses[op]);
    if (index.getTraits(op).isFunction)
      uses[op].clear();
    uint32_t parent = index[op].parent;
    addInnerUses(index[parent].op, uses[op], uses[parent]);
  }
  std::vector<llvm::SmallVector<uint32_t, 1>> sources(index.size());
  llvm::DenseMap<mlir::Block *, BlockFlow> flows;
  for (uint32_t op = 1; op < index.size(); ++op)
    if (!uses[op].empty())
      flows[index[op].op->getBlock()].add(op, uses[op], sources[op]);
  return sources;
}

static bool isTensor(mlir::Type type) {
  return llvm::isa<mlir::TensorType>(type);
}

/// Whether a value is a number or a vector; counters and addresses are not
/// elements.
static bool isElement(mlir::Type type) {
  return llvm::isa<mlir::FloatType, mlir::IntegerType, mlir::ComplexType,
                   mlir::VectorType>(type);
}

bool match::runsInOrder(mlir::Operation *op) {
  bool hasElements = false;
  for (mlir::Region &region : op->getRegions()) {
    if (!region.empty() && !region.hasOneBlock())
      return true;
    for (mlir::Operation &inner : region.getOps()) {
      if (llvm::any_of(inner.getOperandTypes(), isTensor) ||
          llvm::any_of(inner.getResultTypes(), isTensor))
        return false;
      hasElements |= !inner.hasTrait<mlir::OpTrait::ConstantLike>() &&
                     inner.getNumRegions() == 0 &&
                     (llvm::any_of(inner.getOperandTypes(), isElement) ||
                      llvm::any_of(inner.getResultTypes(), isElement));
    }
  }
  return hasElements;
}
