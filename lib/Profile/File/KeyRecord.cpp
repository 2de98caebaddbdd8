//===- KeyRecord.cpp - Op keys as files hold them -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeyRecord.h"
#include "mlir-prof/Profile/SourceKey.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

KeyRecord schema::toWire(const OpKey &key) {
  const FrameworkCall &call = key.call;
  KeyRecord record;
  record.kind = key.kind;
  record.module = key.module;
  record.hasModule = key.hasModule;
  record.programId = key.programId;
  record.hasProgramId = key.hasProgramId;
  record.op = key.op;
  record.kernel = key.kernel;
  record.node = key.node;
  record.scope = call.scope;
  record.callers = call.callers;
  // Of code at a source position, the function's place is there without a name.
  bool isOfCode = !getSourceChain(key).empty();
  for (const SourcePosition &frame : call.frames)
    record.frames.push_back(printFrame(frame) +
                            (isOfCode && frame.function.empty() ? ": " : ""));
  record.shapes = call.shapes.print();
  record.graphNode = call.graphNode;
  record.ordinal = call.ordinal;
  record.sequence = call.sequence;
  record.phase = call.phase;
  record.originKind = key.originKind;
  record.origins = key.origins;
  return record;
}

bool schema::fromWire(KeyRecord &&record, OpKey &key) {
  key.kind = record.kind;
  key.module = std::move(record.module);
  key.hasModule = record.hasModule;
  key.programId = record.programId;
  key.hasProgramId = record.hasProgramId;
  key.op = std::move(record.op);
  key.kernel = std::move(record.kernel);
  key.node = record.node;
  FrameworkCall &call = key.call;
  call.scope = std::move(record.scope);
  call.callers = std::move(record.callers);
  call.frames.clear();
  for (const std::string &frame : record.frames)
    call.frames.push_back(parseFrame(frame));
  call.shapes = InputShapes::parse(record.shapes);
  call.graphNode = std::move(record.graphNode);
  call.ordinal = record.ordinal;
  call.sequence = record.sequence;
  call.phase = record.phase;
  key.originKind = record.originKind;
  key.origins = std::move(record.origins);
  return true;
}
