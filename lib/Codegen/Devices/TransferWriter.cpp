//===- TransferWriter.cpp - Inserting transfers in front of ops -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferWriter.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

static DeviceSet getBit(unsigned device) { return DeviceSet(1) << device; }

void TransferWriter::followWait(unsigned device) {
  for (PartState &part : state.parts) {
    part.readers &= ~getBit(device);
    part.writers &= ~getBit(device);
  }
  state.busy &= ~getBit(device);
}

void TransferWriter::wait(Operation *op, DeviceSet waited) {
  for (; waited; waited &= waited - 1) {
    auto device = unsigned(llvm::countr_zero(waited));
    followWait(device);
    if (!isWriting)
      continue;
    OpBuilder builder(op);
    WaitOp::create(builder, op->getLoc(),
                   builder.getStringAttr(devices[device - 1]));
  }
}

/// The transfer names the buffer if there is one with these bytes, else a range
/// of the argument.
void TransferWriter::insertTransfer(Operation *op, PartRange parts,
                                    unsigned device, bool isToDevice,
                                    Value buffer) {
  OpBuilder builder(op);
  const MemoryPart &first = memory.get()[parts.begin];
  DenseI64ArrayAttr range;
  if (!buffer) {
    buffer = first.base;
    PartRange whole = memory.getParts(buffer);
    if (whole.begin != parts.begin || whole.end != parts.end)
      range = builder.getDenseI64ArrayAttr(
          {first.begin, memory.get()[parts.end - 1].end - first.begin});
  }
  StringAttr name = builder.getStringAttr(devices[device - 1]);
  TransferOp::create(builder, op->getLoc(), buffer,
                     isToDevice ? StringAttr() : name,
                     isToDevice ? name : StringAttr(), range);
}

void TransferWriter::transfer(Operation *op, PartRange parts, unsigned device,
                              bool isToDevice) {
  DeviceSet from = isToDevice ? kOnHost : getBit(device);
  DeviceSet to = isToDevice ? getBit(device) : kOnHost;
  // The device does its own transfers in order.
  DeviceSet others = 0;
  for (unsigned i = parts.begin; i != parts.end; ++i)
    others |=
        state.parts[i].writers | (isToDevice ? 0 : state.parts[i].readers);
  wait(op, others & ~getBit(device));
  for (unsigned i = parts.begin; i != parts.end; ++i) {
    PartState &part = state.parts[i];
    part.current = part.current & from ? part.current | to : part.current & ~to;
    (isToDevice ? part.readers : part.writers) |= getBit(device);
  }
  state.busy |= getBit(device);
}

/// The device that `part` is copied from to `device`: the host if it has it.
static unsigned getSource(const PartState &part, unsigned device) {
  if (device != 0)
    return 0;
  return unsigned(llvm::countr_zero(part.current));
}

void TransferWriter::makeCurrent(Operation *op, PartRange parts,
                                 unsigned device, Value buffer) {
  // The way between devices is through the host.
  auto isElsewhere = [&](unsigned i) {
    return !(state.parts[i].current & (getBit(device) | kOnHost));
  };
  for (unsigned begin = parts.begin, end; device != 0 && begin < parts.end;
       begin = end) {
    for (end = begin; end != parts.end && isElsewhere(end);)
      ++end;
    if (begin == end)
      ++end;
    else
      makeCurrent(op, {begin, end}, 0,
                  end - begin == parts.end - parts.begin ? buffer : Value());
  }
  for (unsigned begin = parts.begin; begin != parts.end;) {
    auto isMissing = [&](unsigned i) {
      return !(state.parts[i].current & getBit(device));
    };
    if (!isMissing(begin)) {
      ++begin;
      continue;
    }
    unsigned source = getSource(state.parts[begin], device), end = begin + 1;
    while (end != parts.end && isMissing(end) &&
           getSource(state.parts[end], device) == source &&
           memory.get()[end].base == memory.get()[begin].base)
      ++end;
    bool isWhole = begin == parts.begin && end == parts.end;
    bool isToDevice = device != 0;
    transfer(op, {begin, end}, isToDevice ? device : source, isToDevice);
    for (unsigned i = begin; i != end; ++i)
      if (!isWriting && !uses[i].isOverwritten)
        uses[i].copiedTo |= getBit(device);
    if (isWriting)
      insertTransfer(op, {begin, end}, isToDevice ? device : source, isToDevice,
                     isWhole ? buffer : Value());
    begin = end;
  }
}

void TransferWriter::readOnHost(Operation *op, PartRange parts) {
  DeviceSet writers = 0;
  for (unsigned i = parts.begin; i != parts.end; ++i)
    writers |= state.parts[i].writers;
  wait(op, writers);
}

void TransferWriter::writeOnHost(Operation *op, PartRange parts) {
  DeviceSet users = 0;
  for (unsigned i = parts.begin; i != parts.end; ++i)
    users |= state.parts[i].writers | state.parts[i].readers;
  wait(op, users);
  for (unsigned i = parts.begin; i != parts.end; ++i) {
    state.parts[i].current = kOnHost;
    uses[i].isOverwritten = true;
  }
}

void TransferWriter::writeOnDevice(PartRange parts, unsigned device) {
  for (unsigned i = parts.begin; i != parts.end; ++i) {
    state.parts[i].current = getBit(device);
    uses[i].isOverwritten = true;
  }
  state.busy |= getBit(device);
}
