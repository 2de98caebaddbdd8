//===- SessionGraph.h - The graphs that a profile has -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_SESSIONGRAPH_H
#define MLIR_PROF_TOOLS_SESSIONGRAPH_H

#include "Session.h"
#include "mlir-prof/Match/ModuleGraph.h"

namespace mlirprof {

/// The ops of the session's module.
graph::Graph buildModuleGraph(const Session &session,
                              CallDrawing calls = CallDrawing::Once);

/// The instructions of the HLO module `name`, "NAME" or "NAME(PROGRAM)"; where
/// that is empty, of the one with most time. `where` names the profile.
llvm::Expected<graph::Graph> buildHloGraph(const Profile &profile,
                                           llvm::StringRef name,
                                           llvm::StringRef where);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_SESSIONGRAPH_H
