//===- Diff.h - Comparing two profiles op by op -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_DIFF_H
#define MLIR_PROF_SESSION_DIFF_H

#include "mlir-prof/Diff/Diff.h"
#include "mlir-prof/Session/Session.h"

namespace mlirprof {

/// Compares two profiles op by op: if both have modules, through an alignment
/// of these, else by measured op. The names are for people. If only one side
/// has a module, its ownership is dropped.
llvm::Expected<diff::ProfileDiff>
diffSessions(Session &before, llvm::StringRef beforeName, Session &after,
             llvm::StringRef afterName, const diff::DiffOptions &options = {},
             const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_DIFF_H
