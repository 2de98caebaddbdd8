//===- Matchers.h - Declares all matchers -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_MATCHERS_H
#define MLIR_PROF_LIB_MATCH_MATCHERS_H

#include "KeyMatcher.h"

/// Each is in the room of its producer, and is created only if there is a key
/// for it.
namespace mlirprof::match::matcher {
#define MLIRPROF_MATCHER(KIND, NAME)                                           \
  std::unique_ptr<KeyMatcher> NAME(const MatchContext &context);
#include "Matchers.def"
} // namespace mlirprof::match::matcher

#endif // MLIR_PROF_LIB_MATCH_MATCHERS_H
