//===- Note.h - Notes for the user ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SESSION_NOTE_H
#define MLIR_PROF_LIB_SESSION_NOTE_H

#include "mlir-prof/Session/Session.h"
#include "llvm/ADT/Twine.h"

namespace mlirprof {

/// Passes `text` to a handler, if there is one.
inline void note(const NoteHandler &handler, const llvm::Twine &text) {
  if (handler)
    handler(text.str());
}

} // namespace mlirprof

#endif // MLIR_PROF_LIB_SESSION_NOTE_H
