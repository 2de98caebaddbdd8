//===- ScopeCopy.cpp - A library with a copy of the runtime ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Scope.h"

/// Records "copy", and what `inside` does in it.
extern "C" void runInCopy(void (*inside)()) {
  PROF_SCOPE("copy");
  inside();
}

/// Number of sessions, and the level, as this copy knows them.
extern "C" unsigned countSessionsInCopy() { return prof_scope_sessions(); }
extern "C" int getLevelInCopy() { return prof_scope_level; }
extern "C" const void *getCopy() { return &prof_scope_level; }
