//===- CallMatcher.h - A framework's calls to ops ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_CALLMATCHER_H
#define MLIR_PROF_LIB_MATCH_TORCH_CALLMATCHER_H

#include "../KeyMatcher.h"
#include "../SequenceAlign.h"
#include "GraphReplays.h"
#include "LoweredCalls.h"
#include "mlir-prof/Attribution/Ownership.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <optional>

namespace mlirprof::match {

/// Matches the ops that a framework ran one by one (FrameworkCallKey). The
/// recording does not name nodes of the module; but the ops of one call of the
/// model run in the module's order. So the calls below the outermost module, or
/// of one step, are aligned with the calls of the module by name, with shapes
/// and source functions as further evidence. An op's own callees belong to the
/// same op of the module.
class CallMatcher : public KeyMatcher {
public:
  CallMatcher(const module::ModuleIndex &index,
              const profile::Profile &profile);

  attribution::Match match(uint32_t key) override {
    return std::move(matches[key]);
  }

private:
  /// An alignment of calls with those of the module as one sequence.
  struct Attempt {
    std::vector<uint32_t> units;
    /// For each unit, the module's call, or kNone.
    std::vector<uint32_t> pairs;
    /// For each unit, the calls that fit equally well.
    std::vector<EquallyGood> equallyGood;
    /// For each unit, its ops, if calls became several.
    std::vector<LoweredCalls::Share> shares;
    /// Number of found parts of the module: calls, or their ops.
    size_t found = 0;

    /// Whether some units were too many to be compared.
    bool isLimited() const {
      return llvm::any_of(shares, [](const LoweredCalls::Share &share) {
        return !share.reason.empty();
      });
    }
    size_t countPaired() const {
      return pairs.size() - size_t(llvm::count(pairs, trace::kNone));
    }
  };

  void setModuleCalls(std::vector<ModuleCall> found, bool areLowered);
  /// Sets the match of `unit` and of everything that it called.
  void give(uint32_t unit, const attribution::Match &match);
  void matchByGraphNode();
  void leaveCasts();
  void copyToRepetitions();
  void matchBackward();
  void copyToDevices();
  void matchReplays(llvm::ArrayRef<GraphReplay> replays);
  void explainRest();

  //===--------------------------------------------------------------------===//
  // CallOrder.cpp: aligning calls with the module as a sequence

  void matchInOrder();
  Attempt findModel(llvm::ArrayRef<uint32_t> all) const;
  void tryLowered(llvm::ArrayRef<uint32_t> all, Attempt &best);
  Attempt tryAlign(llvm::ArrayRef<uint32_t> roots) const;
  std::vector<uint32_t> pairUp(llvm::ArrayRef<uint32_t> units,
                               std::vector<EquallyGood> *equallyGood) const;
  uint32_t getScore(uint32_t unit, uint32_t call) const;
  bool areContrary(uint32_t unit, uint32_t call) const;
  bool doShapesCount(const Attempt &attempt) const;
  void pairByShapes(Attempt &attempt) const;
  attribution::Match getMatch(const Attempt &attempt, uint32_t unit) const;
  attribution::Match getLoweredMatch(uint32_t unit,
                                     const LoweredCalls::Share &share) const;
  size_t countParts() const;
  void keep(Attempt &attempt);
  void keepLowered(const Attempt &attempt);
  attribution::MatchTier getTier(const Attempt &attempt, uint32_t unit) const;

  const module::ModuleIndex &index;
  const profile::Profile &profile;
  FrameworkCalls calls;
  /// Each call became several ops of the module.
  bool isLowered = false;
  /// Whether shapes belong to this model: those that do not agree are evidence.
  bool knowsShapes = false;
  /// Whether the recording has kernels that a compiler made.
  bool isCompiled = false;
  std::vector<ModuleCall> moduleCalls;
  /// For moduleCalls, if they are lowered. Caches its look-ups.
  mutable std::optional<LoweredCalls> lowered;
  llvm::StringSet<> moduleNames;
  std::vector<attribution::Match> matches;
  std::vector<char> isDone;
  /// By call, see findCasts().
  llvm::BitVector casts;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_CALLMATCHER_H
