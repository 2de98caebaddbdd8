//===- MemoryParts.cpp - Buffers as parts that ops access whole -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryParts.h"
#include "../Dispatch/BufferPlaces.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

/// The bytes of `buffer` in the argument of the function that it is a part of;
/// without an argument for a constant.
static MemoryPart getBytes(Value buffer) {
  BufferPlace place = findPlace(buffer);
  std::optional<int64_t> bytes = getStaticBytes(getKnownType(buffer));
  return {dyn_cast<BlockArgument>(place.base), place.offset,
          place.offset + bytes.value_or(0)};
}

LogicalResult MemoryParts::addBuffer(Operation *op, Value buffer) {
  auto function = op->getParentOfType<func::FuncOp>();
  BufferPlace place = findPlace(buffer);
  if (place.base.getDefiningOp<memref::GetGlobalOp>())
    return success();
  auto argument = dyn_cast<BlockArgument>(place.base);
  if (!argument || argument.getOwner()->getParentOp() != function ||
      !getStaticBytes(getKnownType(buffer)))
    return op->emitOpError("uses memory whose place or size is not known, "
                           "which devices cannot copy");
  MemoryPart bytes = getBytes(buffer);
  auto &own = cuts[argument.getArgNumber()];
  own[bytes.begin] = own[bytes.end] = 0;
  if (auto transfer = dyn_cast<TransferOp>(op);
      transfer && transfer.getRange()) {
    int64_t begin = bytes.begin + transfer.getRange()->front();
    own[begin] = own[begin + transfer.getRange()->back()] = 0;
  }
  return success();
}

LogicalResult MemoryParts::find(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType()))
      if (std::optional<int64_t> bytes = getStaticBytes(type))
        cuts[argument.getArgNumber()] = {{0, 0}, {*bytes, 0}};
  WalkResult result = function.walk([&](Operation *op) {
    // Those who use a view access its memory.
    if (isa<ViewLikeOpInterface, memref::DeallocOp,
            RegionBranchTerminatorOpInterface>(op))
      return WalkResult::advance();
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) && failed(addBuffer(op, operand)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto &[number, own] : cuts)
    for (auto cut = own.begin(); cut != own.end(); ++cut) {
      cut->second = unsigned(parts.size());
      if (auto next = std::next(cut); next != own.end())
        parts.push_back(
            {function.getArgument(number), cut->first, next->first});
    }
  return success();
}

PartRange MemoryParts::getParts(Value buffer,
                                std::optional<ArrayRef<int64_t>> range) const {
  MemoryPart bytes = getBytes(buffer);
  if (!bytes.base)
    return {};
  if (range)
    bytes = {bytes.base, bytes.begin + range->front(),
             bytes.begin + range->front() + range->back()};
  const auto &own = cuts.at(bytes.base.getArgNumber());
  return {own.at(bytes.begin), own.at(bytes.end)};
}
