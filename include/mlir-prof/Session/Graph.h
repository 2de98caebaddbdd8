//===- Graph.h - Graphs of a profile ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_GRAPH_H
#define MLIR_PROF_SESSION_GRAPH_H

#include "mlir-prof/Graph/KeptEvents.h"
#include "mlir-prof/Match/ModuleGraph.h"
#include "mlir-prof/Session/Session.h"

namespace mlirprof {

/// The requested graph of a profile.
struct GraphRequest {
  /// None: dataflow with a module, else hlo.
  std::optional<graph::GraphKind> kind;
  /// "NAME" or "NAME(PROGRAM)"; "" is the HLO module with the most time.
  std::string hloModule;
  graph::EventOptions events;

  /// Whether it is a graph of events, which does not show a module.
  bool isOfEvents() const { return kind && graph::isOfEvents(*kind); }
};

/// The graph of the recording or profile `path`, or the graph stored in `path`
/// as MlirGraph.
llvm::Expected<graph::Graph> openGraph(llvm::StringRef path,
                                       const GraphRequest &request,
                                       const OpenOptions &options = {});

/// The ops of the session's module.
graph::Graph
buildModuleGraph(const Session &session,
                 match::CallDrawing calls = match::CallDrawing::Once,
                 match::KernelDrawing kernels = match::KernelDrawing::Open);

/// The instructions of the HLO module `name`, "NAME" or "NAME(PROGRAM)"; if
/// that is empty, of the module with the most time. `where` names the profile.
llvm::Expected<graph::Graph> buildHloGraph(const profile::Profile &profile,
                                           llvm::StringRef name,
                                           llvm::StringRef where);

/// Marks the critical path in `graph`, and notes its length and which part of
/// that is certain.
void markCriticalPath(graph::Graph &graph, const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_GRAPH_H
