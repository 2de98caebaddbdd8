//===- InsertTransfers.cpp - Transfers between the host and devices -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferWriter.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_INSERTTRANSFERSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

namespace {

/// Follows the steps of a function, and inserts the transfers that they need.
class TransferInserter {
public:
  explicit TransferInserter(func::FuncOp function) : function(function) {}

  LogicalResult run();

private:
  LogicalResult findDevices();
  /// The bit of a device among all; 0 for the host.
  unsigned getNumber(std::optional<StringRef> device) const;

  void follow(Block &block);
  void follow(Operation *op);
  void follow(RunOp run);
  void follow(scf::IfOp branch);
  void followLoop(Operation *loop, Block &first, Block *second);
  void followHost(Operation *op);
  void finish(func::ReturnOp end);

  /// Follows `block` from the current state without inserting anything.
  void simulate(function_ref<void()> follow);
  /// Makes parts current at all places of `wanted` in front of `op`.
  void settle(Operation *op, const MemoryState &wanted);

  func::FuncOp function;
  MemoryParts memory;
  std::vector<std::string> devices;
  MemoryState state;
  TransferWriter writer{memory, devices, state};
};

struct InsertTransfersPass
    : mlirprof::codegen::impl::InsertTransfersPassBase<InsertTransfersPass> {
  using InsertTransfersPassBase::InsertTransfersPassBase;

  void runOnOperation() override {
    if (!isKernel(getOperation()) &&
        failed(TransferInserter(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

unsigned TransferInserter::getNumber(std::optional<StringRef> device) const {
  return device ? unsigned(llvm::find(devices, *device) - devices.begin()) + 1
                : 0;
}

void TransferInserter::follow(RunOp run) {
  unsigned device = getNumber(run.getDevice());
  auto visit = [&](bool areWritten, function_ref<void(Value, PartRange)> each) {
    for (OpOperand &operand : run->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      bool isOutput = run.isDpsInit(&operand);
      bool isRead = !isOutput || run.isUpdated(operand.getOperandNumber() -
                                               run.getInputs().size());
      if (areWritten ? isOutput : isRead)
        each(operand.get(), memory.getParts(operand.get()));
    }
  };
  visit(false, [&](Value buffer, PartRange parts) {
    writer.makeCurrent(run, parts, device, buffer);
  });
  if (device == 0)
    visit(false,
          [&](Value, PartRange parts) { writer.readOnHost(run, parts); });
  visit(true, [&](Value, PartRange parts) {
    if (device == 0)
      writer.writeOnHost(run, parts);
    else
      writer.writeOnDevice(parts, device);
  });
}

/// An op of the host may read and write all memory that it names. A copy
/// overwrites its target.
void TransferInserter::followHost(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  auto visit = [&](function_ref<void(Value, PartRange)> each) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        each(operand, memory.getParts(operand));
  };
  visit([&](Value buffer, PartRange parts) {
    if (!copy || buffer == copy.getSource())
      writer.makeCurrent(op, parts, 0, buffer);
  });
  visit([&](Value buffer, PartRange parts) {
    bool isRead =
        isa<memref::LoadOp>(op) || (copy && buffer == copy.getSource());
    if (isRead)
      writer.readOnHost(op, parts);
    else
      writer.writeOnHost(op, parts);
  });
}

void TransferInserter::follow(Operation *op) {
  if (auto run = dyn_cast<RunOp>(op))
    return follow(run);
  if (auto transfer = dyn_cast<TransferOp>(op))
    return writer.transfer(
        op, memory.getParts(transfer.getBuffer(), transfer.getRange()),
        getNumber(transfer.getDevice()), transfer.isToDevice());
  if (auto wait = dyn_cast<WaitOp>(op))
    return writer.followWait(getNumber(wait.getDevice()));
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return follow(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return followLoop(op, *loop.getBody(), nullptr);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return followLoop(op, *loop.getBeforeBody(), loop.getAfterBody());
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return finish(end);
  if (!isa<ViewLikeOpInterface, memref::DeallocOp,
           RegionBranchTerminatorOpInterface>(op))
    followHost(op);
}

void TransferInserter::follow(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    follow(&op);
}

/// Whoever calls the function reads its memory on the host, but for the
/// workspace.
void TransferInserter::finish(func::ReturnOp end) {
  for (BlockArgument argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()) &&
        !function.getArgAttr(argument.getArgNumber(), kWorkspace))
      writer.makeCurrent(end, memory.getParts(argument), 0, argument);
  writer.wait(end, state.busy);
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

/// The state where two ways meet. A part that is current in two different
/// places has to be on the host.
static MemoryState join(const MemoryState &one, const MemoryState &other) {
  MemoryState joined = one;
  joined.busy |= other.busy;
  for (auto [part, added] : llvm::zip_equal(joined.parts, other.parts)) {
    part.current &= added.current;
    if (!part.current)
      part.current = kOnHost;
    part.readers |= added.readers;
    part.writers |= added.writers;
  }
  return joined;
}

void TransferInserter::simulate(function_ref<void()> follow) {
  bool wasWriting = writer.isWriting;
  writer.isWriting = false;
  follow();
  writer.isWriting = wasWriting;
}

void TransferInserter::settle(Operation *op, const MemoryState &wanted) {
  for (unsigned device = 0; device <= devices.size(); ++device) {
    auto isWanted = [&](unsigned part) {
      return wanted.parts[part].current >> device & 1;
    };
    for (unsigned begin = 0, end; begin < state.parts.size(); begin = end) {
      for (end = begin; end != state.parts.size() && isWanted(end);)
        ++end;
      if (begin == end)
        ++end;
      else
        writer.makeCurrent(op, {begin, end}, device);
    }
  }
}

void TransferInserter::follow(scf::IfOp branch) {
  const MemoryState before = state;
  auto followBlock = [&](unsigned index) {
    state = before;
    Region &region = branch->getRegion(index);
    if (!region.empty())
      follow(region.front());
    return state;
  };
  MemoryState joined;
  simulate([&] { joined = join(followBlock(0), followBlock(1)); });
  MemoryState after = joined;
  for (unsigned index : {0, 1}) {
    followBlock(index);
    Region &region = branch->getRegion(index);
    bool isSettled = llvm::all_of(
        llvm::zip_equal(state.parts, joined.parts), [](auto parts) {
          auto &[part, wanted] = parts;
          return (part.current & wanted.current) == wanted.current;
        });
    if (!isSettled && region.empty() && writer.isWriting) {
      OpBuilder builder(branch->getContext());
      scf::IfOp::ensureTerminator(region, builder, branch.getLoc());
    }
    if (!isSettled)
      settle(region.empty() ? branch : region.front().getTerminator(), joined);
    after = join(after, state);
  }
  for (auto [part, wanted] : llvm::zip_equal(after.parts, joined.parts))
    part.current = wanted.current;
  state = after;
}

void TransferInserter::followLoop(Operation *loop, Block &first,
                                  Block *second) {
  Operation *end = (second ? second : &first)->getTerminator();
  auto followBlocks = [&](const MemoryState &head) {
    state = head;
    follow(first);
    if (second)
      follow(*second);
  };
  MemoryState head = state;
  const MemoryState before = state;
  simulate([&] {
    // Copies for the first iteration alone move in front of the loop.
    auto around = std::move(writer.uses);
    writer.uses.assign(head.parts.size(), {});
    followBlocks(head);
    for (auto [part, then, use] :
         llvm::zip_equal(head.parts, state.parts, writer.uses))
      part.current |= then.current & use.copiedTo;
    for (auto [outer, use] : llvm::zip_equal(around, writer.uses)) {
      outer.copiedTo |= outer.isOverwritten ? 0 : use.copiedTo;
      outer.isOverwritten |= use.isOverwritten;
    }
    writer.uses = std::move(around);
    // The state at the begin of each iteration.
    for (;;) {
      const MemoryState start = head;
      followBlocks(head);
      MemoryState next = join(head, state);
      bool isSame = true;
      for (auto [part, old] : llvm::zip_equal(next.parts, head.parts))
        isSame &= part.current == old.current;
      if (isSame) {
        settle(end, head);
        next = join(next, state);
        for (auto [part, old] : llvm::zip_equal(next.parts, head.parts))
          part.current = old.current;
      }
      head = next;
      if (head == start)
        break;
    }
  });
  state = before;
  settle(loop, head);
  head = join(head, state);
  // Transfers in front of the loop are as pending as those of an iteration.
  state = head;
  follow(first);
  const MemoryState left = state;
  if (second)
    follow(*second);
  settle(end, head);
  state = second ? left : head;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult TransferInserter::findDevices() {
  auto add = [&](StringRef name) {
    if (!llvm::is_contained(devices, name))
      devices.push_back(name.str());
  };
  function.walk([&](Operation *op) {
    if (auto run = dyn_cast<RunOp>(op); run && run.getDevice())
      add(*run.getDevice());
    if (auto transfer = dyn_cast<TransferOp>(op))
      add(transfer.getDevice());
    if (auto wait = dyn_cast<WaitOp>(op))
      add(wait.getDevice());
  });
  if (devices.size() <= kMostDevices)
    return success();
  return function.emitOpError("has dispatches on more than ")
         << kMostDevices << " devices";
}

LogicalResult TransferInserter::run() {
  if (failed(findDevices()))
    return failure();
  if (devices.empty())
    return success();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError(
        "has branches without structure, and dispatches on devices");
  if (failed(memory.find(function)))
    return failure();
  state.parts.resize(memory.get().size());
  writer.uses.resize(memory.get().size());
  for (auto [part, known] : llvm::zip_equal(memory.get(), state.parts)) {
    unsigned number = part.base.getArgNumber();
    if (!function.getArgAttr(number, kWorkspace))
      known.current = kOnHost;
  }
  writer.isWriting = true;
  follow(function.getBody().front());
  return success();
}
