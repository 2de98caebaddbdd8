//===- ModuleGraph.h - A module as a graph with times -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MATCH_MODULEGRAPH_H
#define MLIR_PROF_MATCH_MODULEGRAPH_H

#include "mlir-prof/Graph/Graph.h"
#include "mlir-prof/Profile/Ownership.h"
#include "mlir/IR/Operation.h"

namespace mlirprof {

/// The ops of `root` with their times as a graph. Edges lead from each op to
/// those that use its results or read what it wrote. Functions, modules within
/// the module, regions, and the blocks of a region with several become
/// clusters. Node ids are the indices of Ownership::ops.
graph::Graph buildDataflowGraph(mlir::Operation *root,
                                const Ownership &ownership,
                                const Attribution &attribution);

} // namespace mlirprof

#endif // MLIR_PROF_MATCH_MODULEGRAPH_H
