//===- Nodes.cpp - Nodes of TensorFlow Lite's interpreter -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TfLite.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::tflite;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kInsideDelegate = "DelegateOpInvoke";

static bool isInsideDelegate(const Node &node) {
  return llvm::StringRef(node.type).starts_with(kInsideDelegate);
}

static bool isDelegate(const Node &node) {
  return !isInsideDelegate(node) &&
         llvm::StringRef(node.type).contains_insensitive("delegate");
}

/// The first output in "[a, b]:7", or the name itself.
static llvm::StringRef getOutput(llvm::StringRef name) {
  if (!name.consume_front("["))
    return name;
  return name.take_front(name.find_first_of(",]"));
}

OpKey Nodes::makeOpKey(const Node &node) {
  if (node.part == Part::Initialization)
    return makeOutsideKey(node.name, OutsideKind::Initialization);
  GraphNodeKey details;
  if (node.subgraph)
    details.graph = "subgraph " + llvm::utostr(node.subgraph);
  std::string output = getOutput(node.name).str();
  auto [first, isNew] = outputs.try_emplace({node.subgraph, output}, node.name);
  bool isSame = isNew || first->second == node.name;
  return OpKey(isSame ? output : node.name, node.type, std::move(details));
}

std::vector<int64_t> Nodes::computeSelf() {
  struct Graph {
    size_t delegates = 0;
    size_t delegate = 0;
    int64_t insidePs = 0;
  };
  std::map<uint32_t, Graph> graphs;
  std::vector<int64_t> self;
  for (auto [index, node] : llvm::enumerate(nodes)) {
    self.push_back(node.execute.sum);
    if (node.part == Part::Initialization)
      continue;
    Graph &graph = graphs[node.subgraph];
    if (isInsideDelegate(node))
      graph.insidePs = saturatingAdd(graph.insidePs, node.execute.sum);
    else if (isDelegate(node)) {
      ++graph.delegates;
      graph.delegate = index;
    }
  }
  // Tables of nodes inside of delegates do not always state the graph.
  bool isSingle = graphs.size() == 1 && graphs.begin()->second.delegates == 1;
  const Graph &only = graphs.empty() ? Graph() : graphs.begin()->second;
  isSingle &= !graphs.empty() && only.insidePs <= self[only.delegate];
  if (isSingle) {
    self[only.delegate] -= only.insidePs;
    return self;
  }
  for (auto [index, node] : llvm::enumerate(nodes))
    if (node.part == Part::Runs && isInsideDelegate(node)) {
      builder.loss("ops inside of delegates whose time counts for one of "
                   "several delegates",
                   node.execute.count, self[index]);
      self[index] = 0;
    }
  return self;
}

void Nodes::finish() {
  std::vector<int64_t> self = computeSelf();
  table::Totals totals(builder);
  for (auto [index, node] : llvm::enumerate(nodes))
    totals.add(makeOpKey(node), node.execute, self[index]);
  totals.finish();
}
