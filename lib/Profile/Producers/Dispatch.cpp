//===- Dispatch.cpp - Keys of dispatches ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Producers.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

/// The scope of a dispatch in files, before the number of its command buffer.
static constexpr llvm::StringLiteral kCommandBuffer = "command buffer ";
static constexpr llvm::StringLiteral kNoCommandBuffer = "no command buffer";

std::string DispatchKey::printScope() const {
  return commandBuffer ? kCommandBuffer.str() + std::to_string(*commandBuffer)
                       : kNoCommandBuffer.str();
}

/// Whether `scope` is that of a dispatch; then `key` has its command buffer.
static bool readScope(llvm::StringRef scope, DispatchKey &key) {
  if (scope == kNoCommandBuffer)
    return true;
  llvm::StringRef number = scope;
  uint64_t buffer;
  if (!number.consume_front(kCommandBuffer) || number.getAsInteger(10, buffer))
    return false;
  key.commandBuffer = buffer;
  // "007" is not a number that was written here.
  return scope == key.printScope();
}

static bool isOf(const KeyRecord &record) {
  DispatchKey key;
  return record.scope.size() == 1 && record.ordinal != trace::kNone &&
         readScope(record.scope.front(), key);
}

static void store(const OpKey &key, KeyRecord &record) {
  const auto &details = key.get<DispatchKey>();
  record.scope = {details.printScope()};
  record.graphNode = details.place;
  record.ordinal = details.ordinal;
  record.sequence = details.command;
  producer::storeOrigins(details.origins, record);
}

static bool load(KeyRecord &record, OpKey &key) {
  auto &details = key.make<DispatchKey>();
  readScope(record.scope.front(), details);
  details.place = std::move(record.graphNode);
  details.ordinal = record.ordinal;
  details.command = record.sequence;
  details.origins = producer::takeOrigins(record);
  return true;
}

static KeyTraits getTraits(const OpKey &key) {
  const auto &details = key.get<DispatchKey>();
  KeyTraits traits;
  traits.opType = key.op;
  traits.kernel = key.kernel;
  traits.graphNode = details.place;
  traits.ordinal = details.ordinal;
  traits.isCall = true;
  return traits;
}

static std::string getScope(const OpKey &key) {
  return key.get<DispatchKey>().printScope();
}

static std::string getLabel(const OpKey &key) {
  const auto &details = key.get<DispatchKey>();
  return details.printScope() + "/" + producer::printCall(key, details.ordinal);
}

static void addStack(const OpKey &key, std::vector<std::string> &stack) {
  stack.push_back(getScope(key));
  producer::addCall(key, stack);
}

KeyProducer producer::Dispatch() {
  KeyProducer producer;
  producer.fields = kScope | kGraphNode | kOrdinal | kSequence | kOrigins;
  producer.isOf = isOf;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getScope = getScope;
  producer.getLabel = getLabel;
  producer.getEventName = getCallName;
  producer.addStack = addStack;
  return producer;
}
