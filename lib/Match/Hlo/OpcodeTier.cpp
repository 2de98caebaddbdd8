//===- OpcodeTier.cpp - Narrowing by kind of op ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiers.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// The reference's comparison: XLA's opcode equals the op's name, except for
/// '-'.
bool isSpelledAlike(StringRef opcode, StringRef opName) {
  StringRef name = opName.contains('.') ? opName.split('.').second : opName;
  if (opcode == "dot")
    return name == "dot_general" || name == "dot";
  if (opcode == "broadcast")
    return name == "broadcast_in_dim" || name == "broadcast";
  if (opcode.size() != name.size())
    return false;
  for (size_t i = 0; i < name.size(); ++i)
    if (name[i] != (opcode[i] == '-' ? '_' : opcode[i]))
      return false;
  return true;
}

/// Drops ops within another candidate, which is meant instead: the body of a
/// reduction carries the reduction's name.
void dropNested(const ModuleIndex &index, OwnerCandidates &candidates) {
  uint32_t end = 0;
  uint32_t last = kNone;
  keepSome(candidates, [&](const OwnerCandidate &candidate) {
    if (candidate.op == last)
      return true;
    if (candidate.op < end)
      return false;
    last = candidate.op;
    end = index[candidate.op].end;
    return true;
  });
}

} // namespace

static void narrow(const ModuleIndex &index, const HloEvidence &evidence,
                   MatchRule rule, OwnerCandidates &candidates) {
  StringRef opcode = evidence.instruction.opcode;
  auto isAlike = [&](const OwnerCandidate &candidate) {
    return isSpelledAlike(opcode, index.getOpName(candidate.op));
  };
  if (rule == MatchRule::Reference) {
    keepSome(candidates, isAlike);
    return;
  }
  dropNested(index, candidates);
  auto isAlikeAndWorks = [&](const OwnerCandidate &candidate) {
    return isAlike(candidate) && doesWork(index[candidate.op].op);
  };
  if (llvm::any_of(candidates, isAlikeAndWorks)) {
    keepSome(candidates, isAlikeAndWorks);
    return;
  }
  if (llvm::any_of(candidates, isAlike)) {
    keepSome(candidates, isAlike);
    return;
  }
  keepSome(candidates, [&](const OwnerCandidate &candidate) {
    return doesWork(index[candidate.op].op);
  });
  keepSome(candidates, [&](const OwnerCandidate &candidate) {
    return isKind(opcode, index[candidate.op].op);
  });
}

NarrowingTier tier::Opcode() {
  return {attribution::MatchTier::Opcode, narrow};
}
