//===- Outside.cpp - Keys of time outside of models -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Producers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

llvm::StringRef profile::toString(OutsideKind kind) {
  switch (kind) {
  case OutsideKind::Outside:
    return "outside";
  case OutsideKind::Waiting:
    return "waiting";
  case OutsideKind::Stealing:
    return "stealing";
  case OutsideKind::Executor:
    return "executor";
  case OutsideKind::Initialization:
    return "initialization";
  case OutsideKind::Tuning:
    return "tuning";
  case OutsideKind::Other:
    return "";
  }
  return "";
}

static OutsideKind parseKind(llvm::StringRef text) {
  return llvm::StringSwitch<OutsideKind>(text)
      .Case("outside", OutsideKind::Outside)
      .Case("waiting", OutsideKind::Waiting)
      .Case("stealing", OutsideKind::Stealing)
      .Case("executor", OutsideKind::Executor)
      .Case("initialization", OutsideKind::Initialization)
      .Case("tuning", OutsideKind::Tuning)
      .Default(OutsideKind::Other);
}

OpKey profile::makeOutsideKey(llvm::StringRef op, llvm::StringRef text) {
  return OpKey(op.str(), text.str(), OutsideKey{parseKind(text)});
}

OpKey profile::makeOutsideKey(llvm::StringRef op, OutsideKind kind) {
  return makeOutsideKey(op, toString(kind));
}

/// The kernel has all details.
static void store(const OpKey &, KeyRecord &) {}

static bool load(KeyRecord &, OpKey &key) {
  key.make<OutsideKey>().kind = parseKind(key.kernel);
  return true;
}

static KeyTraits getTraits(const OpKey &) {
  KeyTraits traits;
  traits.isOutside = true;
  traits.mayBeSymbol = true;
  return traits;
}

static void addStack(const OpKey &key, std::vector<std::string> &stack) {
  stack.push_back("(" + (key.kernel.empty() ? "outside" : key.kernel) + ")");
  stack.push_back(key.op);
}

KeyProducer producer::Outside() {
  KeyProducer producer;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getLabel = printNode;
  producer.addStack = addStack;
  return producer;
}
