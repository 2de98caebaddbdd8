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

/// Finds the owners in recordings by `mlir-prof record` (op keys of the kinds
/// Code, Probe and Outside): the programs in the profile have the position of
/// each op in the module of a level, and the stored modules lead to its
/// counterpart in a module that changed since. If MatchOptions::level is empty,
/// the level is the first that the module fits, or the most similar one.
class RecordedMatcher : public KeyMatcher {
public:
  explicit RecordedMatcher(const MatchContext &context);

  attribution::Match match(uint32_t key) override;

private:
  const profile::Profile &profile;
  /// The ops in the module for the nodes of programs.
  attribution::NodeRows rows;
  /// By fingerprint of the program: the difference of the module from it, and
  /// the alignment of the stored module with the current one.
  llvm::StringMap<std::string> differences;
  llvm::StringMap<const module::Alignment *> alignments;
  std::optional<attribution::ProgramKeyMatcher> keys;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_RECORDED_IDENTITYTIER_H
