//===- Clusters.h - Which nodes an optimizer made of which ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_ONNX_CLUSTERS_H
#define MLIR_PROF_LIB_IMPORT_ONNX_CLUSTERS_H

#include "Model.h"
#include "mlir-prof/Profile/OpKey.h"

namespace mlirprof::importer::onnx {

/// Of a node of the optimized graph: the positions of nodes of the original,
/// ascending.
struct NodeOrigin {
  profile::OriginKind kind = profile::OriginKind::Unknown;
  std::vector<uint32_t> nodes;
};

/// Finds for each node of `optimized` what it was made of.
///
/// Optimizers rename nodes at will, but a value that both graphs have is the
/// same value. Nodes of the optimized graph that pass each other values that
/// the original lacks belong together; they do what the original needs to get
/// from the values that go in to those that come out. Within such a cluster
/// names say more: "<value>_nchwc" computes that value, and
/// "<node>/MatMulAddFusion" is of that node.
std::vector<NodeOrigin> findOrigins(const Graph &original,
                                    const Graph &optimized);

} // namespace mlirprof::importer::onnx

#endif // MLIR_PROF_LIB_IMPORT_ONNX_CLUSTERS_H
