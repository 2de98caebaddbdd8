//===- Clusters.h - Origins of optimized nodes ------------------*- C++ -*-===//
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

/// For a node of the optimized graph: the positions of nodes of the original
/// graph, ascending.
struct NodeOrigin {
  profile::OriginKind kind = profile::OriginKind::Unknown;
  std::vector<uint32_t> nodes;
};

/// Finds for each node of `optimized` the original nodes from which it was
/// created.
///
/// Optimizers rename nodes arbitrarily, but a value in both graphs is the same
/// value. Nodes of the optimized graph that exchange values which the original
/// graph lacks form a cluster; its work is that of the original nodes between
/// the cluster's inputs and outputs. Within a cluster, names give more detail:
/// "<value>_nchwc" computes that value, and "<node>/MatMulAddFusion" belongs to
/// that node.
std::vector<NodeOrigin> findOrigins(const Graph &original,
                                    const Graph &optimized);

} // namespace mlirprof::importer::onnx

#endif // MLIR_PROF_LIB_IMPORT_ONNX_CLUSTERS_H
