//===- Matcher.h - Joining a profile with a module --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MATCH_MATCHER_H
#define MLIR_PROF_MATCH_MATCHER_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir/IR/Operation.h"

namespace mlirprof::module {
class StoredAlignments;
} // namespace mlirprof::module

namespace mlirprof::match {

enum class MatchRule : uint8_t {
  /// All tiers.
  Best,
  /// Only names, frames, opcodes and shapes, as the reference in
  /// utils/recordings defines them; for comparison.
  Reference,
};

/// The facts that match() returns for every op of the module in addition to its
/// number.
enum class MatchRows : uint8_t {
  /// All of MlirOp.
  Described,
  /// Only the costs of ops that own something: for large modules whose ops are
  /// not shown.
  Costs,
};

struct MatchOptions {
  MatchRule rule = MatchRule::Best;
  MatchRows rows = MatchRows::Described;
  /// For recordings by `mlir-prof record`: the level of the module. Empty: the
  /// first that it fits.
  std::string level = {};
  /// Fingerprint of the stored module that the module was loaded from, or "".
  std::string stored = {};
};

/// Finds the ops of `root` (a module) that own each op key of `profile`. Works
/// on any dialect, registered or not; does not change `root`. Op keys of
/// recordings by `mlir-prof record` are found by identity, see
/// Attribution/ProgramMatch.h.
attribution::Ownership matchProfile(const profile::Profile &profile,
                                    mlir::Operation *root,
                                    const MatchOptions &options = {});

/// The same, for callers that also need the alignments.
attribution::Ownership matchProfile(const profile::Profile &profile,
                                    mlir::Operation *root,
                                    const MatchOptions &options,
                                    module::StoredAlignments &stored);

} // namespace mlirprof::match

#endif // MLIR_PROF_MATCH_MATCHER_H
