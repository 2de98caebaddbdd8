//===- FrameTier.cpp - Narrowing by source position -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiers.h"

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;

static void narrow(const ModuleIndex &index, const HloEvidence &evidence,
                   MatchRule rule, OwnerCandidates &candidates) {
  uint32_t number = evidence.instruction.frame;
  if (number == 0 || number > evidence.module.frames.size())
    return;
  const SourceFrame &source = evidence.module.frames[number - 1];
  Frame frame = {source.file, source.line, source.column};
  keepSome(candidates, [&](const OwnerCandidate &candidate) {
    return candidate.frame == frame;
  });
}

NarrowingTier tier::Frame() {
  return {attribution::MatchTier::SourceFrame, narrow};
}
