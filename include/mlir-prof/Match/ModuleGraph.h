//===- ModuleGraph.h - A module as a graph with times -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MATCH_MODULEGRAPH_H
#define MLIR_PROF_MATCH_MODULEGRAPH_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Graph/Graph.h"
#include "mlir/IR/Operation.h"

namespace mlirprof::match {

/// The drawing of functions that are called from several places.
enum class CallDrawing : uint8_t {
  /// Once, with the lines of all calls: an op is one node, and its id its index
  /// in Ownership::ops.
  Once,
  /// Once for each path of calls that leads to them (see CallInstances.h), so
  /// that independent calls appear independent. Ids of further instances follow
  /// those of the ops.
  Instances,
};

/// The drawing of kernels, the functions that `dispatch.run` names.
enum class KernelDrawing : uint8_t {
  /// As other functions, whose ops have their times.
  Open,
  /// Not at all: the dispatches have the times.
  Folded,
};

/// The ops of `root` with their times as a graph. Edges lead from each op to
/// those that use its results or read what it wrote. Functions, modules within
/// the module, regions, and the blocks of a region with several become
/// clusters. Node ids are the indices of Ownership::ops.
///
/// Instances have the times that `profile` distinguishes; the rest, or all time
/// without a profile, is split evenly: instances of one function have the same
/// static cost.
graph::Graph buildDataflowGraph(mlir::Operation *root,
                                const attribution::Ownership &ownership,
                                const attribution::Attribution &attribution,
                                CallDrawing calls = CallDrawing::Once,
                                const profile::Profile *profile = nullptr,
                                KernelDrawing kernels = KernelDrawing::Open);

} // namespace mlirprof::match

#endif // MLIR_PROF_MATCH_MODULEGRAPH_H
