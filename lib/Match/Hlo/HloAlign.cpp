//===- HloAlign.cpp - Programs made of another state of the module --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Torch/CallAlign.h"
#include "DataGraph.h"
#include "HloMatcher.h"
#include "HloWalk.h"
#include "ScopeNames.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlirprof;

namespace {

/// Bits that the tables of nearest products may take on one side.
constexpr uint64_t kMostBits = uint64_t(1) << 27;
/// Products of both sides that are compared with each other.
constexpr uint64_t kMostPairs = uint64_t(1) << 24;
constexpr unsigned kMaxSweeps = 4;

/// Elements of a product's result and factors, the smaller factor first; 0
/// where unknown. A convolution has its kernel only: pads may be folded into
/// it.
struct Sizes {
  uint64_t result = 0, first = 0, second = 0;

  bool operator<(const Sizes &other) const {
    return std::tie(result, first, second) <
           std::tie(other.result, other.first, other.second);
  }
  bool isKnown() const { return result && first; }
  bool agrees(const Sizes &other) const {
    auto isSame = [](uint64_t a, uint64_t b) { return !a || !b || a == b; };
    return isSame(result, other.result) && isSame(first, other.first) &&
           isSame(second, other.second);
  }
};

/// A product on either side.
struct Product {
  uint32_t item = 0;
  uint32_t place = 0;
  Sizes sizes;
  llvm::SmallVector<uint32_t, 2> labels;
  /// XLA writes some products anew and leaves them without a name.
  bool isNameless = false;
};

uint64_t countElements(llvm::ArrayRef<int64_t> shape) {
  uint64_t count = 1;
  for (int64_t size : shape)
    if (size <= 0 || __builtin_mul_overflow(count, uint64_t(size), &count))
      return 0;
  return count;
}

uint64_t countElements(const HloShape &shape) {
  if (shape.tuple.empty())
    return countElements(shape.dimensions);
  return countElements(shape.tuple.front().dimensions);
}

uint64_t countElements(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() ? countElements(type.getShape()) : 0;
}

Sizes makeSizes(uint64_t result, uint64_t left, uint64_t right,
                bool isConvolution) {
  if (isConvolution)
    left = right;
  if (!left || !right)
    left = right = 0;
  return {result, std::min(left, right), std::max(left, right)};
}

bool isProduct(Operation *op) {
  OpKind kind = getKind(op);
  return kind == OpKind::Contraction || kind == OpKind::Convolution;
}

bool isProduct(const HloInstruction &instruction) {
  llvm::StringRef target = instruction.customCallTarget;
  return instruction.opcode == "dot" || instruction.opcode == "convolution" ||
         (instruction.opcode == "custom-call" &&
          (target.contains("matmul") || target.contains("gemm") ||
           target.contains("conv")));
}

class Aligner {
public:
  Aligner(const ModuleIndex &index, PathResolver &resolver,
          const ModuleData &data, HloProgram &program)
      : index(index), resolver(resolver), program(program),
        walk(program.module, program.index), ops(data.graph),
        names(data.names) {}

  bool run() {
    if (!collectRecorded() || !collectModule() || isForDevices())
      return false;
    bool isChanged = hasChanged();
    if (!isChanged && countNameless() == 0)
      return false;
    uint64_t ours = recorded.size(), theirs = products.size();
    if (ours * theirs > kMostPairs || hlo.items.size() * ours > kMostBits ||
        ops.items.size() * theirs > kMostBits)
      return false;
    addLabels();
    alignProducts();
    hloMarks = findMarks(hlo, recorded);
    opMarks = findMarks(ops, products);
    dropContradicted();
    nameProducts(isChanged);
    if (isChanged)
      replaceMatches();
    return isChanged;
  }

private:
  using Found = llvm::SmallVector<uint32_t, 2>;

  bool collectRecorded();
  bool collectModule();
  Sizes getSizes(const HloInstruction &instruction) const;
  Sizes getSizes(Operation *op) const;
  /// How many parts of a recorded name an op's own name has, or 0.
  size_t countKnownParts(const ScopeName &name) const;
  const OwnerCandidates &resolve(llvm::StringRef name) {
    return resolver.resolve(name, PathStyle::Xla, PathScope::FullThenOwn);
  }

  bool isForDevices() const;
  bool hasChanged();
  bool hasOtherSizes(const Product &product);
  int64_t countNameless() const {
    return llvm::count_if(
        recorded, [](const Product &product) { return product.isNameless; });
  }
  void collectFolded();
  bool hasUnclaimed();
  bool hasOtherCounts();
  bool hasOpen() const;

  void addLabels();
  uint32_t addLabel(const ScopeName &name, size_t count) {
    return labels.try_emplace(numbers.getLabel(name, count), labels.size())
        .first->second;
  }
  /// The labels of an instruction's names; of a product that is named after
  /// what was folded into it, those of the product.
  llvm::SmallVector<uint32_t, 2> getLabels(llvm::StringRef name,
                                           llvm::StringRef opcode);

  void alignProducts();
  void findLone(std::vector<Found> &found);
  void addOtherSizes(std::vector<Found> &bySize);
  static NearestMarks findMarks(const DataGraph &graph,
                                llvm::ArrayRef<Product> all) {
    llvm::SmallVector<uint32_t> places;
    for (const Product &product : all)
      places.push_back(product.place);
    return findNearestMarks(graph, places);
  }
  /// What may be the products near an instruction, in one direction.
  struct Near {
    /// One for each that is found.
    llvm::SmallVector<const Found *> sets;
    /// What surely is another product than these.
    llvm::BitVector others;
    /// Whether there is any, and whether all are found.
    bool isAny = false, isKnown = true;
  };
  Near getNear(const llvm::BitVector &marks) const;
  /// Whether each set has one of `marks`.
  static bool agree(const Near &near, const llvm::BitVector &marks) {
    return llvm::all_of(near.sets, [&](const Found *set) {
      return llvm::any_of(*set, [&](uint32_t r) { return marks.test(r); });
    });
  }
  void dropContradicted();
  void nameProducts(bool isChanged);
  void replaceMatches();
  OwnerCandidates findBetween(uint32_t place, uint32_t label) const;

  const ModuleIndex &index;
  PathResolver &resolver;
  HloProgram &program;
  HloWalk walk;
  DataGraph hlo;
  const DataGraph &ops;
  const llvm::StringSet<> &names;
  std::vector<Product> recorded, products;
  llvm::StringMap<uint32_t> labels;
  ScopeNumbers numbers;
  llvm::BitVector folded;
  std::vector<std::vector<uint32_t>> byLabel;
  std::vector<llvm::SmallVector<uint32_t, 1>> labelsOf;
  /// By recorded product: positions in `products`, ascending.
  std::vector<Found> found;
  /// Products of the module that are found, and those that only one is.
  llvm::BitVector taken, certain;
  NearestMarks hloMarks, opMarks;
};

Sizes Aligner::getSizes(const HloInstruction &instruction) const {
  uint64_t factors[2] = {0, 0};
  for (size_t i = 0; i < 2 && i < instruction.operandIds.size(); ++i) {
    uint32_t at = program.index.findId(instruction.operandIds[i]);
    if (at != kNone)
      factors[i] = countElements(program.module.instructions[at].shape);
  }
  bool isConvolution =
      instruction.opcode == "convolution" ||
      llvm::StringRef(instruction.customCallTarget).contains("conv");
  return makeSizes(countElements(instruction.shape), factors[0], factors[1],
                   isConvolution);
}

Sizes Aligner::getSizes(Operation *op) const {
  uint64_t factors[2] = {0, 0};
  // TensorFlow's gradients of convolutions have other operands.
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "tf" && op->getNumOperands() >= 2)
    for (unsigned i = 0; i < 2; ++i)
      factors[i] = countElements(op->getOperand(i));
  return makeSizes(op->getNumResults() == 1 ? countElements(op->getResult(0))
                                            : 0,
                   factors[0], factors[1], getKind(op) == OpKind::Convolution);
}

bool Aligner::collectRecorded() {
  const HloModule &module = program.module;
  llvm::SmallVector<uint32_t> roots;
  for (const HloComputation &computation : module.computations)
    if (computation.id == module.entryComputationId)
      roots.push_back(program.index.findId(computation.rootId));
  hlo =
      makeDataGraph(roots, module.instructions.size(),
                    [&](uint32_t at, llvm::SmallVectorImpl<uint32_t> &inputs) {
                      walk.addInputs(at, inputs);
                    });
  for (uint32_t place = 0; place < hlo.items.size(); ++place) {
    const HloInstruction &instruction = module.instructions[hlo.items[place]];
    if (isProduct(instruction))
      recorded.push_back({hlo.items[place],
                          place,
                          getSizes(instruction),
                          {},
                          program.matches[hlo.items[place]].names.empty()});
  }
  return !recorded.empty();
}

bool Aligner::collectModule() {
  // Only what has a name of this program can be of it.
  llvm::StringMap<bool> known;
  for (const InstructionMatch &match : program.matches)
    for (const auto &name : match.names) {
      ScopeName scopes(name.name);
      if (size_t count = countKnownParts(scopes))
        known[scopes.getText(count)] = true;
    }
  collectFolded();
  for (unsigned work : folded.set_bits())
    for (uint32_t own : index.getLocation(work).names) {
      ScopeName scopes(index.getLocations().getName(own));
      known[scopes.getText(scopes.parts.size())] = true;
    }
  for (uint32_t place = 0; place < ops.items.size(); ++place) {
    uint32_t op = ops.items[place];
    if (!isProduct(index[op].op))
      continue;
    bool isNamed = llvm::any_of(index.getLocation(op).names, [&](uint32_t own) {
      ScopeName scopes(index.getLocations().getName(own));
      return known.contains(scopes.getText(scopes.parts.size()));
    });
    if (isNamed)
      products.push_back({op, place, getSizes(index[op].op), {}, false});
  }
  return !products.empty();
}

size_t Aligner::countKnownParts(const ScopeName &name) const {
  for (size_t count = name.parts.size(); count > 0; --count)
    if (names.contains(name.getText(count)))
      return count;
  return 0;
}

//===----------------------------------------------------------------------===//
// Whether the module changed
//===----------------------------------------------------------------------===//

/// Parts of what several devices share have other sizes.
bool Aligner::isForDevices() const {
  return llvm::any_of(program.module.instructions, [](const auto &at) {
    llvm::StringRef opcode = at.opcode;
    return opcode.starts_with("all-") || opcode.starts_with("reduce-scatter") ||
           opcode.starts_with("collective-") || opcode == "partition-id" ||
           opcode == "replica-id";
  });
}

bool Aligner::hasChanged() {
  return llvm::any_of(
             recorded,
             [&](const Product &product) { return hasOtherSizes(product); }) ||
         hasUnclaimed() || hasOtherCounts() || hasOpen();
}

/// Whether none of the ops of its names has its sizes.
bool Aligner::hasOtherSizes(const Product &product) {
  bool hasName = false;
  for (const auto &name : program.matches[product.item].names) {
    ScopeName scopes(name.name);
    const OwnerCandidates &candidates = resolve(name.name);
    if (candidates.empty())
      hasName |= countKnownParts(scopes) != 0;
    for (const OwnerCandidate &candidate : candidates) {
      Operation *op = index[candidate.op].op;
      if (!isProduct(op) || product.sizes.agrees(getSizes(op)))
        return false;
      hasName = true;
    }
  }
  return hasName;
}

/// Whether they are more or fewer, or some of known sizes differ.
bool haveOtherSizes(llvm::ArrayRef<Product> recorded,
                    llvm::ArrayRef<Product> products) {
  if (recorded.size() != products.size())
    return true;
  auto collect = [](llvm::ArrayRef<Product> all) {
    std::vector<Sizes> sizes;
    for (const Product &product : all)
      sizes.push_back(product.sizes);
    llvm::sort(sizes);
    return sizes;
  };
  for (auto [a, b] : llvm::zip_equal(collect(recorded), collect(products)))
    if (a.isKnown() && b.isKnown() && !a.agrees(b))
      return true;
  return false;
}

/// Whether a product of the module has a name that nothing was recorded under.
bool Aligner::hasUnclaimed() {
  // One without a name may be it, if it has its sizes.
  if (countNameless() != 0)
    return haveOtherSizes(recorded, products);
  llvm::BitVector claimed(index.size());
  for (const InstructionMatch &match : program.matches)
    for (const auto &name : match.names)
      for (const OwnerCandidate &candidate : resolve(name.name))
        claimed.set(candidate.op);
  claimed |= folded;
  return llvm::any_of(products, [&](const Product &product) {
    return !claimed.test(product.item);
  });
}

/// Products that were recorded under the names of transposes of them.
void Aligner::collectFolded() {
  folded.resize(index.size());
  for (const Product &product : recorded)
    for (const auto &name : program.matches[product.item].names)
      for (const OwnerCandidate &candidate : resolve(name.name)) {
        if (isProduct(index[candidate.op].op))
          continue;
        uint32_t work =
            findFoldedWork(index, candidate.op,
                           program.module.instructions[product.item].opcode);
        if (work != kNone)
          folded.set(work);
      }
}

/// Whether what tells ops of one name apart leaves a product several.
bool Aligner::hasOpen() const {
  auto countProducts = [&](const OwnerCandidates &candidates) {
    OwnerCandidates some = candidates;
    llvm::erase_if(some, [&](const OwnerCandidate &candidate) {
      return !isProduct(index[candidate.op].op);
    });
    return countOps(some);
  };
  return llvm::any_of(recorded, [&](const Product &product) {
    return llvm::any_of(
        program.matches[product.item].names,
        [&](const auto &name) { return countProducts(name.candidates) > 1; });
  });
}

/// Whether the products of one name are more or fewer than its ops, or have
/// other sizes.
bool Aligner::hasOtherCounts() {
  llvm::DenseMap<uint32_t, Sizes> sizesOf;
  for (const Product &product : products)
    sizesOf[product.item] = product.sizes;
  llvm::DenseMap<uint32_t, uint32_t> calls;
  for (const IndexedCall &call : index.getCalls())
    ++calls[call.callee];
  std::map<llvm::StringRef, std::vector<Sizes>> byName;
  for (const Product &product : recorded)
    for (const auto &name : program.matches[product.item].names)
      byName[name.name].push_back(product.sizes);
  for (auto &[name, sizes] : byName) {
    std::vector<Sizes> there;
    bool isOnce = true;
    uint32_t last = kNone;
    for (const OwnerCandidate &candidate : resolve(name)) {
      auto known = sizesOf.find(candidate.op);
      if (candidate.op == last || known == sizesOf.end() ||
          folded.test(candidate.op))
        continue;
      last = candidate.op;
      there.push_back(known->second);
      isOnce &= calls.lookup(index[candidate.op].function) <= 1;
    }
    if (there.empty() || !isOnce)
      continue;
    if (there.size() > sizes.size() && countNameless() != 0)
      continue;
    if (there.size() != sizes.size())
      return true;
    llvm::sort(sizes);
    llvm::sort(there);
    for (auto [a, b] : llvm::zip_equal(sizes, there))
      if (a.isKnown() && b.isKnown() && !a.agrees(b))
        return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

llvm::SmallVector<uint32_t, 2> Aligner::getLabels(llvm::StringRef name,
                                                  llvm::StringRef opcode) {
  ScopeName scopes(name);
  size_t count = countKnownParts(scopes);
  if (count == 0)
    return {};
  uint32_t label = addLabel(scopes, count);
  llvm::SmallVector<uint32_t, 2> result = {label};
  if (opcode.empty() || label >= byLabel.size())
    return result;
  for (uint32_t op : byLabel[label]) {
    uint32_t work =
        isProduct(index[op].op) ? kNone : findFoldedWork(index, op, opcode);
    if (work != kNone)
      for (uint32_t own : labelsOf[work])
        if (!llvm::is_contained(result, own))
          result.push_back(own);
  }
  return result;
}

void Aligner::addLabels() {
  for (uint32_t op : ops.items)
    for (uint32_t own : index.getLocation(op).names) {
      ScopeName scopes(index.getLocations().getName(own));
      numbers.add(ScopeNumbers::Side::Module, scopes, scopes.parts.size());
    }
  for (uint32_t at : hlo.items)
    for (const auto &name : program.matches[at].names) {
      ScopeName scopes(name.name);
      if (size_t count = countKnownParts(scopes))
        numbers.add(ScopeNumbers::Side::Recorded, scopes, count);
    }
  labelsOf.resize(index.size());
  for (uint32_t op : ops.items)
    for (uint32_t own : index.getLocation(op).names) {
      ScopeName scopes(index.getLocations().getName(own));
      labelsOf[op].push_back(addLabel(scopes, scopes.parts.size()));
    }
  byLabel.resize(labels.size());
  for (uint32_t op : ops.items)
    for (uint32_t label : labelsOf[op])
      byLabel[label].push_back(op);
  for (auto &all : byLabel) {
    llvm::sort(all);
    all.erase(llvm::unique(all), all.end());
  }
  for (Product &product : products)
    product.labels.assign(labelsOf[product.item].begin(),
                          labelsOf[product.item].end());
  for (Product &product : recorded)
    for (const auto &name : program.matches[product.item].names)
      llvm::append_range(
          product.labels,
          getLabels(name.name,
                    program.module.instructions[product.item].opcode));
}

/// Of one name; or of the same sizes, where `recorded` has none.
bool haveSameLabel(const Product &recorded, const Product &product) {
  if (recorded.isNameless)
    return recorded.sizes.isKnown() && product.sizes.isKnown() &&
           recorded.sizes.agrees(product.sizes);
  return llvm::any_of(recorded.labels, [&](uint32_t label) {
    return llvm::is_contained(product.labels, label);
  });
}

/// Pairs of which each has no other partner, wherever they stand.
void Aligner::findLone(std::vector<Found> &lone) {
  std::vector<Found> left(recorded.size()), right(products.size());
  for (uint32_t l = 0; l < recorded.size(); ++l)
    for (uint32_t r = 0; r < products.size(); ++r)
      if (haveSameLabel(recorded[l], products[r]) &&
          recorded[l].sizes.agrees(products[r].sizes)) {
        left[l].push_back(r);
        right[r].push_back(l);
      }
  for (uint32_t l = 0; l < recorded.size(); ++l)
    if (left[l].size() == 1 && right[left[l].front()].size() == 1)
      lone[l] = left[l];
}

void Aligner::alignProducts() {
  found.resize(recorded.size());
  findLone(found);
  llvm::BitVector isLone(unsigned(products.size()));
  for (const Found &pair : found)
    for (uint32_t r : pair)
      isLone.set(r);
  std::vector<EquallyGood> good;
  align(
      uint32_t(recorded.size()), uint32_t(products.size()),
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return found[l].empty() && !isLone.test(r) &&
               haveSameLabel(recorded[l], products[r]) &&
               recorded[l].sizes.agrees(products[r].sizes);
      },
      &good);
  bool isOpen = false;
  for (uint32_t l = 0; l < recorded.size(); ++l) {
    if (!found[l].empty())
      continue;
    isOpen |= good[l].right.empty() || good[l].mayBeNone;
    // Another fits as well: none is chosen.
    if (!good[l].mayBeNone && !good[l].isCut)
      found[l].assign(good[l].right.begin(), good[l].right.end());
  }
  taken.resize(unsigned(products.size()));
  certain.resize(unsigned(products.size()));
  for (const Found &pair : found)
    for (uint32_t r : pair)
      taken.set(r);
  for (const EquallyGood &some : good)
    for (uint32_t r : some.right)
      taken.set(r);
  if (isOpen && !taken.all())
    addOtherSizes(found);
}

/// Some have no op of their sizes, and some ops nothing of theirs: they may be
/// the same with other sizes. Where names and order alone say otherwise than
/// sizes, both count.
void Aligner::addOtherSizes(std::vector<Found> &bySize) {
  // One without a name may be any that nothing was recorded under the name of.
  llvm::BitVector claimed(unsigned(products.size()));
  for (const Product &named : recorded)
    for (uint32_t r = 0; r < products.size(); ++r)
      if (!named.isNameless && haveSameLabel(named, products[r]))
        claimed.set(r);
  std::vector<EquallyGood> good;
  align(
      uint32_t(recorded.size()), uint32_t(products.size()),
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return recorded[l].isNameless ? !claimed.test(r)
                                      : haveSameLabel(recorded[l], products[r]);
      },
      &good);
  for (uint32_t l = 0; l < recorded.size(); ++l) {
    if (good[l].isCut)
      continue;
    Found &pair = bySize[l];
    bool isFree = pair.empty();
    if (isFree && good[l].mayBeNone)
      continue;
    bool meets = llvm::any_of(
        pair, [&](uint32_t r) { return llvm::is_contained(good[l].right, r); });
    if (meets)
      continue;
    for (uint32_t r : good[l].right)
      pair.push_back(r);
    llvm::sort(pair);
    for (uint32_t r : pair)
      taken.set(r);
  }
}

//===----------------------------------------------------------------------===//
// What is before and behind
//===----------------------------------------------------------------------===//

Aligner::Near Aligner::getNear(const llvm::BitVector &marks) const {
  Near near;
  near.others = certain;
  for (unsigned l : marks.set_bits()) {
    near.isAny = true;
    near.isKnown &= !found[l].empty();
    if (!found[l].empty())
      near.sets.push_back(&found[l]);
    for (uint32_t r : found[l])
      near.others.reset(r);
  }
  return near;
}

void Aligner::dropContradicted() {
  for (unsigned sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool changed = false;
    for (uint32_t l = 0; l < recorded.size(); ++l) {
      uint32_t place = recorded[l].place;
      Near before = getNear(hloMarks.before[place]),
           behind = getNear(hloMarks.behind[place]);
      size_t size = found[l].size();
      llvm::erase_if(found[l], [&](uint32_t r) {
        uint32_t other = products[r].place;
        return !agree(before, opMarks.before[other]) ||
               !agree(behind, opMarks.behind[other]);
      });
      changed |= found[l].size() != size;
    }
    if (!changed)
      break;
  }
  for (const Found &pair : found)
    if (pair.size() == 1)
      certain.set(pair.front());
}

/// The ops with the label, between the same products on both sides, or else on
/// one.
OwnerCandidates Aligner::findBetween(uint32_t place, uint32_t label) const {
  if (label >= byLabel.size())
    return {};
  Near before = getNear(hloMarks.before[place]),
       behind = getNear(hloMarks.behind[place]);
  // Far from any product there is only the name.
  bool isAlone = !before.isAny && !behind.isAny;
  auto fits = [](const Near &near, const llvm::BitVector &marks) {
    return near.isKnown && agree(near, marks) && !near.others.anyCommon(marks);
  };
  OwnerCandidates both, one;
  for (uint32_t op : byLabel[label]) {
    uint32_t at = ops.places[op];
    // The body of a reduction has its name.
    if (llvm::is_contained(labelsOf[index[op].parent], label) ||
        (isAlone && (opMarks.before[at].any() || opMarks.behind[at].any())))
      continue;
    bool isBefore = fits(before, opMarks.before[at]);
    bool isBehind = fits(behind, opMarks.behind[at]);
    OwnerCandidate candidate = {op, index.getLocation(op).frame};
    if (isBefore && isBehind)
      both.push_back(candidate);
    else if ((isBefore && before.isAny) || (isBehind && behind.isAny))
      one.push_back(candidate);
  }
  return both.empty() ? one : both;
}

/// Gives products without a name that of the instruction. In a module that did
/// not change, one that is not found has its neighbors' owners, as all that is
/// without a name.
void Aligner::nameProducts(bool isChanged) {
  for (uint32_t l = 0; l < recorded.size(); ++l)
    if (recorded[l].isNameless && (isChanged || found[l].size() == 1)) {
      OwnerCandidates candidates;
      for (uint32_t r : found[l])
        candidates.push_back(
            {products[r].item, index.getLocation(products[r].item).frame});
      program.matches[recorded[l].item].names.push_back(
          {program.module.instructions[recorded[l].item].name,
           std::move(candidates), MatchTier::Neighborhood});
    }
}

void Aligner::replaceMatches() {
  llvm::DenseMap<uint32_t, uint32_t> productOf;
  for (uint32_t l = 0; l < recorded.size(); ++l)
    productOf[recorded[l].item] = l;
  for (uint32_t i = 0; i < program.matches.size(); ++i) {
    const HloInstruction &instruction = program.module.instructions[i];
    uint32_t place = hlo.places[i];
    auto product = productOf.find(i);
    for (auto &name : program.matches[i].names) {
      name.tier = MatchTier::Neighborhood;
      name.candidates.clear();
      if (product != productOf.end()) {
        for (uint32_t r : found[product->second])
          name.candidates.push_back(
              {products[r].item, index.getLocation(products[r].item).frame});
        llvm::sort(name.candidates,
                   [](const auto &a, const auto &b) { return a.op < b.op; });
        continue;
      }
      if (place == kNone)
        continue;
      for (uint32_t label : getLabels(name.name, ""))
        name.candidates = findBetween(place, label);
      for (const NarrowingTier &narrowing : getNarrowingTiers())
        if (countOps(name.candidates) > 1)
          narrowing.narrow(index, {program.module, instruction},
                           MatchRule::Best, name.candidates);
    }
  }
}

} // namespace

ModuleData::ModuleData(const ModuleIndex &index) : graph(makeDataGraph(index)) {
  for (uint32_t op : graph.items)
    for (uint32_t own : index.getLocation(op).names) {
      ScopeName scopes(index.getLocations().getName(own));
      names.insert(scopes.getText(scopes.parts.size()));
    }
}

bool mlirprof::alignByData(const ModuleIndex &index, PathResolver &resolver,
                           const ModuleData &data, HloProgram &program) {
  return Aligner(index, resolver, data, program).run();
}
