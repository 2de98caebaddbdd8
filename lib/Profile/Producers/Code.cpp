//===- Code.cpp - Keys of machine code ------------------------------------===//
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

static void store(const OpKey &key, KeyRecord &record) {
  const auto &details = key.get<CodeKey>();
  record.module = details.program;
  record.hasModule = details.isShown;
  record.node = details.instruction;
  record.ordinal = details.instance;
}

static bool load(KeyRecord &record, OpKey &key) {
  auto &details = key.make<CodeKey>();
  details.program = std::move(record.module);
  details.isShown = record.hasModule;
  details.instruction = record.node;
  details.instance = record.ordinal;
  return true;
}

static KeyTraits getTraits(const OpKey &key) {
  const auto &details = key.get<CodeKey>();
  KeyTraits traits;
  if (details.isShown)
    traits.module = details.program;
  traits.libraryFunction = key.kernel;
  return traits;
}

static void addStack(const OpKey &key, std::vector<std::string> &stack) {
  stack.push_back(key.op);
  if (!key.kernel.empty())
    stack.push_back(key.kernel);
}

KeyProducer producer::Code() {
  KeyProducer producer;
  producer.fields = kModule | kNode | kOrdinal;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getLabel = printPlace;
  producer.addStack = addStack;
  return producer;
}
