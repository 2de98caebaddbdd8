//===- Matcher.cpp - Joins a profile with a module ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Match/Matcher.h"
#include "Hlo/HloMatcher.h"
#include "Iree/DispatchMatcher.h"
#include "Onnx/OnnxMatcher.h"
#include "OpRows.h"
#include "Recorded/IdentityTier.h"
#include "Recorded/LineMatcher.h"
#include "TensorFlow/NameJoin.h"
#include "TensorFlow/NodeMatcher.h"
#include "Torch/CallMatcher.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Profile/Dispatch.h"
#include "mlir-prof/Profile/StoredModule.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// The style in which this profile's producer writes paths, for people.
static PathStyle getStyle(const Profile &profile) {
  bool hasNodes = llvm::any_of(profile.opKeys, [](const OpKey &key) {
    return key.kind == OpKeyKind::FrameworkNode;
  });
  return hasNodes ? PathStyle::Graph : PathStyle::Xla;
}

static void addCosts(const ModuleIndex &index, MatchRows rows,
                     Ownership &ownership) {
  if (rows == MatchRows::Described)
    for (uint32_t i = 0; i < index.size(); ++i)
      ownership.ops[i].cost = getStaticCost(index[i].op);
  for (Match &match : ownership.matches) {
    bool needsWeights = match.weights.empty();
    for (uint32_t op : match.ops) {
      uint64_t &cost = ownership.ops[op].cost;
      if (rows == MatchRows::Costs && cost == 0)
        cost = getStaticCost(index[op].op);
      if (needsWeights)
        match.weights.push_back(cost);
    }
  }
}

/// Owners of what programs that know nothing of MLIR measured, by the names,
/// places, shapes and order that they tell.
static void matchImported(const ModuleIndex &index, PathResolver &resolver,
                          const Profile &profile, const MatchOptions &options,
                          std::vector<Match> &matches) {
  NodeMatcher nodes(index, resolver, profile.opKeys);
  HloMatcher instructions(index, resolver, profile, options);
  CallMatcher calls(index, profile);
  OnnxMatcher onnxNodes(index, profile);
  DispatchMatcher dispatches(index, profile);
  LineMatcher lines(index);
  for (auto [number, key, match] : llvm::enumerate(profile.opKeys, matches)) {
    if (key.kind == OpKeyKind::FrameworkNode)
      match = nodes.match(key);
    else if (key.kind == OpKeyKind::HloInstruction)
      match = instructions.match(key);
    else if (std::vector<SourcePosition> chain = getSourceChain(key);
             !chain.empty())
      match = lines.match(chain);
    else if (isDispatch(key))
      match = dispatches.match(key);
    else if (key.kind == OpKeyKind::FrameworkCall)
      match = calls.match(uint32_t(number));
    else if (key.kind == OpKeyKind::OnnxNode)
      match = onnxNodes.match(key);
  }
  NameJoin(index, resolver, lines, profile).run(nodes, matches);
}

/// Matches keys that were imported with a module with that one, and hands them
/// on to the one that is shown.
static void matchThrough(mlir::Operation *stored, const Alignment &alignment,
                         const Profile &profile, const MatchOptions &options,
                         llvm::ArrayRef<bool> isOfStored,
                         std::vector<Match> &matches) {
  ModuleIndex index(stored);
  PathResolver resolver(index);
  std::vector<Match> found = matches;
  matchImported(index, resolver, profile, options, found);
  for (auto [key, isOf, own, match] :
       llvm::zip_equal(profile.opKeys, isOfStored, found, matches)) {
    if (isOfProgram(key) || !isOf)
      continue;
    match = std::move(own);
    if (match.weights.empty())
      for (uint32_t op : match.ops)
        match.weights.push_back(getStaticCost(index[op].op));
    transfer(match, alignment);
  }
}

Ownership match::matchProfile(const Profile &profile, mlir::Operation *root,
                              const MatchOptions &options) {
  StoredAlignments stored(profile, root, options.stored);
  return matchProfile(profile, root, options, stored);
}

Ownership match::matchProfile(const Profile &profile, mlir::Operation *root,
                              const MatchOptions &options,
                              StoredAlignments &stored) {
  ModuleIndex index(root);
  PathResolver resolver(index);
  Ownership result;
  result.matches = matchByIdentity(index, profile, options.level, stored);
  llvm::StringRef level =
      options.level.empty() ? llvm::StringRef("input") : options.level;
  bool isImported = !llvm::all_of(profile.opKeys, isOfProgram);
  const Alignment *alignment = isImported ? stored.find(level, "") : nullptr;
  llvm::SmallVector<bool, 0> isOfStored;
  llvm::append_range(isOfStored, findKeysOfStoredModule(profile));
  if (!alignment || llvm::is_contained(isOfStored, false))
    matchImported(index, resolver, profile, options, result.matches);
  if (alignment)
    matchThrough(stored.getModule(level, ""), *alignment, profile, options,
                 isOfStored, result.matches);
  if (options.rows == MatchRows::Described)
    result.ops = describeOps(index, resolver, getStyle(profile));
  else
    result.ops.resize(index.size());
  addCosts(index, options.rows, result);
  return result;
}
