//===- Graph.cpp - The formats of graphs ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Exporters.h"
#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static llvm::Error writeAs(llvm::StringRef format, const ExportInput &input,
                           llvm::raw_ostream &os) {
  if (!input.graph)
    return exporter::missingGraph(input);
  exporter::noteTimeWithoutNode(input);
  graph::findGraphFormat(format)->write(*input.graph, {}, os);
  return llvm::Error::success();
}

llvm::Error exporter::missingGraph(const ExportInput &input) {
  return inputError(input.where, "does not contain a graph of ops",
                    "Name the module that was run with --model=FILE.");
}

void exporter::noteTimeWithoutNode(const ExportInput &input) {
  if (!input.losses)
    return;
  int64_t missingPs = 0;
  for (const OpSummary &op : mergeRuns(input.profile))
    missingPs = saturatingAdd(missingPs, op.getTimePs());
  for (const graph::Node &node : input.graph->nodes)
    missingPs = saturatingSub(missingPs, node.durationPs);
  if (missingPs != 0)
    input.losses->add("time that does not belong to a node of the graph", 1,
                      missingPs);
}

Exporter exporter::Dot() {
  return {"dot", graph::findGraphFormat("dot")->description, ExportNeeds::Graph,
          [](const ExportInput &input, llvm::raw_ostream &os) {
            return writeAs("dot", input, os);
          }};
}

Exporter exporter::GraphMl() {
  return {"graphml", graph::findGraphFormat("graphml")->description,
          ExportNeeds::Graph,
          [](const ExportInput &input, llvm::raw_ostream &os) {
            return writeAs("graphml", input, os);
          }};
}

Exporter exporter::MlirGraph() {
  return {"mlirgraph", graph::findGraphFormat("mlirgraph")->description,
          ExportNeeds::Graph,
          [](const ExportInput &input, llvm::raw_ostream &os) {
            return writeAs("mlirgraph", input, os);
          }};
}
