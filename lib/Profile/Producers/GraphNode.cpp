//===- GraphNode.cpp - Keys of nodes of graphs ----------------------------===//
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
  const auto &details = key.get<GraphNodeKey>();
  record.hasModule = details.graph.has_value();
  record.module = details.graph.value_or("");
  record.graphNode = details.eventName;
  record.sequence = details.number;
}

static bool load(KeyRecord &record, OpKey &key) {
  if (!record.hasModule && !record.module.empty())
    return false;
  auto &details = key.make<GraphNodeKey>();
  if (record.hasModule)
    details.graph = std::move(record.module);
  details.eventName = std::move(record.graphNode);
  details.number = record.sequence;
  return true;
}

static KeyTraits getTraits(const OpKey &key) {
  const auto &details = key.get<GraphNodeKey>();
  KeyTraits traits;
  if (details.graph)
    traits.module = *details.graph;
  traits.opType = traits.kernel = key.kernel;
  traits.graphNode = details.eventName;
  traits.mayBeSymbol = true;
  return traits;
}

static void addStack(const OpKey &key, std::vector<std::string> &stack) {
  producer::addPath(key.op, stack);
  producer::addKernel(key, stack);
}

KeyProducer producer::GraphNode() {
  KeyProducer producer;
  producer.fields = kModule | kGraphNode | kSequence;
  producer.store = store;
  producer.load = load;
  producer.getTraits = getTraits;
  producer.getLabel = printNode;
  producer.addStack = addStack;
  return producer;
}
