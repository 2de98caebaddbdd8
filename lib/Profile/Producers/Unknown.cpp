//===- Unknown.cpp - Keys of which nothing is known -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../File/Proto.h"
#include "Producers.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

static void store(const OpKey &key, KeyRecord &record) {
  std::string op = std::move(record.op), kernel = std::move(record.kernel);
  record = readKeyRecord(key.get<UnknownKey>().record);
  record.op = std::move(op);
  record.kernel = std::move(kernel);
}

/// Takes any record.
static bool load(KeyRecord &record, OpKey &key) {
  record.op.clear();
  record.kernel.clear();
  key.make<UnknownKey>().record = writeKeyRecord(record);
  return true;
}

static KeyTraits getTraits(const OpKey &) { return {}; }

static void addStack(const OpKey &key, std::vector<std::string> &stack) {
  producer::addPath(key.op, stack);
  producer::addKernel(key, stack);
}

KeyProducer producer::Unknown() {
  KeyProducer producer;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getLabel = printNode;
  producer.addStack = addStack;
  return producer;
}
