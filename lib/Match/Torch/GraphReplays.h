//===- GraphReplays.h - Replayed graphs of work to ops ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_GRAPHREPLAYS_H
#define MLIR_PROF_LIB_MATCH_TORCH_GRAPHREPLAYS_H

#include "TorchOps.h"
#include "mlir-prof/Attribution/Ownership.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::match {

/// The pieces of work of one graph that a device replays, as indices into
/// Profile::opKeys, in order. No op is around their launch: only their names
/// and order tell from which ops they were captured.
using GraphReplay = std::vector<uint32_t>;

/// The graphs in a profile.
std::vector<GraphReplay> findReplays(const profile::Profile &profile);

/// Matches graphs with the calls of a module.
class ReplayMatcher {
public:
  /// Matches a profile of calls with the module.
  using MatchCalls = llvm::function_ref<std::vector<attribution::Match>(
      const profile::Profile &calls)>;

  ReplayMatcher(const profile::Profile &profile,
                llvm::ArrayRef<ModuleCall> moduleCalls)
      : profile(profile), moduleCalls(moduleCalls) {}

  /// The matches of the pieces of work of `replay`. A graph with kernels that a
  /// compiler made is matched as the calls that would have launched these
  /// (`matchCalls`); one of an eager model by names and order.
  std::vector<attribution::Match> match(const GraphReplay &replay,
                                        MatchCalls matchCalls) const;

private:
  std::vector<attribution::Match> matchCompiled(const GraphReplay &replay,
                                                MatchCalls matchCalls) const;
  std::vector<attribution::Match> matchEager(const GraphReplay &replay) const;
  std::string getCallName(llvm::StringRef kernel) const;
  uint32_t getScore(llvm::StringRef kernel, const ModuleCall &call) const;

  const profile::Profile &profile;
  llvm::ArrayRef<ModuleCall> moduleCalls;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_GRAPHREPLAYS_H
