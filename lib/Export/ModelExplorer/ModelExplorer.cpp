//===- ModelExplorer.cpp - Graphs for Model Explorer ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two files: the graph, and the measurements of its nodes, which can be shown
// over this graph or another one with the same node ids. Times are microseconds
// as exact decimals of six digits.

#include "../Decimal.h"
#include "../Exporters.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Heat.h"
#include "mlir-prof/Graph/Order.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;

/// Limit on the viewer's layers.
static constexpr uint32_t kMaxDepth = 32;

namespace {
class GraphWriter {
public:
  GraphWriter(const ExportInput &input, llvm::raw_ostream &os)
      : input(input), graph(*input.graph), os(os),
        incoming(uint32_t(graph.nodes.size()), graph.edges,
                 graph::Adjacency::Direction::Backward) {
    findNamespaces();
  }

  void write();

private:
  void findNamespaces();
  void writeNode(uint32_t position);
  void writeAttributes(const graph::Node &node);
  void writeEdges(uint32_t position);

  const ExportInput &input;
  const graph::Graph &graph;
  llvm::raw_ostream &os;
  graph::Adjacency incoming;
  /// For each cluster: functions and regions, and in them the modules of the
  /// framework.
  std::vector<std::string> namespaces;
};
} // namespace

/// '/' would begin another layer.
static std::string toLayer(llvm::StringRef name) {
  std::string layer = name.str();
  std::replace(layer.begin(), layer.end(), '/', '|');
  return layer;
}

void GraphWriter::findNamespaces() {
  graph::ClusterTree tree(graph, kMaxDepth);
  namespaces.resize(graph.clusters.size());
  for (uint32_t cluster = 0; cluster < namespaces.size(); ++cluster) {
    uint32_t parent = tree.parentOf(cluster);
    namespaces[cluster] =
        (parent == tree.getRoot() ? "" : namespaces[parent] + "/") +
        toLayer(graph.clusters[cluster].name);
  }
}

void GraphWriter::writeAttributes(const graph::Node &node) {
  bool isFirst = true;
  auto add = [&](llvm::StringRef key, const std::string &value) {
    if (value.empty())
      return;
    os << (isFirst ? "" : ",") << "{\"key\":\"" << key
       << "\",\"value\":" << quoteJson(value) << '}';
    isFirst = false;
  };
  add("detail", node.detail);
  if (node.measured)
    add("total_ps", llvm::itostr(node.durationPs));
  if (!input.nodesAreOps || !input.ownership ||
      node.id >= input.ownership->ops.size())
    return;
  const MlirOp &op = input.ownership->ops[node.id];
  add("path", op.path);
  add("location", op.location);
  if (!node.measured || !input.attribution)
    return;
  const OpTime &time = input.attribution->ops[node.id];
  add("count", llvm::utostr(time.count));
  add("sole_ps", llvm::itostr(time.solePs));
  add("shared_ps", llvm::itostr(time.sharedPs));
  add("estimated_ps", llvm::itostr(time.estimatedPs));
}

void GraphWriter::writeEdges(uint32_t position) {
  uint32_t number = 0;
  for (uint32_t edge : incoming.edgesOf(position)) {
    uint32_t from = graph.edges[edge].from;
    if (from >= graph.nodes.size())
      continue;
    os << (number ? "," : "") << "{\"sourceNodeId\":\"" << graph.nodes[from].id
       << "\",\"sourceNodeOutputId\":\"0\",\"targetNodeInputId\":\"" << number
       << "\"}";
    ++number;
  }
}

void GraphWriter::writeNode(uint32_t position) {
  const graph::Node &node = graph.nodes[position];
  os << "\n{\"id\":\"" << node.id << "\",\"label\":" << quoteJson(node.name)
     << ",\"namespace\":"
     << quoteJson(node.cluster < namespaces.size() ? namespaces[node.cluster]
                                                   : "")
     << ",\"attrs\":[";
  writeAttributes(node);
  os << "],\"incomingEdges\":[";
  writeEdges(position);
  os << "]}";
}

void GraphWriter::write() {
  os << "{\"label\":" << quoteJson(graph.name)
     << ",\"graphs\":[{\"id\":" << quoteJson(graph.name) << ",\"nodes\":[";
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
    os << (node ? "," : "");
    writeNode(node);
  }
  os << "]}]}\n";
}

static llvm::Error writeGraph(const ExportInput &input, llvm::raw_ostream &os) {
  if (!input.graph)
    return exporter::missingGraph(input);
  exporter::noteTimeWithoutNode(input);
  GraphWriter(input, os).write();
  return llvm::Error::success();
}

static llvm::Error writeData(const ExportInput &input, llvm::raw_ostream &os) {
  if (!input.graph)
    return exporter::missingGraph(input);
  exporter::noteTimeWithoutNode(input);
  os << '{' << quoteJson(input.graph->name) << ":{\"results\":{";
  bool isFirst = true;
  for (const graph::Node &node : input.graph->nodes) {
    if (!node.measured)
      continue;
    os << (isFirst ? "\n" : ",\n") << '"' << node.id << "\":{\"value\":";
    writeDecimal(os, node.durationPs, 6);
    os << '}';
    isFirst = false;
  }
  os << "},\n\"gradient\":[";
  constexpr unsigned kStops = 5;
  graph::HeatScale scale(graph::Palette::Heat, graph::Scale::Linear,
                         *input.graph);
  for (unsigned stop = 0; stop < kStops; ++stop) {
    double position = double(stop) / (kStops - 1);
    graph::Color color = scale.colorAt(position);
    os << (stop ? "," : "") << "{\"stop\":" << llvm::format("%.2f", position)
       << ",\"bgColor\":\"" << color.toHex() << "\",\"textColor\":\""
       << graph::textColorOn(color).toHex() << "\"}";
  }
  os << "]}}\n";
  return llvm::Error::success();
}

Exporter exporter::ModelExplorer() {
  return {"model-explorer", "graph for Model Explorer, JSON",
          ExportNeeds::Graph, writeGraph};
}

Exporter exporter::ModelExplorerData() {
  return {"model-explorer-data",
          "times of that graph's nodes as Model Explorer's node data, JSON",
          ExportNeeds::Graph, writeData};
}
