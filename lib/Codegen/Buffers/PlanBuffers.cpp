//===- PlanBuffers.cpp - One allocation for all buffers of a call ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers of known size that are freed in the block in which they are allocated
// become parts of one buffer. This pass plans their offsets: the largest first,
// each as low as it fits among those alive at the same time. If that leaves
// holes, it tries other orders. A loop's buffers are the same for all of its
// iterations.
//
// One allocation per call remains. It is not static memory, since two threads
// may call the same object at once.
//
// A branch keeps a separate allocation, so that versions of a model that do not
// run do not need memory; so does a loop whose iterations may run concurrently.
// Buffers of unknown size are allocated as before.
//
// For code of one function it is a loss: a transformer block was 6 % slower,
// since parts of one allocation are no longer known not to alias.
//
//===----------------------------------------------------------------------===//

#include "BufferPlan.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_PLANBUFFERSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// A buffer that becomes part of another one.
struct Part {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  /// Relative to the begin of its block's plan.
  int64_t offset = 0;
};

/// The parts of a block and of the loops in it.
struct BlockPlan {
  SmallVector<Part> parts;
  int64_t bytes = 0;
};

} // namespace

/// The op that frees `alloc`, if there is exactly one, in the same block.
static memref::DeallocOp getDealloc(memref::AllocOp alloc) {
  memref::DeallocOp found;
  for (Operation *user : alloc->getUsers()) {
    if (isa<memref::ReallocOp>(user))
      return {};
    auto dealloc = dyn_cast<memref::DeallocOp>(user);
    if (!dealloc)
      continue;
    if (found || dealloc->getBlock() != alloc->getBlock())
      return {};
    found = dealloc;
  }
  return found;
}

/// Whether the blocks of `op` run repeatedly, one run after the other.
static bool isSequentialLoop(Operation *op, bool hasThreads) {
  if (isa<scf::WhileOp>(op))
    return true;
  return isa<scf::ForOp>(op) && !(hasThreads && op->hasAttr(kParallelLoop));
}

static void place(Block &block, bool hasThreads);

/// Plans the buffers of `block` and of its loops. Other nested blocks are
/// planned separately.
static BlockPlan planBlock(Block &block, bool hasThreads) {
  BlockPlan plan;
  SmallVector<BufferLife> lives;
  /// The parts of each of `lives`: one part, or the parts of a loop.
  SmallVector<SmallVector<Part>> owners;
  llvm::DenseMap<Operation *, int64_t> order;
  for (auto [index, op] : llvm::enumerate(block))
    order[&op] = index;
  for (Operation &op : block) {
    bool isLoop = isSequentialLoop(&op, hasThreads);
    for (Region &region : op.getRegions())
      for (Block &inner : region) {
        if (!isLoop) {
          place(inner, hasThreads);
          continue;
        }
        BlockPlan loop = planBlock(inner, hasThreads);
        if (loop.bytes == 0)
          continue;
        lives.push_back({order[&op], order[&op], loop.bytes});
        owners.push_back(std::move(loop.parts));
      }
    auto alloc = dyn_cast<memref::AllocOp>(op);
    int64_t bytes = alloc ? getBufferBytes(alloc.getType()) : 0;
    memref::DeallocOp dealloc = bytes ? getDealloc(alloc) : nullptr;
    if (!dealloc || alloc.getAlignment().value_or(1) > kBufferAlignment)
      continue;
    lives.push_back({order[&op], order[dealloc], bytes});
    owners.push_back({{alloc, dealloc}});
  }
  plan.bytes = planBuffers(lives);
  for (auto [life, parts] : llvm::zip(lives, owners))
    for (Part &part : parts) {
      part.offset += life.offset;
      plan.parts.push_back(part);
    }
  return plan;
}

/// Allocates the memory planned for `block` at its first buffer.
static void place(Block &block, bool hasThreads) {
  BlockPlan plan = planBlock(block, hasThreads);
  bool isInLoop = llvm::any_of(plan.parts, [&](const Part &part) {
    return part.alloc->getBlock() != &block;
  });
  // A single buffer is already one allocation.
  if (plan.parts.empty() || (plan.parts.size() == 1 && !isInLoop))
    return;
  Operation *first = nullptr;
  for (const Part &part : plan.parts) {
    Operation *op = block.findAncestorOpInBlock(*part.alloc);
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  OpBuilder builder(first);
  auto type = MemRefType::get({plan.bytes}, builder.getI8Type());
  Value all =
      memref::AllocOp::create(builder, plan.parts.front().alloc.getLoc(), type,
                              builder.getI64IntegerAttr(kBufferAlignment));
  builder.setInsertionPoint(block.getTerminator());
  memref::DeallocOp::create(builder, plan.parts.back().dealloc.getLoc(), all);
  for (Part &part : plan.parts) {
    builder.setInsertionPoint(part.alloc);
    Location location = part.alloc.getLoc();
    Value offset =
        arith::ConstantIndexOp::create(builder, location, part.offset);
    Value view = memref::ViewOp::create(builder, location, part.alloc.getType(),
                                        all, offset, ValueRange());
    part.dealloc.erase();
    part.alloc.replaceAllUsesWith(view);
    part.alloc.erase();
  }
}

namespace {

struct PlanBuffersPass
    : mlirprof::codegen::impl::PlanBuffersPassBase<PlanBuffersPass> {
  using PlanBuffersPassBase::PlanBuffersPassBase;

  void runOnOperation() override {
    if (failed(checkThreads(*this, getOperation(), threads)))
      return signalPassFailure();
    for (Block &block : getOperation().getBody())
      place(block, threads > 1);
  }
};

} // namespace
