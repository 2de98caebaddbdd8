//===- MlirGraph.cpp - Graphs as JSON -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Graph/Order.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::graph;

void graph::writeMlirGraph(const Graph &graph, const DrawOptions &options,
                           llvm::raw_ostream &os) {
  Adjacency successors(uint32_t(graph.nodes.size()), graph.edges);
  auto idOf = [&](uint32_t node) { return int64_t(graph.nodes[node].id); };
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("version", "1.0.0");
    json.attributeArray("nodes", [&] {
      for (auto [position, node] : llvm::enumerate(graph.nodes))
        json.object([&, position = uint32_t(position), &node = node] {
          json.attribute("name", llvm::json::isUTF8(node.name)
                                     ? node.name
                                     : llvm::json::fixUTF8(node.name));
          json.attribute("ts", node.beginPs);
          json.attribute("duration", node.durationPs);
          json.attribute("id", int64_t(node.id));
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
  });
  os << '\n';
}
