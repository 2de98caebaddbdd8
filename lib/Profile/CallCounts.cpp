//===- CallCounts.cpp - How often ops ran ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/CallCounts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <utility>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

llvm::StringRef profile::getFusedNames(llvm::StringRef op) {
  auto [before, names] = op.split("_fused_");
  if (names.empty() || before.contains("::"))
    return "";
  size_t number = names.rfind('_');
  uint64_t ignored;
  if (number != llvm::StringRef::npos &&
      !names.drop_front(number + 1).getAsInteger(10, ignored))
    names = names.take_front(number);
  return names;
}

namespace {

/// The positions of calls as a tree: an op is below the modules around it, and
/// the ops that it calls are below it. Calls at the same position share a node.
class CallPlaces {
public:
  explicit CallPlaces(const Profile &profile);

  /// Whether measurements are nested.
  bool hasNested = false;
  /// The place of an op key, or kNone.
  uint32_t get(uint32_t key) const {
    return placeOf.empty() ? kNone : placeOf[key];
  }
  /// Whether `owns` holds for a place around that of `key`.
  template <typename Owns>
  bool isWithin(uint32_t key, Owns &&owns) const {
    uint32_t place = get(key);
    if (place == kNone)
      return false;
    // A kernel has the place of the op that started it, and is within it.
    if (!isKernel[key])
      place = nodes[place].caller;
    for (; place != kNone; place = nodes[place].caller)
      if (owns(place))
        return true;
    return false;
  }

private:
  struct Node {
    /// The op around it, or kNone.
    uint32_t caller = kNone;
  };
  /// The node of `name` below `parent`; modules are not callers.
  uint32_t add(uint32_t parent, llvm::StringRef name, bool isModule);

  std::vector<Node> nodes;
  std::vector<uint32_t> placeOf;
  std::vector<bool> isKernel;
  llvm::StringMap<uint32_t> names;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> children;
};

} // namespace

uint32_t CallPlaces::add(uint32_t parent, llvm::StringRef name, bool isModule) {
  uint32_t number =
      names.try_emplace(name, uint32_t(names.size())).first->second;
  uint64_t key = uint64_t(parent) << 1 | uint64_t(isModule);
  auto [it, isNew] =
      children.try_emplace({key, number}, uint32_t(nodes.size()));
  if (isNew)
    nodes.push_back({isModule ? kNone : parent});
  return it->second;
}

/// The call of an op that has a name; null for other keys.
static const FrameworkCallKey *getNamedCall(const OpKey &key) {
  return key.op.empty() ? nullptr : key.getIf<FrameworkCallKey>();
}

CallPlaces::CallPlaces(const Profile &profile) {
  for (const OpKey &key : profile.opKeys)
    if (const auto *call = getNamedCall(key))
      hasNested |= !call->callers.empty() || !key.kernel.empty();
  if (!hasNested)
    return;
  placeOf.assign(profile.opKeys.size(), kNone);
  isKernel.assign(profile.opKeys.size(), false);
  for (auto [i, key] : llvm::enumerate(profile.opKeys)) {
    const FrameworkCallKey *call = getNamedCall(key);
    if (!call)
      continue;
    uint32_t module = kNone;
    for (const std::string &name : call->scope)
      module = add(module, name, /*isModule=*/true);
    // The outermost op is below the modules, and does not have a caller.
    uint32_t place = module;
    bool isOutermost = true;
    auto enter = [&](llvm::StringRef name) {
      place = add(place, name, /*isModule=*/false);
      if (std::exchange(isOutermost, false))
        nodes[place].caller = kNone;
    };
    for (const std::string &name : call->callers)
      enter(name);
    enter(key.op);
    placeOf[i] = place;
    isKernel[i] = !key.kernel.empty();
  }
}

std::vector<uint64_t>
profile::countCalls(const Profile &profile, llvm::ArrayRef<OpSummary> merged,
                    size_t owners,
                    llvm::function_ref<void(uint32_t, TakeOwners)> visit) {
  CallPlaces places(profile);
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> owned;
  auto forEach = [&](auto &&take) {
    for (const OpSummary &op : merged)
      if (!op.measurements.empty())
        visit(op.op, [&](llvm::ArrayRef<uint32_t> of) { take(op, of); });
  };
  if (places.hasNested)
    forEach([&](const OpSummary &op, llvm::ArrayRef<uint32_t> of) {
      if (places.get(op.op) == kNone || !profile.opKeys[op.op].kernel.empty())
        return;
      for (uint32_t owner : of)
        owned.insert({owner, places.get(op.op)});
    });

  std::vector<uint64_t> counts(owners);
  std::vector<uint64_t> kernels(owners);
  std::map<CallPhase, llvm::DenseMap<uint32_t, uint64_t>> later;
  forEach([&](const OpSummary &op, llvm::ArrayRef<uint32_t> of) {
    const OpKey &key = profile.opKeys[op.op];
    const auto *call = key.getIf<FrameworkCallKey>();
    CallPhase phase = call ? call->phase : CallPhase::Forward;
    bool isFused =
        call && phase == CallPhase::Forward && !getFusedNames(key.op).empty();
    for (uint32_t owner : of) {
      if (places.isWithin(op.op, [&](uint32_t place) {
            return owned.contains({owner, place});
          }))
        continue;
      if (isFused) {
        kernels[owner] = std::max(kernels[owner], op.getCount());
        continue;
      }
      uint64_t &count =
          phase == CallPhase::Forward ? counts[owner] : later[phase][owner];
      count = llvm::SaturatingAdd(count, op.getCount());
    }
  });
  for (size_t owner = 0; owner != owners; ++owner)
    if (counts[owner] == 0)
      counts[owner] = kernels[owner];
  for (auto &[phase, calls] : later)
    for (auto [owner, count] : calls)
      if (counts[owner] == 0)
        counts[owner] = count;
  return counts;
}
