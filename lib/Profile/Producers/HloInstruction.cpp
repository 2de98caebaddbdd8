//===- HloInstruction.cpp - Keys of HLO instructions ----------------------===//
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
  const auto &details = key.get<HloInstructionKey>();
  record.hasModule = details.module.has_value();
  record.module = details.module.value_or("");
  record.hasProgramId = details.programId.has_value();
  record.programId = details.programId.value_or(0);
}

static bool load(KeyRecord &record, OpKey &key) {
  if ((!record.hasModule && !record.module.empty()) ||
      (!record.hasProgramId && record.programId != 0))
    return false;
  auto &details = key.make<HloInstructionKey>();
  if (record.hasModule)
    details.module = std::move(record.module);
  if (record.hasProgramId)
    details.programId = record.programId;
  return true;
}

static KeyTraits getTraits(const OpKey &key) {
  const auto &details = key.get<HloInstructionKey>();
  KeyTraits traits;
  if (details.module)
    traits.module = *details.module;
  traits.programId = details.programId;
  traits.isAsynchronous = true;
  return traits;
}

static std::string getLabel(const OpKey &key) {
  if (!key.get<HloInstructionKey>().module)
    return key.op;
  return printModule(getTraits(key)) + "/" + key.op;
}

static std::string getName(const OpKey &key) { return key.op; }

static void addStack(const OpKey &key, std::vector<std::string> &stack) {
  if (key.get<HloInstructionKey>().module)
    stack.push_back(printModule(getTraits(key)));
  stack.push_back(key.op);
}

KeyProducer producer::HloInstruction() {
  KeyProducer producer;
  producer.fields = kModule | kProgramId;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getLabel = getLabel;
  producer.getEventName = getName;
  producer.addStack = addStack;
  return producer;
}
