//===- PhasePlan.cpp - Phases of a kernel ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that one phase of one workgroup uses is allocated in it. Memory of
// known size that several phases use, or several workgroups, is a part of the
// workspace. Memory of unknown size is allocated on the heap by one phase, and
// its descriptor is kept in the workspace, as other values are.
//
//===----------------------------------------------------------------------===//

#include "PhasePlan.h"
#include "../Buffers/BufferPlan.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Bytes of a buffer; 0 if they are not known.
static int64_t getBytes(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace())
    return 0;
  int64_t bytes = getNumberBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return 0;
  constexpr int64_t most = int64_t(1) << 40;
  return bytes <= most ? bytes : 0;
}

bool PhasePlan::isRepeated(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

llvm::SetVector<Value> PhasePlan::getOperands(Operation *op) {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  return operands;
}

/// Whether `op` asserts what each workgroup can compute again.
static bool isRepeatedAssertion(Operation *op) {
  if (!isa<cf::AssertOp>(op))
    return false;
  SmallVector<Value> left = {op->getOperand(0)};
  llvm::DenseSet<Value> seen;
  while (!left.empty()) {
    Value value = left.pop_back_val();
    Operation *made = value.getDefiningOp();
    if (!made || !seen.insert(value).second)
      continue;
    if (!PhasePlan::isRepeated(made))
      return false;
    llvm::append_range(left, made->getOperands());
  }
  return true;
}

/// Numbers the phases. Assertions do not need a phase of their own before a
/// divided loop: its workgroups repeat them.
void PhasePlan::cut() {
  unsigned phase = 0;
  SmallVector<Operation *> assertions;
  auto place = [&](unsigned in) {
    for (Operation *assertion : assertions)
      phaseOf[assertion] = in;
    assertions.clear();
  };
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isRepeatedAssertion(&op)) {
      assertions.push_back(&op);
      continue;
    }
    auto loop = dyn_cast<scf::ForOp>(op);
    std::optional<LoopShares> divided;
    if (loop && isIndependent(loop))
      divided = divideLoop(loop, threads);
    if (divided) {
      shares.push_back(*divided);
      place(phase + 1);
      phaseOf[&op] = phase + 1;
      phase += 2;
    } else if (!isRepeated(&op)) {
      if (!isa<memref::AllocOp, memref::AllocaOp>(op))
        place(phase);
      phaseOf[&op] = phase;
    }
  }
  place(phase);
  phases.resize(phase + 1);
}

PhasePlan::Use PhasePlan::findUse(Value buffer) {
  Use use;
  Block &block = kernel.getBody().front();
  SmallVector<Value> pending = {buffer};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    for (Operation *user : value.getUsers()) {
      Operation *op = block.findAncestorOpInBlock(*user);
      if (auto dealloc = dyn_cast<memref::DeallocOp>(user);
          dealloc && op == user) {
        use.deallocs.push_back(dealloc);
        use.escapes |= value != buffer;
        continue;
      }
      if (isRepeated(op)) {
        llvm::append_range(pending, op->getResults());
        continue;
      }
      unsigned phase = phaseOf.lookup(op);
      use.first = std::min(use.first, phase);
      use.last = std::max(use.last, phase);
      use.escapes |= llvm::any_of(op->getResultTypes(), [](Type type) {
        return isa<BaseMemRefType>(type);
      });
    }
  }
  use.escapes |= use.deallocs.size() > 1;
  return use;
}

bool PhasePlan::placeAllocation(Operation *alloc) {
  Value buffer = alloc->getResult(0);
  Use use = findUse(buffer);
  bool isOnStack = isa<memref::AllocaOp>(alloc);
  int64_t bytes = getBytes(cast<MemRefType>(buffer.getType()));
  bool isUsed = use.first <= use.last;
  bool isLocal = !use.escapes && isUsed && use.first == use.last &&
                 use.first % 2 == 0 &&
                 (bytes != 0 || use.first == phaseOf[alloc]);
  if (isLocal) {
    if (use.first != phaseOf[alloc])
      atBegin[alloc] = use.first;
    for (memref::DeallocOp dealloc : use.deallocs)
      atEnd[dealloc] = use.first;
    return true;
  }
  if (bytes != 0 && !use.escapes) {
    dropped.insert(alloc);
    for (memref::DeallocOp dealloc : use.deallocs)
      dropped.insert(dealloc);
    if (!isUsed)
      return true;
    buffers.insert({buffer, {cast<MemRefType>(buffer.getType())}});
    lives.push_back({use.first, use.last});
    return true;
  }
  // The stack of a phase does not last.
  return !isOnStack;
}

bool PhasePlan::placeAllocations() {
  return llvm::all_of(kernel.getBody().front(), [&](Operation &op) {
    return !isa<memref::AllocOp, memref::AllocaOp>(op) || placeAllocation(&op);
  });
}

void PhasePlan::fillPhases() {
  Block &block = kernel.getBody().front();
  for (Operation &op : block)
    if (auto begin = atBegin.find(&op); begin != atBegin.end()) {
      phases[begin->second].push_back(&op);
      phaseOf[&op] = begin->second;
    }
  for (Operation &op : block.without_terminator())
    if (phaseOf.count(&op) && !atBegin.count(&op) && !atEnd.count(&op) &&
        !dropped.count(&op))
      phases[phaseOf[&op]].push_back(&op);
  for (Operation &op : block)
    if (auto end = atEnd.find(&op); end != atEnd.end()) {
      phases[end->second].push_back(&op);
      phaseOf[&op] = end->second;
    }
}

/// Gives `value` a place. Returns whether it can have one.
bool PhasePlan::addValue(Value value) {
  Type type = value.getType();
  auto bytes = OpBuilder(value.getContext()).getI8Type();
  if (auto buffer = dyn_cast<MemRefType>(type)) {
    // A descriptor: two pointers, the offset, sizes and strides.
    int64_t size = 8 * (3 + 2 * buffer.getRank());
    values.insert({value, {MemRefType::get({size}, bytes)}});
    return !buffer.getMemorySpace();
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    Type element = vector.getElementType();
    if (vector.isScalable() || vector.getRank() != 1 ||
        (!element.isIndex() && getNumberBytes(element) * 8 !=
                                   int64_t(element.getIntOrFloatBitWidth())))
      return false;
  } else if (getNumberBytes(type) == 0) {
    return false;
  }
  values.insert({value, {MemRefType::get({1}, type)}});
  return true;
}

/// Finds the values of other phases that each phase uses.
bool PhasePlan::findValues() {
  for (auto [phase, ops] : llvm::enumerate(phases)) {
    llvm::DenseSet<Value> seen;
    SmallVector<Value> pending;
    for (Operation *op : ops)
      llvm::append_range(pending, getOperands(op));
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (!op || !seen.insert(value).second || buffers.count(value))
        continue;
      if (isRepeated(op))
        llvm::append_range(pending, op->getOperands());
      else if (phaseOf.lookup(op) != phase && !addValue(value))
        return false;
    }
  }
  return true;
}

/// Bytes that a value of `type`, which is alone in its buffer, takes.
static int64_t getPlaceBytes(MemRefType type) {
  auto vector = dyn_cast<VectorType>(type.getElementType());
  if (!vector)
    return getBytes(type);
  // LLVM aligns vectors to a power of two.
  auto bytes =
      vector.getNumElements() * getNumberBytes(vector.getElementType());
  return int64_t(llvm::PowerOf2Ceil(uint64_t(bytes)));
}

void PhasePlan::layOut() {
  SmallVector<BufferLife> parts;
  for (auto [buffer, life] : llvm::zip_equal(buffers, lives))
    parts.push_back({life.first, life.second, getBytes(buffer.second.type)});
  auto end = int64_t(phases.size());
  for (const auto &[value, place] : values)
    parts.push_back({0, end, getPlaceBytes(place.type)});
  workspaceBytes = planBuffers(parts);
  const BufferLife *part = parts.begin();
  for (auto &[buffer, place] : buffers)
    place.offset = (part++)->offset;
  for (auto &[value, place] : values)
    place.offset = (part++)->offset;
}

bool PhasePlan::make() {
  if (!kernel.getBody().hasOneBlock() || kernel.getNumResults() != 0)
    return false;
  cut();
  if (shares.empty() || !placeAllocations())
    return false;
  fillPhases();
  if (!findValues())
    return false;
  layOut();
  return true;
}
