//===- Shift.cpp - Constants and locations of copies ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shift.h"
#include "mlir-prof/Dialect/Prof/LocationParts.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using codegen::ConstantRecipe;

static Copies::Entry *getEntry(DenseResourceElementsAttr value) {
  return value.getRawHandle().getResource();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool Shift::follows(Attribute earlier, Attribute later) {
  auto a = dyn_cast<DenseResourceElementsAttr>(earlier),
       b = dyn_cast<DenseResourceElementsAttr>(later);
  if (!a || !b || a.getType() != b.getType())
    return false;
  std::optional<CopyLabel> one = copies.findWeight(getEntry(a)),
                           next = copies.findWeight(getEntry(b));
  if (one || next)
    return one && next && one->copy + 1 == next->copy &&
           one->slot == next->slot;
  const ConstantRecipe *first = scope.findRecipe(getEntry(a)),
                       *second = scope.findRecipe(getEntry(b));
  return first && second && first->name == second->name &&
         !first->sources.empty() &&
         first->sources.size() == second->sources.size() &&
         llvm::all_of(llvm::zip_equal(first->sources, second->sources),
                      [&](auto pair) {
                        auto [x, y] = pair;
                        return x == y || follows(x, y);
                      });
}

FailureOr<CopyRange> Shift::getRange(Attribute constant) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant);
  return resource ? getRange(getEntry(resource))
                  : FailureOr<CopyRange>(CopyRange());
}

FailureOr<CopyRange> Shift::getRange(Entry *entry) {
  CopyRange range;
  if (std::optional<CopyLabel> label = copies.findWeight(entry))
    return CopyRange{label->copy, label->copy};
  const ConstantRecipe *recipe = scope.findRecipe(entry);
  if (!recipe)
    return scope.hasMade(entry) ? FailureOr<CopyRange>(failure())
                                : FailureOr<CopyRange>(range);
  for (DenseResourceElementsAttr source : recipe->sources) {
    FailureOr<CopyRange> part = getRange(source);
    if (failed(part))
      return failure();
    range.add(*part);
  }
  return range;
}

FailureOr<DenseResourceElementsAttr> Shift::make(const ConstantRecipe &recipe,
                                                 unsigned by) {
  ConstantRecipe shifted = recipe;
  for (DenseResourceElementsAttr &source : shifted.sources) {
    FailureOr<DenseResourceElementsAttr> other = shift(source, by);
    if (failed(other))
      return failure();
    source = *other;
  }
  return codegen::makeConstant(std::move(shifted));
}

FailureOr<DenseResourceElementsAttr>
Shift::shift(DenseResourceElementsAttr constant, unsigned by) {
  FailureOr<CopyRange> range = getRange(constant);
  if (failed(range))
    return failure();
  // The last copy stays the last.
  if (range->isEmpty() || range->first + 1 == kKeptCopies)
    return constant;
  DenseResourceElementsAttr &other = made[{getEntry(constant), by}];
  if (!other) {
    if (auto label = copies.findWeight(getEntry(constant))) {
      other = copies.getWeight(copies.getNumber(label->copy, by), label->slot);
    } else {
      auto made = make(*scope.findRecipe(getEntry(constant)), by);
      if (failed(made))
        return failure();
      return this->made[{getEntry(constant), by}] =
                 DenseResourceElementsAttr::get(constant.getType(),
                                                made->getRawHandle());
    }
  }
  // One memory may be a constant of several shapes.
  return DenseResourceElementsAttr::get(constant.getType(),
                                        other.getRawHandle());
}

void Shift::setNext(DenseResourceElementsAttr constant,
                    DenseResourceElementsAttr next) {
  made.try_emplace({getEntry(constant), 1}, next);
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

CopyRange Shift::getRange(LocationAttr location) {
  CopyRange range;
  FailureOr<std::optional<CopyLabel>> label = copies.findLocation(location);
  if (failed(label))
    return range;
  if (*label)
    return {(*label)->copy, (*label)->copy};
  SmallVector<Location> parts;
  if (!isa<OpaqueLoc>(location))
    prof::getParts(location, parts);
  for (Location part : parts)
    range.add(getRange(part));
  return range;
}

/// Whether two locations differ in their parts alone.
static bool areAlikeOutside(LocationAttr a, LocationAttr b) {
  if (a.getTypeID() != b.getTypeID())
    return false;
  if (auto name = dyn_cast<NameLoc>(a))
    return name.getName() == cast<NameLoc>(b).getName();
  if (auto fused = dyn_cast<FusedLoc>(a))
    return fused.getMetadata() == cast<FusedLoc>(b).getMetadata();
  return isa<CallSiteLoc>(a);
}

FailureOr<LocationAttr> Shift::shift(LocationAttr earlier, LocationAttr later,
                                     unsigned by) {
  if (earlier == later)
    return later;
  FailureOr<std::optional<CopyLabel>> one = copies.findLocation(earlier),
                                      next = copies.findLocation(later);
  if (failed(one) || failed(next))
    return failure();
  if (*one || *next) {
    if (!*one || !*next || (*one)->copy + 1 != (*next)->copy ||
        (*one)->slot != (*next)->slot)
      return failure();
    return copies.getLocation(copies.getNumber((*next)->copy, by),
                              (*next)->slot);
  }
  if (!areAlikeOutside(earlier, later))
    return failure();
  SmallVector<Location> before, parts;
  prof::getParts(earlier, before);
  prof::getParts(later, parts);
  if (parts.empty() || before.size() != parts.size())
    return failure();
  llvm::SmallDenseMap<Attribute, LocationAttr> shifted;
  for (auto [a, b] : llvm::zip_equal(before, parts)) {
    FailureOr<LocationAttr> other = shift(a, b, by);
    if (failed(other) || shifted.try_emplace(b, *other).first->second != *other)
      return failure();
  }
  return LocationAttr(prof::rebuildLocation(
      later, [&](Location part) { return shifted.lookup(part); }));
}

FailureOr<LocationAttr> Shift::shiftFrom(unsigned first, LocationAttr location,
                                         unsigned by) {
  FailureOr<std::optional<CopyLabel>> label = copies.findLocation(location);
  if (failed(label))
    return failure();
  if (*label)
    return (*label)->copy < first
               ? location
               : copies.getLocation(copies.getNumber((*label)->copy, by),
                                    (*label)->slot);
  SmallVector<Location> parts;
  prof::getParts(location, parts);
  if (parts.empty() || isa<OpaqueLoc>(location))
    return location;
  bool isShifted = true;
  Location result = prof::rebuildLocation(location, [&](Location part) {
    FailureOr<LocationAttr> other = shiftFrom(first, part, by);
    isShifted &= succeeded(other);
    return succeeded(other) ? Location(*other) : part;
  });
  if (!isShifted)
    return failure();
  return LocationAttr(result);
}
