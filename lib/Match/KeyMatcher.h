//===- KeyMatcher.h - Matching op keys of one kind --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_KEYMATCHER_H
#define MLIR_PROF_LIB_MATCH_KEYMATCHER_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Match/Matcher.h"
#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Module/ModuleIndex.h"
#include "mlir-prof/Profile/Profile.h"

#include <memory>

namespace mlirprof::match {

class LineMatcher;
class PathResolver;

/// The input of matchers; it outlives them.
struct MatchContext {
  const module::ModuleIndex &index;
  PathResolver &resolver;
  LineMatcher &lines;
  const profile::Profile &profile;
  const MatchOptions &options;
  module::StoredAlignments &stored;
};

/// Finds the ops of a module that own the measurements of op keys of one kind.
/// Its constructor may look at all keys of the profile: others may distinguish
/// a key.
class KeyMatcher {
public:
  virtual ~KeyMatcher();

  /// The owners of the op key `key` of the matcher's kind. Keys come in order,
  /// each once.
  virtual attribution::Match match(uint32_t key) = 0;

  /// Whether the match of `key` is final, even without an op, since evidence
  /// contradicts the name: others must not search an op by the name alone.
  virtual bool isSettled(uint32_t key) const { return false; }
};

/// Creates a matcher.
using MakeMatcher = std::unique_ptr<KeyMatcher> (*)(const MatchContext &);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_KEYMATCHER_H
