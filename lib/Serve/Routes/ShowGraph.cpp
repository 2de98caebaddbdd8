//===- ShowGraph.cpp - GET /profiles/{id}/graph ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Graph/Collapse.h"
#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Graph/Layout.h"
#include "mlir-prof/Graph/Text.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Session/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::report;
using namespace mlirprof::serve;

static constexpr double kTextSize = 12;

static LayoutSizes measure(const Graph &graph) {
  LayoutSizes sizes;
  auto widthOf = [](llvm::StringRef text) {
    return std::max(48.0, textWidth(text, kTextSize) + 16);
  };
  for (const Node &node : graph.nodes)
    sizes.nodes.push_back(
        {0, 0, std::max(widthOf(node.name), widthOf(node.detail)), 38});
  for (const Cluster &cluster : graph.clusters)
    sizes.titles.push_back({0, 0, widthOf(cluster.name) + 22, 24});
  return sizes;
}

static void writePoint(llvm::json::OStream &json, Point point) {
  json.array([&] {
    json.value(int64_t(point.x + 0.5));
    json.value(int64_t(point.y + 0.5));
  });
}

static void writeBox(llvm::json::OStream &json, const Box &box) {
  json.attribute("x", int64_t(box.x + 0.5));
  json.attribute("y", int64_t(box.y + 0.5));
  json.attribute("w", int64_t(box.width + 0.5));
  json.attribute("h", int64_t(box.height + 0.5));
}

static void writeNodes(llvm::json::OStream &json, const Graph &graph,
                       const Layout &layout, int64_t whole) {
  json.attributeArray("nodes", [&] {
    for (const auto &[i, node] : llvm::enumerate(graph.nodes))
      json.object([&, i = i, &node = node] {
        json.attribute("id", i);
        writeText(json, "label", node.name);
        writeText(json, "detail", node.detail);
        // A box that stands for several ops is none of them.
        if (node.hidden)
          json.attribute("op", nullptr);
        else
          json.attribute("op", node.id);
        writeBox(json, layout.nodes[i]);
        writeInteger(json, "time_ps", node.durationPs);
        json.attribute("share", whole > 0 ? int64_t(__int128(node.durationPs) *
                                                    1000000 / whole)
                                          : 0);
        json.attribute("on_critical_path", node.critical);
        json.attribute("hidden", node.hidden);
        if (node.cluster == kNoCluster)
          json.attribute("group", nullptr);
        else
          json.attribute("group", node.cluster);
      });
  });
}

static void writeEdges(llvm::json::OStream &json, const Layout &layout) {
  json.attributeArray("edges", [&] {
    for (const Wire &wire : layout.wires)
      json.object([&] {
        json.attribute("from", wire.source);
        if (wire.target == kNoNode)
          json.attribute("to", nullptr);
        else
          json.attribute("to", wire.target);
        json.attribute("on_critical_path", wire.critical);
        json.attributeArray("points", [&] {
          writePoint(json, wire.start);
          for (const Segment &segment : wire.segments)
            writePoint(json, segment.to);
        });
        json.attribute("bytes", nullptr);
      });
  });
}

static void writeGroups(llvm::json::OStream &json, const Graph &graph,
                        const Layout &layout) {
  json.attributeArray("groups", [&] {
    for (const auto &[i, cluster] : llvm::enumerate(graph.clusters))
      json.object([&, i = i, &cluster = cluster] {
        writeText(json, "label", cluster.name);
        writeBox(json, layout.clusters[i]);
        if (cluster.parent == kNoCluster)
          json.attribute("parent", nullptr);
        else
          json.attribute("parent", cluster.parent);
      });
  });
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto opened = openRequested(api, request);
  if (!opened)
    return opened.takeError();
  const Session &session = (*opened)->get();
  Graph graph;
  if (session.module) {
    graph = buildModuleGraph(session);
  } else {
    auto hlo = buildHloGraph(session.profile, "", "profile");
    if (!hlo)
      return hlo.takeError();
    graph = std::move(*hlo);
  }
  graph::markCriticalPath(graph);
  int64_t whole = totalTime(graph);
  DrawOptions options;
  options.maxNodes = uint32_t(request.getInteger("nodes", 300));
  CollapsedGraph shown = collapse(graph, options);
  Layout layout = layOut(shown.graph, measure(shown.graph));
  return makeJson([&](llvm::json::OStream &json) {
    writeNodes(json, shown.graph, layout, whole);
    writeEdges(json, layout);
    writeGroups(json, shown.graph, layout);
    json.attribute("width", int64_t(layout.width + 0.5));
    json.attribute("height", int64_t(layout.height + 0.5));
    json.attributeArray("notes", [&] {
      for (const std::string &note : shown.notes)
        json.value(toJsonText(note));
    });
  });
}

Route route::ShowGraph() {
  return {"GET",
          "/profiles/{id}/graph",
          "The ops as a graph, placed for drawing; edges are lines through "
          "points.",
          {{"level", "Level of the lowering."},
           {"nodes", "Most boxes; further ones are folded (default 300).",
            ParameterType::Integer, 24, 5000}},
          run};
}
