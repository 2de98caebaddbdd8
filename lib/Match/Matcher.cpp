//===- Matcher.cpp - Joining a profile with a module ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Match/Matcher.h"
#include "Matchers.h"
#include "OpRows.h"
#include "Recorded/LineMatcher.h"
#include "TensorFlow/NameJoin.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Profile/StoredModule.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <map>
#include <optional>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// The path style of this profile's producer, for users.
static PathStyle getStyle(const Profile &profile) {
  bool hasNodes = llvm::any_of(
      profile.opKeys, [](const OpKey &key) { return key.is<GraphNodeKey>(); });
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

KeyMatcher::~KeyMatcher() = default;

namespace {

/// The matchers of one module, each created for the first key of its kind.
class Matchers {
public:
  explicit Matchers(const MatchContext &context) : context(context) {}

  Match match(uint32_t key);
  /// Whether the match of a matched key is final.
  bool isSettled(uint32_t key) const {
    const KeyMatcher *matcher = ofKind[getKind(key)];
    return matcher && matcher->isSettled(key);
  }

private:
  size_t getKind(uint32_t key) const {
    return context.profile.opKeys[key].details.index();
  }

  MatchContext context;
  /// By the function that creates them: kinds may share one.
  std::map<MakeMatcher, std::unique_ptr<KeyMatcher>> made;
  /// By kind.
  std::array<KeyMatcher *, std::variant_size_v<KeyDetails>> ofKind = {};
};

} // namespace

/// Whether Matchers.def has exactly one line for each kind but UnknownKey:
/// without one, all keys of a kind would be unmatched, and called unknown.
static constexpr bool hasOneMatcherEach() {
  constexpr size_t kKinds[] = {
#define MLIRPROF_MATCHER(KIND, NAME) getKindIndex<KIND##Key>(),
#include "Matchers.def"
  };
  unsigned lines[std::variant_size_v<KeyDetails>] = {};
  for (size_t kind : kKinds)
    ++lines[kind];
  for (size_t kind = 0; kind != std::variant_size_v<KeyDetails>; ++kind)
    if (lines[kind] != (kind == getKindIndex<UnknownKey>() ? 0 : 1))
      return false;
  return true;
}
static_assert(hasOneMatcherEach());

/// By kind; null if the keys are unknown.
static MakeMatcher findMatcher(size_t kind) {
  static const auto makers = [] {
    std::array<MakeMatcher, std::variant_size_v<KeyDetails>> makers = {};
#define MLIRPROF_MATCHER(KIND, NAME)                                           \
  makers[getKindIndex<KIND##Key>()] = matcher::NAME;
#include "Matchers.def"
    return makers;
  }();
  return makers[kind];
}

Match Matchers::match(uint32_t key) {
  size_t kind = getKind(key);
  if (LLVM_LIKELY(ofKind[kind]))
    return ofKind[kind]->match(key);
  MakeMatcher make = findMatcher(kind);
  if (!make) {
    Match match;
    match.reason = "this version does not know this kind of op key";
    return match;
  }
  std::unique_ptr<KeyMatcher> &matcher = made[make];
  if (!matcher)
    matcher = make(context);
  ofKind[kind] = matcher.get();
  return matcher->match(key);
}

/// Whether `mlir-prof record` measured it: then it is found by identity, in the
/// displayed module.
static bool isRecorded(const OpKey &key) {
  return isOfProgram(key) || key.is<OutsideKey>();
}

/// Sets the matches of the keys for which isRecorded() is `recorded`, or of
/// all.
static void matchKeys(const MatchContext &context, std::optional<bool> recorded,
                      std::vector<Match> &matches) {
  const Profile &profile = context.profile;
  Matchers matchers(context);
  for (uint32_t key = 0; key != profile.opKeys.size(); ++key)
    if (!recorded || isRecorded(profile.opKeys[key]) == *recorded)
      matches[key] = matchers.match(key);
  // Keys that no matcher could place may still be named in the module's own
  // words.
  if (recorded != true)
    NameJoin(context.index, context.resolver, context.lines, profile)
        .run([&](uint32_t key) { return matchers.isSettled(key); }, matches);
}

/// Matches keys that were imported with a module with that one, and transfers
/// the matches to the displayed one.
static void matchThrough(mlir::Operation *module, const Alignment &alignment,
                         const Profile &profile, const MatchOptions &options,
                         StoredAlignments &stored,
                         llvm::ArrayRef<bool> isOfStored,
                         std::vector<Match> &matches) {
  ModuleIndex index(module);
  PathResolver resolver(index);
  LineMatcher lines(index);
  std::vector<Match> found(matches.size());
  matchKeys({index, resolver, lines, profile, options, stored},
            /*recorded=*/false, found);
  for (auto [key, isOf, own, match] :
       llvm::zip_equal(profile.opKeys, isOfStored, found, matches)) {
    if (isRecorded(key) || !isOf)
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
  LineMatcher lines(index);
  Ownership result;
  result.matches.resize(profile.opKeys.size());
  llvm::StringRef level =
      options.level.empty() ? llvm::StringRef("input") : options.level;
  bool isImported = !llvm::all_of(profile.opKeys, isOfProgram);
  const Alignment *alignment = isImported ? stored.find(level, "") : nullptr;
  llvm::SmallVector<bool, 0> isOfStored;
  llvm::append_range(isOfStored, findKeysOfStoredModule(profile));
  bool isOnlyOfStored = alignment && !llvm::is_contained(isOfStored, false);
  matchKeys({index, resolver, lines, profile, options, stored},
            isOnlyOfStored ? std::optional(true) : std::nullopt,
            result.matches);
  if (alignment)
    matchThrough(stored.getModule(level, ""), *alignment, profile, options,
                 stored, isOfStored, result.matches);
  if (options.rows == MatchRows::Described)
    result.ops = describeOps(index, resolver, getStyle(profile));
  else
    result.ops.resize(index.size());
  addCosts(index, options.rows, result);
  return result;
}
