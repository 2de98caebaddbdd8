//===- IdentityTier.h - Ops of compiled programs ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_RECORDED_IDENTITYTIER_H
#define MLIR_PROF_LIB_MATCH_RECORDED_IDENTITYTIER_H

#include "../KeyMatcher.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace mlirprof::match {

/// Finds the owners of what recordings of our own measured (op keys of the
/// kinds Code, Probe and Outside): the programs in the profile say at which
/// position of the module of a level each op stands, and the stored modules
/// what that op is in a module that changed since. MatchOptions::level may be
/// empty: then it is the first that the module fits, or the one it is most
/// like.
class RecordedMatcher : public KeyMatcher {
public:
  explicit RecordedMatcher(const MatchContext &context);

  attribution::Match match(uint32_t key) override;

private:
  const profile::Profile &profile;
  /// What the nodes of programs are in the module.
  attribution::NodeRows rows;
  /// By fingerprint of the program: how the module differs from it, and how the
  /// stored one became the one at hand.
  llvm::StringMap<std::string> differences;
  llvm::StringMap<const module::Alignment *> alignments;
  std::optional<attribution::ProgramKeyMatcher> keys;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_RECORDED_IDENTITYTIER_H
