//===- Annotate.h - Times on the ops of a module ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_ANNOTATE_H
#define MLIR_PROF_SESSION_ANNOTATE_H

#include "mlir-prof/Session/Session.h"
#include "mlir-prof/Transforms/Annotate.h"

namespace mlirprof {

/// Annotates the module of a session with times. Returns the number of ops that
/// got times.
uint64_t annotateModule(Session &session,
                        const transforms::AnnotateOptions &options = {});

/// Stores the session's module, which was read from `modelPath`, in the profile
/// file `path`, so that the profile can be opened without a module later. Does
/// nothing if the file contains the same module, is a recording of another
/// format, or was created by recording a module.
llvm::Error storeInProfile(Session &session, llvm::StringRef path,
                           llvm::StringRef modelPath,
                           const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_ANNOTATE_H
