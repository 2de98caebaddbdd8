//===- UnseenShapes.cpp - Shapes that were not recorded -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/UnseenShapes.h"
#include "mlir-prof/Cost/ShapeFit.h"
#include "mlir-prof/Cost/Work.h"

#include <algorithm>
#include <map>
#include <set>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;

namespace {

using Sizes = std::vector<int64_t>;

class ShapeMaker {
public:
  ShapeMaker(FunctionOpInterface entry, ArrayRef<ArgumentShapes> seen,
             const UnseenLimits &limits)
      : entry(entry), seen(seen), limits(limits) {}

  std::vector<ArgumentShapes> make();

private:
  struct Dimension {
    size_t argument, dimension;
  };

  void findDimensions();
  void findGroups();
  /// The most frequent of `seen`, and the largest.
  std::vector<ArgumentShapes> findBases() const;
  bool isEqualWherever(const Dimension &a, const Dimension &b) const;
  /// Whether `dimension` may change alone, as the ops show.
  bool isFree(const Dimension &dimension) const;
  /// Whether no other size than that of `seen` can be, as the ops show.
  bool isFixed(ArrayRef<size_t> group) const;
  /// Adds `base` with these sizes of the groups, if it is new and can be.
  void add(const ArgumentShapes &base, const Sizes &sizes);
  void addAllAlike(const ArgumentShapes &base);
  void addOneApart(const ArgumentShapes &base);
  Sizes getSizes(const ArgumentShapes &shapes) const;
  double getWork(const ArgumentShapes &shapes) const;

  FunctionOpInterface entry;
  ArrayRef<ArgumentShapes> seen;
  const UnseenLimits &limits;
  std::vector<Dimension> dimensions;
  /// Dimensions that change together, as indices into `dimensions`.
  std::vector<std::vector<size_t>> groups;
  double mostElements = 0, mostWork = 0;
  std::vector<ArgumentShapes> made;
};

} // namespace

static double countElements(const ArgumentShapes &shapes) {
  double all = 0;
  for (const std::vector<int64_t> &shape : shapes) {
    double elements = 1;
    for (int64_t size : shape)
      elements *= double(size);
    all += elements;
  }
  return all;
}

static SmallVector<ArrayRef<int64_t>> view(const ArgumentShapes &shapes) {
  return SmallVector<ArrayRef<int64_t>>(shapes.begin(), shapes.end());
}

double ShapeMaker::getWork(const ArgumentShapes &shapes) const {
  NodeWork work = computeTotalWork(entry, view(shapes));
  return double(work.flops) + double(work.bytes);
}

void ShapeMaker::findDimensions() {
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasRank())
      continue;
    for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
      if (shaped.isDynamicDim(dim))
        dimensions.push_back({index, size_t(dim)});
  }
}

bool ShapeMaker::isEqualWherever(const Dimension &a, const Dimension &b) const {
  return llvm::all_of(seen, [&](const ArgumentShapes &shapes) {
    return shapes[a.argument][a.dimension] == shapes[b.argument][b.dimension];
  });
}

bool ShapeMaker::isFree(const Dimension &dimension) const {
  ArgumentShapes other = seen.front();
  ++other[dimension.argument][dimension.dimension];
  return checkShapes(entry, view(other)) == ShapeFit::Fits;
}

void ShapeMaker::findGroups() {
  for (size_t i = 0; i != dimensions.size(); ++i) {
    auto known = llvm::find_if(groups, [&](const std::vector<size_t> &group) {
      return isEqualWherever(dimensions[group.front()], dimensions[i]) &&
             !isFree(dimensions[group.front()]);
    });
    if (known == groups.end() || isFree(dimensions[i]))
      groups.push_back({i});
    else
      known->push_back(i);
  }
  llvm::erase_if(
      groups, [&](const std::vector<size_t> &group) { return isFixed(group); });
}

bool ShapeMaker::isFixed(ArrayRef<size_t> group) const {
  return llvm::all_of(ArrayRef<int64_t>{1, 2, 3, 16}, [&](int64_t factor) {
    ArgumentShapes other = seen.front();
    for (size_t index : group) {
      int64_t &size =
          other[dimensions[index].argument][dimensions[index].dimension];
      size = factor == 1 ? size + 1 : size * factor;
    }
    return checkShapes(entry, view(other)) == ShapeFit::Misfits;
  });
}

std::vector<ArgumentShapes> ShapeMaker::findBases() const {
  std::map<ArgumentShapes, size_t> counts;
  for (const ArgumentShapes &shapes : seen)
    ++counts[shapes];
  const ArgumentShapes *common = &seen.front(), *largest = common;
  for (const ArgumentShapes &shapes : seen) {
    if (counts[shapes] > counts[*common])
      common = &shapes;
    if (countElements(shapes) > countElements(*largest))
      largest = &shapes;
  }
  if (*common == *largest)
    return {*common};
  return {*common, *largest};
}

Sizes ShapeMaker::getSizes(const ArgumentShapes &shapes) const {
  Sizes sizes;
  for (const std::vector<size_t> &group : groups) {
    const Dimension &first = dimensions[group.front()];
    sizes.push_back(shapes[first.argument][first.dimension]);
  }
  return sizes;
}

void ShapeMaker::add(const ArgumentShapes &base, const Sizes &sizes) {
  if (made.size() >= limits.shapes)
    return;
  ArgumentShapes shapes = base;
  for (auto [group, size] : llvm::zip_equal(groups, sizes))
    for (size_t index : group)
      shapes[dimensions[index].argument][dimensions[index].dimension] =
          std::max<int64_t>(size, 1);
  if (llvm::is_contained(seen, shapes) || llvm::is_contained(made, shapes) ||
      countElements(shapes) > mostElements ||
      checkShapes(entry, view(shapes)) == ShapeFit::Misfits ||
      getWork(shapes) > mostWork)
    return;
  made.push_back(std::move(shapes));
}

void ShapeMaker::addAllAlike(const ArgumentShapes &base) {
  const Sizes sizes = getSizes(base);
  auto change = [&](llvm::function_ref<int64_t(int64_t)> by) {
    Sizes changed;
    for (int64_t size : sizes)
      changed.push_back(by(size));
    add(base, changed);
  };
  change([](int64_t size) { return size / 2; });
  change([](int64_t size) { return size * 2; });
  change([](int64_t size) { return (size + size / 2) | 1; });
  change([](int64_t size) { return (size + 15) / 16 * 16; });
}

void ShapeMaker::addOneApart(const ArgumentShapes &base) {
  constexpr size_t kMostGroups = 4;
  const Sizes sizes = getSizes(base);
  for (size_t i = 0; i != std::min(sizes.size(), kMostGroups); ++i) {
    Sizes isLong, isThin;
    for (size_t j = 0; j != sizes.size(); ++j) {
      isLong.push_back(j == i ? 6 * sizes[j] : (sizes[j] + 7) / 8 * 8);
      isThin.push_back(j == i ? 1 : 2 * sizes[j]);
    }
    add(base, isLong);
    add(base, isThin);
  }
}

std::vector<ArgumentShapes> ShapeMaker::make() {
  // Sizes of a hostile recording may be anything.
  constexpr int64_t kMostSize = int64_t(1) << 32;
  findDimensions();
  for (const ArgumentShapes &shapes : seen) {
    if (shapes.size() != entry.getNumArguments())
      return {};
    for (const Dimension &at : dimensions)
      if (at.dimension >= shapes[at.argument].size() ||
          shapes[at.argument][at.dimension] < 0 ||
          shapes[at.argument][at.dimension] > kMostSize)
        return {};
  }
  if (dimensions.empty() || seen.empty())
    return {};
  for (const ArgumentShapes &shapes : seen) {
    mostElements = std::max(mostElements, countElements(shapes));
    mostWork = std::max(mostWork, getWork(shapes));
  }
  constexpr double kMostTimes = 16, kLeastWork = 1e6;
  mostElements = std::max(limits.elements, kMostTimes * mostElements);
  mostWork = std::max(kLeastWork, limits.work * mostWork);
  findGroups();
  std::vector<ArgumentShapes> bases = findBases();
  addAllAlike(bases.front());
  addOneApart(bases.front());
  addAllAlike(bases.back());
  return std::move(made);
}

std::vector<ArgumentShapes>
optimize::makeUnseenShapes(FunctionOpInterface entry,
                           ArrayRef<ArgumentShapes> seen,
                           const UnseenLimits &limits) {
  return ShapeMaker(entry, seen, limits).make();
}
