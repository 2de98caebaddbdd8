//===- Model.h - The graphs of an ONNX model --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_ONNX_MODEL_H
#define MLIR_PROF_LIB_IMPORT_ONNX_MODEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlirprof::importer::onnx {

/// Texts refer to the bytes that were read.
struct Node {
  /// May be empty.
  llvm::StringRef name;
  /// "Conv".
  llvm::StringRef type;
  llvm::StringRef domain;
  std::vector<llvm::StringRef> inputs;
  std::vector<llvm::StringRef> outputs;
};

struct Graph {
  /// Names of the nodes around it, outermost first (see getShownName), with the
  /// attribute of the last one that contains it.
  std::vector<std::string> callers;
  std::string attribute;
  std::vector<Node> nodes;
};

/// The model's own graph comes first.
struct Model {
  std::vector<Graph> graphs;
};

/// The name of a node in ONNX Runtime: its name, or if it does not have one,
/// its type and its position in its graph.
std::string getShownName(const Node &node, size_t position);

/// Reads only the nodes of a model: weights are skipped. `where` names `bytes`
/// in errors.
llvm::Expected<Model> readModel(llvm::StringRef bytes, llvm::StringRef where);

} // namespace mlirprof::importer::onnx

#endif // MLIR_PROF_LIB_IMPORT_ONNX_MODEL_H
