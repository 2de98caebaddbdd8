//===- FrameworkCall.cpp - Keys of calls of frameworks --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Producers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

static void store(const OpKey &key, KeyRecord &record) {
  const auto &details = key.get<FrameworkCallKey>();
  record.scope = details.scope;
  record.callers = details.callers;
  for (const SourcePosition &frame : details.frames)
    record.frames.push_back(printFrame(frame));
  record.shapes = details.shapes.print();
  record.graphNode = details.graphNode;
  record.ordinal = details.ordinal;
  record.sequence = details.sequence;
  record.phase = details.phase;
}

static bool load(KeyRecord &record, OpKey &key) {
  auto &details = key.make<FrameworkCallKey>();
  details.scope = std::move(record.scope);
  details.callers = std::move(record.callers);
  details.frames = producer::parseFrames(record.frames);
  details.shapes = InputShapes::parse(record.shapes);
  details.graphNode = std::move(record.graphNode);
  details.ordinal = record.ordinal;
  details.sequence = record.sequence;
  details.phase = record.phase;
  return true;
}

static KeyTraits getTraits(const OpKey &key) {
  const auto &details = key.get<FrameworkCallKey>();
  KeyTraits traits;
  traits.opType = key.op;
  traits.kernel = key.kernel;
  traits.graphNode = details.graphNode;
  traits.scope = details.scope;
  traits.callers = details.callers;
  traits.frames = details.frames;
  traits.shapes = &details.shapes;
  traits.ordinal = details.ordinal;
  traits.phase = details.phase;
  traits.isCall = true;
  traits.mayBeSymbol = true;
  return traits;
}

static std::string getScope(const OpKey &key) {
  return llvm::join(key.get<FrameworkCallKey>().scope, "/");
}

static std::string getLabel(const OpKey &key) {
  const auto &details = key.get<FrameworkCallKey>();
  std::string text;
  for (const auto *around : {&details.scope, &details.callers})
    for (const std::string &name : *around)
      text += name + "/";
  return text + producer::printCall(key, details.ordinal);
}

static void addStack(const OpKey &key, std::vector<std::string> &stack) {
  const auto &details = key.get<FrameworkCallKey>();
  llvm::append_range(stack, details.scope);
  llvm::append_range(stack, details.callers);
  producer::addCall(key, stack);
}

KeyProducer producer::FrameworkCall() {
  KeyProducer producer;
  producer.fields = kScope | kCallers | kFrames | kShapes | kGraphNode |
                    kOrdinal | kSequence | kPhase;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getScope = getScope;
  producer.getLabel = getLabel;
  producer.getEventName = getCallName;
  producer.addStack = addStack;
  return producer;
}
