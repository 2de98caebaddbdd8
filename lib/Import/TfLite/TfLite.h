//===- TfLite.h - Importers of TensorFlow Lite's benchmarks -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_TFLITE_TFLITE_H
#define MLIR_PROF_LIB_IMPORT_TFLITE_TFLITE_H

#include "../Common/Table/Totals.h"
#include "mlir-prof/Import/Importer.h"

#include <string>
#include <vector>

namespace mlirprof::importer::tflite {

/// Which part of a benchmark a table is of.
enum class Part : uint8_t { Initialization, Runs };

/// One node of the interpreter, or what ran inside of a delegate.
struct Node {
  /// "CONV_2D", perhaps with a description behind a slash.
  std::string type;
  /// "[output, ...]:index", "Delegate/...:index", or the name of a phase.
  std::string name;
  Part part = Part::Runs;
  /// 0 is the primary graph.
  uint32_t subgraph = 0;
  profile::Summary execute;
};

/// Gathers nodes and gives them to a profile.
///
/// The op of a node's key is its first output, which is what locations of the
/// tfl dialect say; with the index behind it for all but the first of equal
/// ones. What happened outside of the runs is time outside of the model. What
/// ran inside of a delegate is in the time of the delegate's node already: it
/// is subtracted there when there is one such node in the graph, and else has
/// no time of its own.
class Nodes {
public:
  explicit Nodes(profile::ProfileBuilder &builder) : builder(builder) {}

  void add(Node node) { nodes.push_back(std::move(node)); }
  size_t size() const { return nodes.size(); }
  /// Gives all to the profile; call once.
  void finish();

private:
  profile::OpKey makeOpKey(const Node &node);
  std::vector<int64_t> computeSelf();

  profile::ProfileBuilder &builder;
  std::vector<Node> nodes;
  std::map<std::pair<uint32_t, std::string>, std::string> outputs;
};

} // namespace mlirprof::importer::tflite

#endif // MLIR_PROF_LIB_IMPORT_TFLITE_TFLITE_H
