//===- Nodes.h - Nodes executed by ONNX Runtime -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_ORT_NODES_H
#define MLIR_PROF_LIB_IMPORT_ORT_NODES_H

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace mlirprof::importer::ort {

/// The data on its node in an event.
struct NodeInfo {
  std::string name;
  std::string type;
  /// As InputShapes::print().
  std::string shapes;
  /// The kernel that ran on a device for it, or "".
  std::string kernel;
};

/// Converts [{"float":[2,3]},{"int64":[]}] to [[2,3],[]].
std::string readShapes(llvm::StringRef text);

/// Adds to `inputs` the shape of the weights that ONNX Runtime omits: it packs
/// a constant matrix on the right of a product when it loads the model, and
/// lists only the left operand. Shapes are in the form of readShapes(); the
/// shape of `outputs` determines the columns.
std::string addPackedWeights(llvm::StringRef type, std::string inputs,
                             llvm::StringRef outputs);

/// The op keys of nodes: an event identifies its node by the name within its
/// own graph, and the surrounding graphs follow from the events around it.
class Nodes {
public:
  explicit Nodes(profile::ProfileBuilder &builder)
      : builder(builder), infos(1) {}

  /// A number above 0 for `info`; equal infos have equal numbers.
  uint32_t add(NodeInfo info);
  const NodeInfo &get(uint32_t info) const { return infos[info]; }

  /// The op key of a node's event; `info` may be 0, for none. Call in the order
  /// of events.
  uint32_t begin(uint32_t track, int64_t beginPs, int64_t endPs, uint32_t info);
  /// The op key of a node's kernel on a device.
  uint32_t getKernel(uint32_t info);

private:
  struct Open {
    int64_t beginPs;
    int64_t endPs;
    uint32_t op;
  };

  uint32_t getOp(uint32_t caller, uint32_t info);

  profile::ProfileBuilder &builder;
  std::vector<NodeInfo> infos;
  llvm::StringMap<uint32_t> infoByText;
  /// By caller's op (kNone for none) and info.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> ops;
  /// By op: the nodes around the ops that it contains, and their names.
  llvm::DenseMap<uint32_t, std::vector<std::string>> callersWithin;
  llvm::DenseMap<uint32_t, std::string> paths;
  /// Open nodes, outermost first, by track.
  std::vector<std::vector<Open>> open;
};

} // namespace mlirprof::importer::ort

#endif // MLIR_PROF_LIB_IMPORT_ORT_NODES_H
