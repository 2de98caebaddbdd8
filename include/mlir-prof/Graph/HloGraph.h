//===- HloGraph.h - An HLO module as a graph --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_HLOGRAPH_H
#define MLIR_PROF_GRAPH_HLOGRAPH_H

#include "mlir-prof/Graph/Graph.h"
#include "mlir-prof/Profile/Profile.h"

namespace mlirprof::graph {

/// The instructions of `module` with their operand edges and their times in
/// `profile`. Node ids are indices of HloModule::instructions.
///
/// Computations are clusters, the entry computation first. A computation that a
/// single instruction calls is the body of that instruction (Cluster::owner);
/// if an instruction calls several, each is a cluster within the body. A
/// computation called from several places, or from its own body, is a separate
/// cluster.
Graph buildHloGraph(const profile::HloModule &module,
                    const profile::Profile &profile);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_HLOGRAPH_H
