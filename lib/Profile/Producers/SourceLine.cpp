//===- SourceLine.cpp - Keys of code by its source lines ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Producers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

/// "model.mlir:12:5", or "model.mlir:12" if the column is unknown.
static std::string printOp(const SourcePosition &position) {
  std::string text = llvm::sys::path::filename(position.file).str() + ":" +
                     std::to_string(position.line);
  if (position.column)
    text += ":" + std::to_string(position.column);
  return text;
}

OpKey profile::makeSourceLineKey(llvm::ArrayRef<SourcePosition> chain,
                                 llvm::StringRef symbol) {
  SourceLineKey details;
  details.frames.assign(chain.rbegin(), chain.rend());
  return OpKey(printOp(chain.front()), symbol.str(), std::move(details));
}

/// Framework calls have names without places, and an order.
static bool isOf(const KeyRecord &record) {
  if (record.kernel.empty() || getFields(record) != kFrames)
    return false;
  // A function name alone is not a position.
  std::vector<SourcePosition> frames = producer::parseFrames(record.frames);
  return llvm::none_of(
             frames,
             [](const SourcePosition &frame) { return frame.file.empty(); }) &&
         printOp(frames.back()) == record.op;
}

static void store(const OpKey &key, KeyRecord &record) {
  // The function's place is stored without a name.
  for (const SourcePosition &frame : key.get<SourceLineKey>().frames)
    record.frames.push_back(printFrame(frame) +
                            (frame.function.empty() ? ": " : ""));
}

static bool load(KeyRecord &record, OpKey &key) {
  key.make<SourceLineKey>().frames = producer::parseFrames(record.frames);
  return true;
}

static KeyTraits getTraits(const OpKey &key) {
  KeyTraits traits;
  traits.opType = key.op;
  traits.kernel = key.kernel;
  traits.frames = key.get<SourceLineKey>().frames;
  traits.isCall = true;
  traits.mayBeSymbol = true;
  return traits;
}

static std::string getLabel(const OpKey &key) {
  return producer::printCall(key, trace::kNone);
}

KeyProducer producer::SourceLine() {
  KeyProducer producer;
  producer.fields = kFrames;
  producer.isOf = isOf;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getLabel = getLabel;
  producer.getEventName = getCallName;
  producer.addStack = addCall;
  return producer;
}
