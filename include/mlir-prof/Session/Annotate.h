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

/// Puts the times of a session that has a module on the module's ops. Returns
/// how many ops got times.
uint64_t annotateModule(Session &session,
                        const transforms::AnnotateOptions &options = {});

/// Puts the session's module, which was read from `modelPath`, into the profile
/// file `path`, so that who opens that later needs no module. Does nothing
/// where the file holds the same module, is a recording of another format, or
/// was made by recording a module.
llvm::Error storeInProfile(Session &session, llvm::StringRef path,
                           llvm::StringRef modelPath,
                           const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_ANNOTATE_H
