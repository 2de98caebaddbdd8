//===- Aligner.cpp - Finds counterparts step by step ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stale profiles are matched in BOLT by hashes of blocks with their neighbors,
// from strict to loose (Ayupov, Panchenko, Pupyrev: Stale Profile Matching, CC
// 2024), syntax trees by identical subtrees from the largest and then what is
// around them (Falleri et al.: GumTree, ASE 2014). Here nodes are ops, and what
// has a counterpart becomes an anchor: the hashes of all others start from it.
//
//===----------------------------------------------------------------------===//

#include "Aligner.h"
#include "Votes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::align;

/// Rounds in which new anchors make other nodes unique. Each but the last pairs
/// something, most do in two or three.
static constexpr unsigned kMaxRounds = 32;

/// Ops that share the time of one whose counterpart is not known.
static constexpr size_t kMostShared = 64;

/// By how much more must hang together to be the better evidence, and how much
/// more the evidence counts that a name or operands agree with.
static constexpr uint32_t kClearly = 2;
static constexpr uint32_t kStrongly = 8;

/// Users of a value that are compared, each with each.
static constexpr size_t kMostUsers = 64;

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

void Aligner::pair(uint32_t from, uint32_t to, PairEvidence by) {
  before.partner[from] = to;
  after.partner[to] = from;
  before.isOpen[from] = after.isOpen[to] = false;
  before.anchors[from] = after.anchors[to] = combine(0x616E63686F72, from) | 1;
  evidence[from] = by;
}

std::vector<Class> Aligner::group(KeyOf getKey) const {
  std::vector<Class> classes;
  llvm::DenseMap<Hash, uint32_t> numbers;
  auto add = [&](const Side &side, auto member) {
    for (uint32_t node = 0; node != side.features.size(); ++node) {
      Hash key = side.isOpen[node] ? getKey(side, node) : 0;
      if (key == 0)
        continue;
      // The map keeps the largest two for itself.
      auto [place, isNew] =
          numbers.try_emplace(key >> 1, uint32_t(classes.size()));
      if (isNew)
        classes.emplace_back();
      (classes[place->second].*member).push_back(node);
    }
  };
  add(before, &Class::before);
  add(after, &Class::after);
  llvm::erase_if(classes, [](const Class &c) {
    return c.before.empty() || c.after.empty();
  });
  return classes;
}

bool Aligner::areContrary(uint32_t from, uint32_t to) const {
  Kinship kinship = before.kin.compare(from, after.kin, to);
  if (kinship == Kinship::Other)
    return true;
  if (mayBeContrary)
    return false;
  if (kinship == Kinship::Mixed)
    return true;
  auto areOther = [](Hash mine, Hash theirs) {
    return mine && theirs && mine != theirs;
  };
  auto haveOtherValues = [&](uint32_t mine, uint32_t theirs) {
    return haveSameValues &&
           areOther(before.constants[mine], after.constants[theirs]);
  };
  if (haveOtherValues(from, to))
    return true;
  // It serves the same weights, whatever it is computed from.
  if (kinship == Kinship::Same)
    return false;
  for (auto [mine, theirs] : llvm::zip(before.features.getOperands(from),
                                       after.features.getOperands(to)))
    if (haveOtherValues(mine.node, theirs.node) ||
        (!before.features.isConstant[mine.node] &&
         areOther(before.anchors[mine.node], after.anchors[theirs.node])))
      return true;
  return false;
}

Aligner::Unique Aligner::findUnique(KeyOf getKey) const {
  Unique unique(before.features.size(), kNone);
  for (const Class &c : group(getKey))
    if (c.before.size() == 1 && c.after.size() == 1 &&
        !areContrary(c.before.front(), c.after.front()))
      unique[c.before.front()] = c.after.front();
  return unique;
}

size_t Aligner::pairUnique(KeyOf getKey, PairEvidence by) {
  size_t count = 0;
  for (auto [from, to] : llvm::enumerate(findUnique(getKey)))
    if (to != kNone) {
      pair(uint32_t(from), to, by);
      ++count;
    }
  return count;
}

//===----------------------------------------------------------------------===//
// Modules with the same ops in the same order
//===----------------------------------------------------------------------===//

/// Whether values or names tell that ops of one kind have changed places: one
/// that is new where it is, and was elsewhere before.
static bool hasMoved(const Side &before, const Side &after,
                     const std::vector<Hash> Features::*what) {
  llvm::DenseMap<Hash, uint32_t> places;
  const std::vector<Hash> &old = before.features.*what;
  const std::vector<Hash> &now = after.features.*what;
  auto getKey = [&](Hash value, uint32_t node) {
    return combine(value, before.features.label[node]) >> 1;
  };
  for (uint32_t node = 0; node != old.size(); ++node)
    if (old[node])
      ++places[getKey(old[node], node)];
  for (uint32_t node = 0; node != now.size(); ++node)
    if (now[node] && now[node] != old[node] &&
        places.lookup(getKey(now[node], node)) == 1)
      return true;
  return false;
}

bool Aligner::isIdentical() const {
  const Features &a = before.features, &b = after.features;
  if (a.ops != b.ops || a.label != b.label || a.parent != b.parent)
    return false;
  for (uint32_t node = 0; node != a.ops; ++node)
    if (!llvm::equal(a.getOperands(node), b.getOperands(node),
                     [](const Edge &x, const Edge &y) {
                       return x.node == y.node && x.port == y.port;
                     }))
      return false;
  if (hasMoved(before, after, &Features::content))
    return false;
  // Names that were all given anew tell nothing; the same names elsewhere do.
  Colors namesBefore = a.name, namesAfter = b.name;
  llvm::sort(namesBefore);
  llvm::sort(namesAfter);
  return namesBefore != namesAfter || !hasMoved(before, after, &Features::name);
}

void Aligner::pairInOrder() {
  for (uint32_t node = 0; node != before.features.size(); ++node)
    pair(node, node, PairEvidence::Identical);
}

//===----------------------------------------------------------------------===//
// Evidence, the strongest first
//===----------------------------------------------------------------------===//

/// The modules, and the functions of one name.
void Aligner::pairFunctions() {
  pair(0, 0, PairEvidence::Identical);
  auto isSymbol = [](const Side &side, uint32_t node) {
    return side.features.isOp(node) && side.features.parent[node] == 0;
  };
  pairUnique(
      [&](const Side &side, uint32_t node) {
        return isSymbol(side, node)
                   ? combine(side.features.kind[node], side.features.name[node])
                   : 0;
      },
      PairEvidence::Name);
  pairUnique(
      [&](const Side &side, uint32_t node) {
        return isSymbol(side, node) ? side.features.kind[node] : 0;
      },
      PairEvidence::Surroundings);
}

/// Whether names or values tell that what uses the argument `from` is not what
/// uses `to`.
static bool haveOtherUsers(const Side &before, const Side &after, uint32_t from,
                           uint32_t to) {
  return llvm::any_of(before.features.getUsers(from), [&](const Edge &mine) {
    uint32_t partner = before.partner[mine.node];
    return partner != kNone &&
           llvm::none_of(after.features.getUsers(to), [&](const Edge &theirs) {
             return theirs.node == partner;
           });
  });
}

/// The arguments of a function, when all are of the same types in order.
void Aligner::pairArguments() {
  auto collect = [](const Side &side) {
    llvm::DenseMap<uint32_t, std::vector<uint32_t>> arguments;
    for (uint32_t node = side.features.ops; node != side.features.size();
         ++node)
      if (side.features.parent[side.features.parent[node]] == 0)
        arguments[side.features.parent[node]].push_back(node);
    return arguments;
  };
  auto mine = collect(before), theirs = collect(after);
  for (auto &[function, arguments] : mine) {
    uint32_t partner = before.partner[function];
    auto found = theirs.find(partner);
    if (partner == kNone || found == theirs.end() ||
        !llvm::equal(arguments, found->second, [&](uint32_t a, uint32_t b) {
          return before.features.label[a] == after.features.label[b] &&
                 before.features.name[a] == after.features.name[b] &&
                 !haveOtherUsers(before, after, a, b);
        }))
      continue;
    for (auto [from, to] : llvm::zip_equal(arguments, found->second))
      pair(from, to, PairEvidence::Structure);
  }
}

void Aligner::pairByConstants() {
  size_t count = pairUnique(
      [](const Side &side, uint32_t node) { return side.constants[node]; },
      PairEvidence::Constants);
  haveSameValues = count != 0;
}

/// Names that both modules have alike tell what moved. Where layers came or
/// went they may have been numbered anew, and structure comes first.
void Aligner::pairByNames() {
  auto getKey = [](const Side &side, uint32_t node) {
    return side.features.getNamed(side.features.label, node);
  };
  auto collect = [&](const Side &side) {
    Colors keys;
    for (uint32_t node = 0; node != side.features.size(); ++node)
      if (!side.features.isConstant[node])
        keys.push_back(getKey(side, node));
    llvm::sort(keys);
    keys.erase(keys.begin(), llvm::upper_bound(keys, Hash(0)));
    return keys;
  };
  // Whoever was found by values and has another name was numbered anew.
  for (uint32_t node = 0; node != before.features.size(); ++node)
    if (evidence[node] == PairEvidence::Constants &&
        before.features.name[node] !=
            after.features.name[before.partner[node]]) {
      areNumberedAnew = true;
      return;
    }
  if (collect(before) == collect(after))
    pairUnique(getKey, PairEvidence::Name);
}

/// Whether all values that an op uses, constants aside, come from anchors.
static bool isComputedFromAnchors(const Side &side, uint32_t node) {
  bool isAny = false;
  for (const Edge &edge : side.features.getOperands(node)) {
    if (side.features.isConstant[edge.node])
      continue;
    isAny = true;
    if (!side.anchors[edge.node])
      return false;
  }
  return isAny;
}

/// For each node with a partner how many nodes hang together with it that have
/// one.
static std::vector<uint32_t> countSupport(const Features &features,
                                          llvm::ArrayRef<uint32_t> partners) {
  llvm::EquivalenceClasses<uint32_t> groups;
  for (uint32_t node = 0; node != features.size(); ++node) {
    if (partners[node] == kNone)
      continue;
    groups.insert(node);
    for (const Edge &edge : features.getOperands(node))
      if (partners[edge.node] != kNone)
        groups.unionSets(node, edge.node);
  }
  llvm::DenseMap<uint32_t, uint32_t> sizes;
  for (uint32_t node = 0; node != features.size(); ++node)
    if (partners[node] != kNone)
      ++sizes[groups.getLeaderValue(node)];
  std::vector<uint32_t> support(features.size());
  for (uint32_t node = 0; node != features.size(); ++node)
    if (partners[node] != kNone)
      support[node] = sizes[groups.getLeaderValue(node)];
  return support;
}

/// Pairs what is unique in all above it or in all below it, between anchors.
/// Where these two point to different ops a name decides; without one, both are
/// equally good. Says how many it paired.
size_t Aligner::pairByStructure() {
  // What nothing is computed from (arguments, constants, empty tensors) is told
  // by its users alone: they go first.
  auto find = [&](auto compute) {
    BothColors colors = color([&](const Side &side) {
      return compute(side.features, side.features.label, side.anchors);
    });
    return findUnique([&](const Side &side, uint32_t node) -> Hash {
      return side.features.getOperands(node).empty()
                 ? 0
                 : colors.get(*this, side, node);
    });
  };
  up = find(colorUp);
  down = find(colorDown);
  Unique named = findUnique([&](const Side &side, uint32_t node) -> Hash {
    return areNumberedAnew ? 0
                           : side.features.getNamed(side.features.label, node);
  });
  Unique namedBack(after.features.size(), kNone);
  for (auto [from, to] : llvm::enumerate(named))
    if (to != kNone)
      namedBack[to] = uint32_t(from);
  auto isNamedOtherwise = [&](uint32_t from, uint32_t to) {
    return (named[from] != kNone && named[from] != to) ||
           (namedBack[to] != kNone && namedBack[to] != from);
  };
  // Most nodes that have a pointer have two, to different ops: layers alike.
  size_t tied = 0, oneSided = 0;
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    tied += isTied(node);
    oneSided += (up[node] == kNone) != (down[node] == kNone);
  }
  bool isContested = tied > oneSided;
  // A whole layer says more than one op that looks like another.
  std::vector<uint32_t> ofUp = countSupport(before.features, up);
  std::vector<uint32_t> ofDown = countSupport(before.features, down);
  Votes votes;
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    auto add = [&](uint32_t to, uint32_t support) {
      bool isNamed = to != kNone && to == named[node];
      votes.add(node, to, support * (isNamed ? kStrongly : 1));
    };
    // An op whose operands all have counterparts is what computes the same.
    bool isSure = isComputedFromAnchors(before, node);
    // Where layers look alike one side alone is no evidence against a name:
    // those that both sides speak for decide first.
    uint32_t only = up[node] == kNone ? down[node] : up[node];
    bool isOneSided = up[node] == kNone || down[node] == kNone;
    if (isContested && isOneSided && !isSure && only != kNone &&
        isNamedOtherwise(node, only))
      continue;
    add(up[node], ofUp[node] * (isSure ? kStrongly : 1));
    add(down[node], ofDown[node]);
  }
  size_t count = 0;
  for (auto [from, to] : votes.elect(/*least=*/1, kClearly)) {
    pair(from, to, PairEvidence::Structure);
    ++count;
  }
  return count;
}

bool Aligner::isTied(uint32_t node) const {
  return up[node] != kNone && down[node] != kNone && up[node] != down[node];
}

/// What pairByStructure could not decide in the end nothing weaker does.
void Aligner::sharePointedTo() {
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    if (!before.isOpen[node])
      continue;
    for (uint32_t to : {up[node], down[node]})
      if (to != kNone && after.isOpen[to] &&
          !llvm::is_contained(shared[node], to))
        shared[node].push_back(to);
    if (shared[node].empty())
      continue;
    evidence[node] = PairEvidence::Ambiguous;
    before.isOpen[node] = false;
  }
}

/// Lets the counterparts of an op's neighbors name its own.
size_t Aligner::pairBySurroundings() {
  Votes votes;
  auto isSame = [&](uint32_t from, uint32_t to) {
    return before.isOpen[from] && after.isOpen[to] && !isTied(from) &&
           before.features.label[from] == after.features.label[to] &&
           !areContrary(from, to);
  };
  auto addVote = [&](uint32_t from, uint32_t to) {
    if (!isSame(from, to))
      return;
    Hash name = before.features.name[from];
    bool isNamed = !areNumberedAnew && name && name == after.features.name[to];
    votes.add(from, to, isNamed ? 3 : 2);
  };
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    uint32_t partner = before.partner[node];
    if (partner == kNone)
      continue;
    // What everybody uses says nothing of any user.
    if (before.features.getUsers(node).size() <= kMostUsers &&
        after.features.getUsers(partner).size() <= kMostUsers)
      for (const Edge &mine : before.features.getUsers(node))
        for (const Edge &theirs : after.features.getUsers(partner))
          if (mine.port == theirs.port)
            addVote(mine.node, theirs.node);
    for (auto [mine, theirs] : llvm::zip(before.features.getOperands(node),
                                         after.features.getOperands(partner)))
      if (mine.port == theirs.port)
        addVote(mine.node, theirs.node);
  }
  size_t count = 0;
  for (auto [from, to] : votes.elect(/*least=*/1, /*ratio=*/1)) {
    pair(from, to, PairEvidence::Surroundings);
    ++count;
  }
  return count;
}

void Aligner::forEachUserNow(uint32_t node,
                             llvm::function_ref<void(uint32_t)> visit) const {
  for (const Edge &edge : before.features.getUsers(node)) {
    llvm::SmallVector<uint32_t, 1> users = shared[edge.node];
    if (before.partner[edge.node] != kNone)
      users = {before.partner[edge.node]};
    for (uint32_t user : users) {
      llvm::ArrayRef<Edge> operands = after.features.getOperands(user);
      if (edge.port >> 8 < operands.size())
        visit(operands[edge.port >> 8].node);
    }
  }
}

/// Ops that compute the same from the same are one where common subexpressions
/// were eliminated, and several where they were not yet.
void Aligner::pairMerged() {
  auto see = [&](const Side &side) {
    Colors base = side.features.label;
    for (uint32_t node = 0; node != side.features.size(); ++node) {
      const Features &f = side.features;
      if (f.content[node])
        base[node] = combine(base[node], f.content[node]);
      else if (!f.isOp(node) || f.isUnknown[node])
        // One that has no counterpart is like no other.
        base[node] =
            combine(base[node], side.anchors[node]
                                    ? side.anchors[node]
                                    : combine(&side == &before ? 1 : 2, node));
    }
    return colorUp(side.features, base, Colors(side.features.size()));
  };
  BothColors colors = color(see);
  // Users first: what they became tells what of they are computed now.
  for (uint32_t node : before.features.usersFirst) {
    if (!before.isOpen[node] || !before.features.isOp(node) ||
        before.features.isTerminator[node] ||
        before.features.getOperands(node).empty())
      continue;
    llvm::SmallVector<uint32_t, 1> same;
    forEachUserNow(node, [&](uint32_t to) {
      // One that has come to compute it, and computed something else, has time
      // of its own.
      uint32_t partner = after.partner[to];
      if (colors.before[node] == colors.after[to] &&
          (partner == kNone || colors.before[partner] == colors.before[node]) &&
          !llvm::is_contained(same, to))
        same.push_back(to);
    });
    if (same.empty() || same.size() > kMostShared)
      continue;
    shared[node] = same;
    evidence[node] =
        same.size() == 1 ? PairEvidence::Merged : PairEvidence::Ambiguous;
    before.isOpen[node] = false;
  }
}

/// Layers that became wider or narrower stand between the same neighbors, or
/// keep their names.
size_t Aligner::pairOtherSizes() {
  BothColors colors = color([](const Side &side) {
    const Features &f = side.features;
    Colors up = colorUp(f, f.sizeless, side.anchors);
    Colors down = colorDown(f, f.sizeless, side.anchors);
    std::vector<bool> above = findAnchorsAbove(f, side.anchors);
    std::vector<bool> below = findAnchorsBelow(f, side.anchors);
    for (uint32_t node = 0; node != f.size(); ++node)
      up[node] = above[node] && below[node] ? combine(up[node], down[node]) : 0;
    return up;
  });
  return pairUnique(
             [&](const Side &side, uint32_t node) {
               return colors.get(*this, side, node);
             },
             PairEvidence::OtherSizes) +
         pairUnique(
             [](const Side &side, uint32_t node) {
               return side.features.getNamed(side.features.kind, node);
             },
             PairEvidence::OtherSizes);
}

/// What nodes became in a model of which some sizes are others throughout, such
/// as that of the batch. Keeps of `found` what no size speaks against that has
/// become two.
void Aligner::dropUnclearSizes(Unique &found) const {
  llvm::DenseMap<int64_t, int64_t> became;
  llvm::DenseSet<int64_t> unclear;
  auto forEachSize = [&](uint32_t from, uint32_t to, auto visit) {
    for (auto [mine, theirs] :
         llvm::zip(before.features.sizes[from], after.features.sizes[to]))
      visit(mine, theirs);
  };
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    uint32_t to = found[node] != kNone ? found[node] : before.partner[node];
    if (to != kNone)
      forEachSize(node, to, [&](int64_t mine, int64_t theirs) {
        if (became.try_emplace(mine, theirs).first->second != theirs)
          unclear.insert(mine);
      });
  }
  for (auto [from, to] : llvm::enumerate(found)) {
    bool isClear = to != kNone;
    if (isClear)
      forEachSize(uint32_t(from), to, [&](int64_t mine, int64_t) {
        isClear &= !unclear.contains(mine);
      });
    if (!isClear)
      to = kNone;
  }
}

/// Pairs ops that stand alone for all that is above and below them, then for
/// one of these, but for sizes.
void Aligner::pairScaled() {
  auto see = [&](auto compute) {
    return color([&](const Side &side) {
      return compute(side.features, side.features.sizeless, side.anchors);
    });
  };
  BothColors above = see(colorUp), below = see(colorDown);
  auto getUp = [&](const Side &side, uint32_t node) {
    return above.get(*this, side, node);
  };
  auto getDown = [&](const Side &side, uint32_t node) {
    return below.get(*this, side, node);
  };
  auto getBoth = [&](const Side &side, uint32_t node) {
    return combine(getUp(side, node), getDown(side, node));
  };
  for (KeyOf getKey : {KeyOf(getBoth), KeyOf(getUp), KeyOf(getDown)}) {
    Unique found = findUnique(getKey);
    dropUnclearSizes(found);
    for (auto [from, to] : llvm::enumerate(found))
      if (to != kNone && !before.features.isTerminator[from] &&
          !before.features.getOperands(uint32_t(from)).empty())
        pair(uint32_t(from), to, PairEvidence::OtherSizes);
  }
}

/// Pairs ops between the same two pairs of a block, where as many stand on both
/// sides.
void Aligner::pairByOrder() {
  auto see = [](const Side &side) {
    const Features &f = side.features;
    Colors keys(f.size());
    Colors last(f.ops);
    for (uint32_t node = 1; node < f.ops; ++node) {
      keys[node] =
          combine(combine(f.label[node], f.name[node]), last[f.parent[node]]);
      if (side.anchors[node])
        last[f.parent[node]] = side.anchors[node];
    }
    std::fill(last.begin(), last.end(), 0);
    for (uint32_t node = f.ops; node-- > 1;) {
      keys[node] = combine(combine(keys[node], last[f.parent[node]]),
                           side.anchors[f.parent[node]]);
      if (!side.anchors[f.parent[node]])
        keys[node] = 0;
      if (side.anchors[node])
        last[f.parent[node]] = side.anchors[node];
    }
    return keys;
  };
  BothColors colors = color(see);
  for (const Class &c : group([&](const Side &side, uint32_t node) {
         return colors.get(*this, side, node);
       }))
    if (c.before.size() == c.after.size())
      for (auto [from, to] : llvm::zip_equal(c.before, c.after))
        pair(from, to, PairEvidence::Order);
}

/// What looks alike as far as two edges away shares the time.
void Aligner::shareTheRest() {
  constexpr unsigned kRadius = 2;
  auto see = [](const Side &side) {
    return colorAround(side.features, side.features.label, side.anchors,
                       kRadius);
  };
  BothColors colors = color(see);
  for (const Class &c : group([&](const Side &side, uint32_t node) {
         return colors.get(*this, side, node);
       })) {
    if (c.after.size() > kMostShared)
      continue;
    for (uint32_t node : c.before) {
      shared[node].assign(c.after.begin(), c.after.end());
      evidence[node] = PairEvidence::Ambiguous;
    }
  }
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

Alignment Aligner::run() {
  Alignment result;
  result.isIdentical = isIdentical();
  if (result.isIdentical) {
    pairInOrder();
  } else {
    pairFunctions();
    pairByConstants();
    pairByNames();
    pairArguments();
    for (bool isLax : {false, true}) {
      mayBeContrary = isLax;
      for (unsigned round = 0; round != kMaxRounds; ++round)
        if (pairByStructure() == 0 && pairBySurroundings() == 0)
          break;
    }
    sharePointedTo();
    pairMerged();
    for (unsigned round = 0; round != kMaxRounds; ++round)
      if (pairBySurroundings() + pairOtherSizes() == 0)
        break;
    pairScaled();
    pairByOrder();
    pairMerged();
    shareTheRest();
  }
  result.ops.resize(before.features.ops);
  for (uint32_t node = 0; node != before.features.ops; ++node) {
    Counterpart &counterpart = result.ops[node];
    counterpart.evidence = evidence[node];
    if (before.partner[node] != kNone)
      counterpart.ops = {before.partner[node]};
    else
      counterpart.ops.assign(shared[node].begin(), shared[node].end());
    llvm::sort(counterpart.ops);
  }
  return result;
}

Alignment mlirprof::alignModules(mlir::Operation *before,
                                 mlir::Operation *after,
                                 KnownValues valuesBefore,
                                 KnownValues valuesAfter) {
  Side old(before, valuesBefore), now(after, valuesAfter);
  return Aligner(old, now).run();
}

llvm::StringRef mlirprof::toString(PairEvidence evidence) {
  switch (evidence) {
  case PairEvidence::Identical:
    return "identical";
  case PairEvidence::Constants:
    return "constants";
  case PairEvidence::Structure:
    return "structure";
  case PairEvidence::Name:
    return "name";
  case PairEvidence::Merged:
    return "merged";
  case PairEvidence::Surroundings:
    return "surroundings";
  case PairEvidence::OtherSizes:
    return "other sizes";
  case PairEvidence::Order:
    return "order";
  case PairEvidence::Ambiguous:
    return "ambiguous";
  case PairEvidence::None:
    return "none";
  }
  return "";
}
