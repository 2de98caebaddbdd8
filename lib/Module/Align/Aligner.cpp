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
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// Rounds in which new anchors make other nodes unique. Each but the last pairs
/// something, most do in two or three.
static constexpr unsigned kMaxRounds = 32;

/// Ops that share the time of one whose counterpart is not known.
static constexpr size_t kMostShared = 64;

/// How much more the evidence counts that a name agrees with.
static constexpr uint32_t kStrongly = 8;

/// How far ops look that share the time of one.
static constexpr unsigned kSharedRadius = 2;

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
  for (auto [mine, theirs] : llvm::zip(before.features.getOperands(from),
                                       after.features.getOperands(to)))
    if (haveOtherValues(mine.node, theirs.node) ||
        (!before.features.isConstant[mine.node] &&
         areOther(before.anchors[mine.node], after.anchors[theirs.node])))
      return true;
  return false;
}

/// Whether weights tell that what uses `from` uses something like it now, but
/// not `to`.
bool Aligner::haveOtherUsers(uint32_t from, uint32_t to) const {
  bool isOther = false, isSame = false;
  for (const Edge &edge : before.features.getUsers(from)) {
    uint32_t user = before.partner[edge.node];
    if (user == kNone || evidence[edge.node] != PairEvidence::Constants)
      continue;
    llvm::ArrayRef<Edge> operands = after.features.getOperands(user);
    uint32_t place = edge.port >> 8;
    uint32_t used = place < operands.size() ? operands[place].node : kNone;
    isSame |= used == to;
    isOther |= used != kNone &&
               after.features.label[used] == before.features.label[from];
  }
  return isOther && !isSame &&
         before.kin.compare(from, after.kin, to) != Kinship::Same;
}

Aligner::Unique Aligner::findUnique(KeyOf getKey) const {
  Unique unique(before.features.size(), kNone);
  for (const Class &c : group(getKey))
    if (c.before.size() == 1 && c.after.size() == 1 &&
        !areContrary(c.before.front(), c.after.front()) &&
        !haveOtherUsers(c.before.front(), c.after.front()))
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

/// Where a function has more or fewer results than before, their places say
/// nothing.
void Aligner::forgetResultPlaces() {
  llvm::DenseMap<uint32_t, uint32_t> ends;
  auto isEnd = [](const Features &features, uint32_t node) {
    return features.isTerminator[node] &&
           features.parent[features.parent[node]] == 0;
  };
  for (uint32_t node = 0; node != after.features.ops; ++node)
    if (isEnd(after.features, node))
      ends[after.features.parent[node]] = node;
  for (uint32_t node = 0; node != before.features.ops; ++node) {
    uint32_t function = before.partner[before.features.parent[node]];
    auto end = isEnd(before.features, node) && function != kNone
                   ? ends.find(function)
                   : ends.end();
    if (end == ends.end() || before.features.getOperands(node).size() ==
                                 after.features.getOperands(end->second).size())
      continue;
    before.features.forgetPlaces(node);
    after.features.forgetPlaces(end->second);
  }
}

/// Whether names or values tell that what uses the argument `from` is not what
/// uses `to`.
static bool areArgumentsOfOthers(const Side &before, const Side &after,
                                 uint32_t from, uint32_t to) {
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
                 !areArgumentsOfOthers(before, after, a, b);
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
  pairUnique(
      [&](const Side &side, uint32_t node) {
        const Colors &kept =
            &side == &before ? names.keptBefore : names.keptAfter;
        return kept[node] ? combine(side.features.label[node], kept[node]) : 0;
      },
      PairEvidence::Name);
}

Hash Aligner::getNamed(const Side &side, llvm::ArrayRef<Hash> base,
                       uint32_t node) const {
  Hash name = (&side == &before ? names.before : names.after)[node];
  return name && !areNumberedAnew ? combine(base[node], name) : 0;
}

/// Finds what all above each open node, and all below it, points to.
void Aligner::findPointersNow() {
  // What nothing is computed from (arguments, constants, empty tensors) is told
  // by its users alone: they go first.
  auto see = [](const Side &side, auto compute) {
    Colors colors = compute(side.features, side.features.label, side.anchors);
    for (uint32_t node = 0; node != side.features.size(); ++node)
      if (!side.isOpen[node] || side.features.getOperands(node).empty())
        colors[node] = 0;
    return colors;
  };
  findPointers(
      before.features, after.features,
      {see(before, colorUp), see(after, colorUp)},
      {see(before, colorDown), see(after, colorDown)},
      [&](uint32_t from, uint32_t to) { return areContrary(from, to); },
      pointers, pointersBack);
}

/// Pairs what is unique in all above it or in all below it, between anchors.
/// Where these two point to different ops, what hangs together with clearly
/// more ops decides, or a name; else both are equally good. Says how many it
/// paired.
size_t Aligner::pairByStructure() {
  findPointersNow();
  Unique named = findUnique([&](const Side &side, uint32_t node) -> Hash {
    return getNamed(side, side.features.label, node);
  });
  Unique namedBack(after.features.size(), kNone);
  for (auto [from, to] : llvm::enumerate(named))
    if (to != kNone)
      namedBack[to] = uint32_t(from);
  Votes votes;
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    if (pointers.isInDoubt(node))
      continue;
    auto add = [&](std::vector<Targets> Pointers::*where,
                   std::vector<uint32_t> Pointers::*support,
                   bool (Pointers::*isBetter)(uint32_t, uint64_t) const) {
      const Targets &targets = (pointers.*where)[node];
      if (targets.size() != 1)
        return;
      uint32_t to = targets.front();
      if ((pointersBack.*where)[to].size() != 1 || pointersBack.isInDoubt(to) ||
          haveOtherUsers(node, to))
        return;
      bool isNamed = named[node] == to;
      if (!isNamed && (named[node] != kNone || namedBack[to] != kNone))
        return;
      uint32_t factor = isNamed ? kStrongly : 1;
      auto isClear = [&](const Pointers &side, uint32_t place) {
        return !side.isTied(place) || (side.*isBetter)(place, factor);
      };
      if (isClear(pointers, node) && isClear(pointersBack, to))
        votes.add(node, to, (pointers.*support)[node] * factor);
    };
    add(&Pointers::up, &Pointers::ofUp, &Pointers::isUpBetter);
    add(&Pointers::down, &Pointers::ofDown, &Pointers::isDownBetter);
  }
  size_t count = 0;
  for (auto [from, to] : votes.elect(/*least=*/1, kClearly)) {
    pair(from, to, PairEvidence::Structure);
    ++count;
  }
  return count;
}

/// What pairByStructure could not decide in the end nothing weaker does. Ops
/// that point to the same ones are decided together: where these are fewer some
/// are gone, and nobody knows which.
void Aligner::sharePointedTo() {
  findPointersNow();
  uint32_t size = before.features.size();
  BothColors around = color([](const Side &side) {
    return colorAround(side.features, side.features.label,
                       Colors(side.features.size()), kSharedRadius);
  });
  // Of each direction those that are used alike, where there are such.
  auto add = [&](uint32_t node, const Targets &targets, Targets &all) {
    Targets alike;
    llvm::copy_if(targets, std::back_inserter(alike), [&](uint32_t to) {
      return around.before[node] == around.after[to];
    });
    for (uint32_t to : alike.empty() ? targets : alike)
      if (!llvm::is_contained(all, to))
        all.push_back(to);
  };
  auto getTargets = [&](uint32_t node) {
    Targets all;
    if (!pointers.both[node].empty()) {
      add(node, pointers.both[node], all);
    } else {
      add(node, pointers.up[node], all);
      add(node, pointers.down[node], all);
    }
    return all;
  };
  llvm::EquivalenceClasses<uint32_t> groups;
  for (uint32_t node = 0; node != size; ++node)
    for (uint32_t to : getTargets(node))
      groups.unionSets(node, size + to);
  for (const auto &group : groups) {
    if (!group->isLeader())
      continue;
    Class found;
    bool isTied = false;
    for (uint32_t member : groups.members(*group)) {
      if (member < size)
        found.before.push_back(member);
      else
        found.after.push_back(member - size);
      isTied |= member < size ? pointers.isTied(member)
                              : pointersBack.isTied(member - size);
    }
    // As many that nothing tells apart are left to their order.
    if (!isTied)
      continue;
    bool areGone = found.before.size() > found.after.size();
    for (uint32_t node : found.before) {
      if (!areGone)
        shared[node] = getTargets(node);
      evidence[node] =
          areGone ? PairEvidence::Contested : PairEvidence::Ambiguous;
      before.isOpen[node] = false;
    }
    for (uint32_t to : found.after)
      after.isOpen[to] = false;
  }
  followUsers();
}

/// What is computed from constants or weights alone looks as others do. It goes
/// where its users went.
void Aligner::followUsers() {
  auto isUndecided = [&](const Edge &user) {
    return !before.isOpen[user.node] && before.partner[user.node] == kNone;
  };
  auto isInDoubt = [&](uint32_t node) {
    // What nothing is computed from has nothing but its users.
    llvm::ArrayRef<Edge> users = before.features.getUsers(node);
    if (before.features.getOperands(node).empty())
      return !users.empty() && llvm::all_of(users, isUndecided);
    auto isBack = [&](uint32_t to) { return pointersBack.isInDoubt(to); };
    return pointers.isInDoubt(node) ||
           llvm::any_of(pointers.up[node], isBack) ||
           llvm::any_of(pointers.down[node], isBack);
  };
  for (uint32_t node : before.features.usersFirst) {
    if (!before.isOpen[node] || !isInDoubt(node))
      continue;
    Targets found;
    forEachUserNow(node, [&](uint32_t to) {
      if (after.partner[to] == kNone &&
          before.features.label[node] == after.features.label[to] &&
          !llvm::is_contained(found, to))
        found.push_back(to);
    });
    shared[node] = found;
    evidence[node] =
        found.empty() ? PairEvidence::Contested : PairEvidence::Ambiguous;
    before.isOpen[node] = false;
  }
  for (const Targets &targets : shared)
    for (uint32_t to : targets)
      after.isOpen[to] = false;
}

/// Lets the counterparts of an op's neighbors name its own.
size_t Aligner::pairBySurroundings() {
  Votes votes;
  auto isSame = [&](uint32_t from, uint32_t to) {
    return before.isOpen[from] && after.isOpen[to] && !pointers.isTied(from) &&
           !pointersBack.isTied(to) &&
           before.features.label[from] == after.features.label[to] &&
           !areContrary(from, to) && !haveOtherUsers(from, to);
  };
  auto addVote = [&](uint32_t from, uint32_t to) {
    if (!isSame(from, to))
      return;
    Hash name = getNamed(before, before.features.label, from);
    bool isNamed = name && name == getNamed(after, after.features.label, to);
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
  // Where neighbors went different ways none of them decides.
  for (auto [from, to] : votes.elect(/*least=*/1, mayBeContrary ? ~0u : 1)) {
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
             [&](const Side &side, uint32_t node) {
               return getNamed(side, side.features.kind, node);
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
        if (!areContrary(from, to))
          pair(from, to, PairEvidence::Order);
}

/// What looks alike as far as two edges away shares the time.
void Aligner::shareTheRest() {
  auto see = [](const Side &side) {
    return colorAround(side.features, side.features.label, side.anchors,
                       kSharedRadius);
  };
  BothColors colors = color(see);
  for (const Class &c : group([&](const Side &side, uint32_t node) {
         return colors.get(*this, side, node);
       })) {
    if (c.after.size() > kMostShared)
      continue;
    for (uint32_t node : c.before) {
      llvm::copy_if(c.after, std::back_inserter(shared[node]),
                    [&](uint32_t to) { return !areContrary(node, to); });
      if (!shared[node].empty())
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
    forgetResultPlaces();
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

Alignment module::alignModules(mlir::Operation *before, mlir::Operation *after,
                               KnownValues valuesBefore,
                               KnownValues valuesAfter) {
  Side old(before, valuesBefore), now(after, valuesAfter);
  return Aligner(old, now).run();
}

llvm::StringRef module::toString(PairEvidence evidence) {
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
  case PairEvidence::Contested:
    return "contested";
  case PairEvidence::None:
    return "none";
  }
  return "";
}
