//===- StoredAlignments.cpp - Profiles with changed modules ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/StaticCost.h"
#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::module;
using namespace mlirprof::profile;

/// Modules of one level share at least this part of their ops, by name: a model
/// in another dialect shares almost none.
static constexpr uint64_t kLeastCommonPercent = 30;

/// Factor for weights before they are split, so that small ones are split
/// evenly.
static constexpr uint64_t kWeightScale = 64;

struct StoredAlignments::Stored {
  mlir::OwningOpRef<mlir::Operation *> module;
  std::optional<Alignment> alignment;
};

StoredAlignments::StoredAlignments(const Profile &profile,
                                   mlir::Operation *root, llvm::StringRef shown)
    : profile(profile), root(root), shown(shown) {}

StoredAlignments::~StoredAlignments() = default;

/// Counts the ops that do work, by name. The body of a structured op is a part
/// of it.
static llvm::StringMap<uint64_t> countOps(mlir::Operation *root) {
  llvm::StringMap<uint64_t> counts;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (getStaticCost(op) == 0)
      return mlir::WalkResult::advance();
    ++counts[op->getName().getStringRef()];
    return mlir::WalkResult::skip();
  });
  return counts;
}

/// Whether two modules may be one level of one model.
static bool isOneLevel(mlir::Operation *a, mlir::Operation *b) {
  llvm::StringMap<uint64_t> mine = countOps(a), theirs = countOps(b);
  uint64_t common = 0, all = 0;
  for (const auto &entry : mine) {
    common += std::min(entry.second, theirs.lookup(entry.first()));
    all += entry.second;
  }
  uint64_t other = 0;
  for (const auto &entry : theirs)
    other += entry.second;
  uint64_t smaller = std::min(all, other);
  return smaller != 0 && common * 100 >= smaller * kLeastCommonPercent;
}

StoredAlignments::Stored &StoredAlignments::load(llvm::StringRef level,
                                                 llvm::StringRef program) {
  const IrModule *module = profile.findIrModule(level, program);
  std::unique_ptr<Stored> &stored = modules[module];
  if (stored)
    return *stored;
  stored = std::make_unique<Stored>();
  if (!module || module->fingerprint == shown)
    return *stored;
  if (!context)
    context = makeModuleContext();
  auto loaded = loadStoredModule(*module, *context);
  if (!loaded) {
    // Code that shows the stored module reports this. Here the module is not
    // evidence.
    llvm::consumeError(loaded.takeError());
    return *stored;
  }
  if (!isOneLevel(loaded->get(), root))
    return *stored;
  stored->module = std::move(*loaded);
  stored->alignment = alignModules(stored->module.get(), root, module->values);
  return *stored;
}

const Alignment *StoredAlignments::find(llvm::StringRef level,
                                        llvm::StringRef program) {
  Stored &stored = load(level, program);
  return stored.alignment ? &*stored.alignment : nullptr;
}

mlir::Operation *StoredAlignments::getModule(llvm::StringRef level,
                                             llvm::StringRef program) {
  return load(level, program).module.get();
}

/// Describes the evidence of a transferred match.
static std::string describe(const Match &match, PairEvidence weakest) {
  std::string text = "in a module that changed since, found by ";
  text += toString(weakest);
  return match.reason.empty() ? text : match.reason + "; " + text;
}

void module::transfer(Match &match, const Alignment &alignment) {
  if (match.matchClass == MatchClass::Unmatched || alignment.isIdentical)
    return;
  std::map<uint32_t, uint64_t> weights;
  bool isEqual = llvm::all_of(match.weights, [](uint64_t w) { return !w; });
  PairEvidence weakest = PairEvidence::Identical;
  uint64_t lost = 0;
  bool isContested = false;
  for (size_t i = 0; i != match.ops.size(); ++i) {
    uint64_t weight = isEqual ? 1 : match.weights[i];
    static const Counterpart none;
    const Counterpart &found = match.ops[i] < alignment.ops.size()
                                   ? alignment.ops[match.ops[i]]
                                   : none;
    // Programs and costs are below 2^48.
    weight = std::min(weight, uint64_t(1) << 48) * kWeightScale;
    if (found.ops.empty()) {
      lost = llvm::SaturatingAdd(lost, weight);
      isContested |= found.evidence == PairEvidence::Contested;
      continue;
    }
    weakest = std::max(weakest, found.evidence);
    for (uint32_t op : found.ops)
      weights[op] = llvm::SaturatingAdd(weights[op], weight / found.ops.size());
  }
  match.ops.clear();
  match.weights.clear();
  if (weights.empty()) {
    match = Match();
    match.tier = MatchTier::StructuralHash;
    match.reason =
        isContested ? "its op looks like others, of which this module, which "
                      "changed since, has fewer"
                    : "its op is not in this module, which changed since";
    return;
  }
  for (auto [op, weight] : weights) {
    match.ops.push_back(op);
    match.weights.push_back(weight);
  }
  match.lostWeight = lost;
  if (lost)
    match.reason =
        isContested ? "a part is of ops that look like others, of which this "
                      "module, which changed since, has fewer"
                    : "a part is of ops that are not in this module, which "
                      "changed since";
  else
    match.reason = describe(match, weakest);
  match.tier = MatchTier::StructuralHash;
  bool isOne = match.ops.size() == 1;
  if (isOne && !lost && match.matchClass != MatchClass::Partial)
    match.matchClass = MatchClass::Unique;
  else if (!isOne && match.matchClass == MatchClass::Unique)
    match.matchClass = MatchClass::Ambiguous;
}
