//===- Formats.cpp - Output formats of graphs -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::graph;

static constexpr llvm::StringLiteral kKindNames[] = {"", "dataflow", "hlo",
                                                     "overlap", "calls"};

llvm::StringRef graph::toString(GraphKind kind) {
  return kKindNames[unsigned(kind)];
}

std::optional<GraphKind> graph::parseGraphKind(llvm::StringRef name) {
  const auto *it = llvm::find(kKindNames, name);
  if (name.empty() || it == std::end(kKindNames))
    return std::nullopt;
  return GraphKind(it - std::begin(kKindNames));
}

llvm::ArrayRef<GraphFormat> graph::getGraphFormats() {
  static const GraphFormat formats[] = {
#define MLIRPROF_GRAPH_FORMAT(NAME) format::NAME(),
#include "Formats.def"
  };
  return formats;
}

const GraphFormat *graph::findGraphFormat(llvm::StringRef name) {
  for (const GraphFormat &format : getGraphFormats())
    if (format.name == name)
      return &format;
  return nullptr;
}
