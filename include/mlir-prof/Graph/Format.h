//===- Format.h - Output formats of graphs ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_FORMAT_H
#define MLIR_PROF_GRAPH_FORMAT_H

#include "mlir-prof/Graph/Graph.h"
#include "mlir-prof/Graph/Heat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::graph {

/// The handling of parts of a graph that repeat one after another.
enum class Repeats : uint8_t {
  /// One part represents all.
  Folded,
  /// Each part is drawn.
  Unfolded,
};

/// The size limit of a picture.
enum class PictureSize : uint8_t {
  /// A few screens: more is collapsed until it fits, down to kLeastFit boxes.
  Screen,
  /// As large as the boxes need.
  Any,
};

/// How a graph is drawn. Formats that other programs lay out use only the
/// palette and the scale.
struct DrawOptions {
  Palette palette = Palette::Heat;
  Scale scale = Scale::Linear;
  Repeats repeats = Repeats::Folded;
  PictureSize size = PictureSize::Screen;
  /// Boxes that a picture holds; further ones are collapsed: regions first,
  /// then all but the hottest nodes of regions that are still too large.
  uint32_t maxNodes = 300;
  /// Used instead of the graph's name.
  std::string title;

  static constexpr uint32_t kLeastFit = 24;
};

struct GraphFormat {
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  void (*write)(const Graph &graph, const DrawOptions &options,
                llvm::raw_ostream &os);
};

/// All formats, one line each in lib/Graph/Formats/Formats.def.
llvm::ArrayRef<GraphFormat> getGraphFormats();
/// Null if there is no format of that name.
const GraphFormat *findGraphFormat(llvm::StringRef name);

/// {"version": "1.0.0", "kind", "name", "nodes": [{"name", "ts", "duration",
/// "id", "adj"}], "edges": [{"edgeFrom", "edgeTo"}], "clusters": [{"name",
/// "parent", "owner", "runsInOrder"}]}: times are integer picoseconds, adj, the
/// edges and owner hold ids. Nodes have more members if these differ from their
/// defaults; docs/graph.md lists all. Reading restores the same graph.
void writeMlirGraph(const Graph &graph, const DrawOptions &options,
                    llvm::raw_ostream &os);
/// Reads the output of writeMlirGraph, with members in any order and unknown
/// members ignored. Edges listed only in `adj` count too; each pair of nodes
/// gets as many edges as the larger of the counts in both lists. `where` names
/// the text in errors.
llvm::Expected<Graph> readMlirGraph(llvm::StringRef text,
                                    llvm::StringRef where);

/// For Graphviz, with clusters as subgraphs and heat as fill colors.
void writeDot(const Graph &graph, const DrawOptions &options,
              llvm::raw_ostream &os);
/// GraphML with typed keys name, detail, begin_ps, duration_ps, share_ppm,
/// measured, critical, cluster, and for calls count and inclusive_ps.
void writeGraphMl(const Graph &graph, const DrawOptions &options,
                  llvm::raw_ostream &os);
/// A picture that does not need another program, see docs/graph.md.
void writeSvg(const Graph &graph, const DrawOptions &options,
              llvm::raw_ostream &os);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_FORMAT_H
