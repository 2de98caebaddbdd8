//===- BackwardCalls.h - Derivatives and their forward ops ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_BACKWARDCALLS_H
#define MLIR_PROF_LIB_MATCH_TORCH_BACKWARDCALLS_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Profile/OpKey.h"

#include <map>
#include <string>
#include <vector>

namespace mlirprof::match {

/// Finds the forward op of a backward one by their number for automatic
/// differentiation (FrameworkCallKey::sequence).
class BackwardCalls {
public:
  /// Adds a forward op with a match, which must not move.
  void addForward(const profile::OpKey &key, const attribution::Match &match);

  /// The match of the forward op of `key`, an op of the backward pass; null if
  /// its forward op is unknown, or if several have the number and it is unknown
  /// which it is.
  const attribution::Match *find(const profile::OpKey &key) const;

private:
  struct Forward {
    /// As returned by getPlainName().
    std::string name;
    const attribution::Match *match;
  };
  std::map<int64_t, std::vector<Forward>> bySequence;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_BACKWARDCALLS_H
