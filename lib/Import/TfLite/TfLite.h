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

/// The part of a benchmark that a table covers.
enum class Part : uint8_t { Initialization, Runs };

/// One node of the interpreter, or one inside of a delegate.
struct Node {
  /// "CONV_2D", possibly followed by a slash and a description.
  std::string type;
  /// "[output, ...]:index", "Delegate/...:index", or the name of a phase.
  std::string name;
  Part part = Part::Runs;
  /// 0 is the primary graph.
  uint32_t subgraph = 0;
  profile::Summary execute;
};

/// Collects nodes and passes them to a profile.
///
/// The op of a node's key is its first output, as in locations of the tfl
/// dialect; all but the first of equal ones have the index appended. Time
/// outside of the runs is outside of the model. Time inside of a delegate is
/// included in the delegate's node: it is subtracted there if the graph has one
/// such node; otherwise these nodes do not get separate time.
class Nodes {
public:
  explicit Nodes(profile::ProfileBuilder &builder) : builder(builder) {}

  void add(Node node) { nodes.push_back(std::move(node)); }
  size_t size() const { return nodes.size(); }
  /// Passes everything to the profile; call it once.
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
