//===- MlirGraphFuzzer.cpp - Fuzzes the reader of graphs in JSON ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Graph/Format.h"

using namespace mlirprof::graph;

/// Writing and reading a graph again must restore it, and all formats must
/// accept it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  llvm::Expected<Graph> graph = readMlirGraph(input, "input");
  if (!graph) {
    llvm::consumeError(graph.takeError());
    return 0;
  }
  std::string text, again;
  llvm::raw_string_ostream os(text), againOs(again);
  writeMlirGraph(*graph, {}, os);
  llvm::Expected<Graph> reread = readMlirGraph(text, "again");
  if (!reread)
    __builtin_trap();
  writeMlirGraph(*reread, {}, againOs);
  if (again != text)
    __builtin_trap();

  markCriticalPath(*graph);
  // Few boxes, so that collapsing runs as well.
  DrawOptions options;
  options.maxNodes = 8;
  for (const GraphFormat &format : getGraphFormats())
    format.write(*graph, options, llvm::nulls());
  return 0;
}
