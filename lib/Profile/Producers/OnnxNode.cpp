//===- OnnxNode.cpp - Keys of nodes of ONNX graphs ------------------------===//
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
  const auto &details = key.get<OnnxNodeKey>();
  record.callers = details.callers;
  record.shapes = details.shapes.print();
  producer::storeOrigins(details.origins, record);
}

static bool load(KeyRecord &record, OpKey &key) {
  auto &details = key.make<OnnxNodeKey>();
  details.callers = std::move(record.callers);
  details.shapes = InputShapes::parse(record.shapes);
  details.origins = producer::takeOrigins(record);
  return true;
}

static KeyTraits getTraits(const OpKey &key) {
  const auto &details = key.get<OnnxNodeKey>();
  KeyTraits traits;
  traits.opType = traits.kernel = key.kernel;
  traits.callers = details.callers;
  traits.shapes = &details.shapes;
  return traits;
}

/// Names of nodes are paths of the model's modules.
static void addStack(const OpKey &key, std::vector<std::string> &stack) {
  llvm::StringRef name = key.op;
  for (const std::string &caller : key.get<OnnxNodeKey>().callers) {
    splitPath(caller, stack);
    name.consume_front(caller + "/");
  }
  producer::addPath(name, stack);
  producer::addKernel(key, stack);
}

KeyProducer producer::OnnxNode() {
  KeyProducer producer;
  producer.fields = kCallers | kShapes | kOrigins;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getLabel = printNode;
  producer.addStack = addStack;
  return producer;
}
