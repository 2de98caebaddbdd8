//===- Formats.cpp - Formats that graphs are written in -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Format.h"

using namespace mlirprof;
using namespace mlirprof::graph;

static constexpr GraphFormat kFormats[] = {
    {"svg", "picture with its own layout; opens in any browser", writeSvg},
    {"dot", "Graphviz", writeDot},
    {"graphml", "GraphML (yEd, Gephi, NetworkX)", writeGraphMl},
    {"mlirgraph", "JSON of nodes and edges", writeMlirGraph},
};

llvm::ArrayRef<GraphFormat> graph::getGraphFormats() { return kFormats; }

const GraphFormat *graph::findGraphFormat(llvm::StringRef name) {
  for (const GraphFormat &format : kFormats)
    if (format.name == name)
      return &format;
  return nullptr;
}
