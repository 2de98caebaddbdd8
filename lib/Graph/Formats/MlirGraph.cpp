//===- MlirGraph.cpp - Graphs as JSON -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Graph/Order.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::graph;

static void writeText(llvm::json::OStream &json, llvm::StringRef name,
                      llvm::StringRef text) {
  json.attribute(name, llvm::json::isUTF8(text) ? text.str()
                                                : llvm::json::fixUTF8(text));
}

/// Writes members that most nodes of some kinds do not need.
static void writeDetails(llvm::json::OStream &json, const Node &node) {
  auto writeNumber = [&](llvm::StringRef name, int64_t value, int64_t usual) {
    if (value != usual)
      json.attribute(name, value);
  };
  if (!node.detail.empty())
    writeText(json, "detail", node.detail);
  if (!node.tooltip.empty())
    writeText(json, "tooltip", node.tooltip);
  if (node.measured != (node.durationPs != 0))
    json.attribute("measured", node.measured);
  if (node.incidental)
    json.attribute("incidental", true);
  writeNumber("cluster", node.cluster, kNoCluster);
  writeNumber("estimated", node.estimatedPs, 0);
  writeNumber("split", node.splitPs, 0);
  writeNumber("instanceOf", node.instanceOf, kNoNode);
  writeNumber("places", node.places, 1);
  writeNumber("calls", int64_t(node.calls), 0);
  writeNumber("inclusive", node.inclusivePs, 0);
}

static void writeCluster(llvm::json::OStream &json, const Graph &graph,
                         const Cluster &cluster) {
  json.object([&] {
    writeText(json, "name", cluster.name);
    if (cluster.parent != kNoCluster)
      json.attribute("parent", int64_t(cluster.parent));
    if (cluster.owner < graph.nodes.size())
      json.attribute("owner", int64_t(graph.nodes[cluster.owner].id));
    if (cluster.runsInOrder)
      json.attribute("runsInOrder", true);
  });
}

void graph::writeMlirGraph(const Graph &graph, const DrawOptions &options,
                           llvm::raw_ostream &os) {
  Adjacency successors(uint32_t(graph.nodes.size()), graph.edges);
  auto idOf = [&](uint32_t node) { return int64_t(graph.nodes[node].id); };
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("version", "1.0.0");
    if (graph.kind != GraphKind::Unknown)
      json.attribute("kind", toString(graph.kind));
    if (!graph.name.empty())
      writeText(json, "name", graph.name);
    json.attributeArray("nodes", [&] {
      for (auto [position, node] : llvm::enumerate(graph.nodes))
        json.object([&, position = uint32_t(position), &node = node] {
          writeText(json, "name", node.name);
          json.attribute("ts", node.beginPs);
          json.attribute("duration", node.durationPs);
          json.attribute("id", int64_t(node.id));
          writeDetails(json, node);
          json.attributeArray("adj", [&] {
            for (uint32_t edge : successors.edgesOf(position))
              json.value(idOf(graph.edges[edge].to));
          });
        });
    });
    json.attributeArray("edges", [&] {
      for (const Edge &edge : graph.edges)
        json.object([&] {
          json.attribute("edgeFrom", idOf(edge.from));
          json.attribute("edgeTo", idOf(edge.to));
        });
    });
    if (!graph.clusters.empty())
      json.attributeArray("clusters", [&] {
        for (const Cluster &cluster : graph.clusters)
          writeCluster(json, graph, cluster);
      });
  });
  os << '\n';
}

GraphFormat graph::format::MlirGraph() {
  return {"mlirgraph", "JSON of nodes and edges", writeMlirGraph};
}
