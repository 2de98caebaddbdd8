//===- Tiers.h - Narrowing ops of one name ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_TIERS_H
#define MLIR_PROF_LIB_MATCH_HLO_TIERS_H

#include "PathTier.h"
#include "mlir-prof/Match/Matcher.h"

namespace mlirprof::match {

/// The instruction whose op is searched among candidates.
struct HloEvidence {
  const profile::HloModule &module;
  const profile::HloInstruction &instruction;
};

/// A tier examines candidates that the better tiers left. It keeps those that
/// agree with the evidence, or all if none does.
struct NarrowingTier {
  attribution::MatchTier tier;
  void (*narrow)(const module::ModuleIndex &index, const HloEvidence &evidence,
                 MatchRule rule, OwnerCandidates &candidates);
};

/// The narrowing tiers, best first. Adding one takes a file and a line in
/// Tiers.def.
llvm::ArrayRef<NarrowingTier> getNarrowingTiers();

namespace tier {
#define MLIRPROF_NARROWING_TIER(NAME) NarrowingTier NAME();
#include "Tiers.def"
} // namespace tier

/// Number of different ops among `candidates`, which are sorted by op.
size_t countOps(const OwnerCandidates &candidates);

/// Keeps the candidates for which `keep` holds; returns whether that left some
/// but not all ops. Does not change anything if none would be left.
bool keepSome(OwnerCandidates &candidates,
              llvm::function_ref<bool(const OwnerCandidate &)> keep);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_TIERS_H
