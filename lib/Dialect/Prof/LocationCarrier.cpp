//===- LocationCarrier.cpp - Profile data in locations --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/LocationCarrier.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlirprof::prof;

/// The numbers of `metadata` under `name`, when it is the dictionary that the
/// functions below make: one entry of exactly `size` numbers.
static ArrayRef<int64_t> readNumbers(Attribute metadata, StringRef name,
                                     size_t size) {
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(metadata);
  if (!dictionary || dictionary.size() != 1)
    return {};
  auto numbers = dictionary.getAs<DenseI64ArrayAttr>(name);
  if (!numbers || size_t(numbers.size()) != size)
    return {};
  return numbers.asArrayRef();
}

static constexpr size_t kDataNumbers = 6;
static constexpr size_t kCoverageNumbers = 8;

/// Whether `location` was made by carryData or carryCoverage, or looks so.
static bool isCarrier(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto dictionary =
      fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : nullptr;
  if (!dictionary || dictionary.size() != 1)
    return false;
  StringRef name = dictionary.begin()->getName().getValue();
  return name == ProfDialect::getDataAttrName() ||
         name == ProfDialect::getCoverageAttrName();
}

static Location carry(Location location, StringRef name,
                      ArrayRef<int64_t> numbers) {
  MLIRContext *context = location.getContext();
  NamedAttribute entry(StringAttr::get(context, name),
                       DenseI64ArrayAttr::get(context, numbers));
  return FusedLoc::get(context, {location},
                       DictionaryAttr::getWithSorted(context, {entry}));
}

Location mlirprof::prof::carryData(Location location, int64_t source,
                                   DataAttr data) {
  return carry(location, ProfDialect::getDataAttrName(),
               {source, int64_t(data.getCount()), data.getExclusivePs(),
                data.getSharedPs(), data.getModelledPs(),
                data.getFirstBeginPs()});
}

Location mlirprof::prof::carryCoverage(Location location,
                                       CoverageAttr coverage) {
  return carry(location, ProfDialect::getCoverageAttrName(),
               {coverage.getOpTimePs(), coverage.getOwnedPs(),
                coverage.getOnePs(), coverage.getOneNamePs(),
                coverage.getSetPs(), coverage.getPartialPs(),
                coverage.getNonePs(), coverage.getMeanSetSizeMilli()});
}

/// Calls `visit` for every FusedLoc that says what `location` is made of, until
/// it returns true. Returns whether one did. Iterative, as call chains of
/// inlined code may be long.
static bool walkFused(Location location,
                      llvm::function_ref<bool(FusedLoc)> visit) {
  SmallVector<Location> pending = {location};
  while (!pending.empty()) {
    Location next = pending.pop_back_val();
    if (auto name = dyn_cast<NameLoc>(next)) {
      pending.push_back(name.getChildLoc());
    } else if (auto fused = dyn_cast<FusedLoc>(next)) {
      if (visit(fused))
        return true;
      // Reversed, so that the first is next.
      for (Location part : llvm::reverse(fused.getLocations()))
        pending.push_back(part);
    } else if (auto call = dyn_cast<CallSiteLoc>(next)) {
      if (carriesAnything(call.getCallee()))
        pending.push_back(call.getCallee());
      else
        pending.push_back(call.getCaller());
    }
  }
  return false;
}

void mlirprof::prof::collectData(Location location,
                                 SmallVectorImpl<CarriedData> &result) {
  walkFused(location, [&](FusedLoc fused) {
    ArrayRef<int64_t> numbers = readNumbers(
        fused.getMetadata(), ProfDialect::getDataAttrName(), kDataNumbers);
    if (numbers.empty())
      return false;
    Attribute identity = fused.getMetadata();
    if (llvm::any_of(result, [&](const CarriedData &other) {
          return other.identity == identity;
        }))
      return false;
    result.push_back(
        {identity, numbers[0],
         DataAttr::get(location.getContext(), uint64_t(numbers[1]), numbers[2],
                       numbers[3], numbers[4], numbers[5])});
    return false;
  });
}

CoverageAttr mlirprof::prof::findCoverage(Location location) {
  CoverageAttr result;
  walkFused(location, [&](FusedLoc fused) {
    ArrayRef<int64_t> n =
        readNumbers(fused.getMetadata(), ProfDialect::getCoverageAttrName(),
                    kCoverageNumbers);
    if (n.empty())
      return false;
    result = CoverageAttr::get(location.getContext(), n[0], n[1], n[2], n[3],
                               n[4], n[5], n[6], n[7]);
    return true;
  });
  return result;
}

bool mlirprof::prof::carriesAnything(Location location) {
  return location
      ->walk([](Location part) {
        return isCarrier(part) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `location` may carry anything, in a few steps: what nearly all
/// locations of a module that was read from text look like cannot.
static bool mayCarry(Location location) {
  while (auto name = dyn_cast<NameLoc>(location))
    location = name.getChildLoc();
  return !isa<FileLineColRange, UnknownLoc>(location);
}

uint64_t mlirprof::prof::stripLocations(Operation *root) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](FusedLoc fused) -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isCarrier(fused))
          return std::nullopt;
        // carry() fused exactly one location; more are there when a pass fused
        // locations of the same metadata.
        Location inner = fused;
        while (isCarrier(inner))
          inner = FusedLoc::get(fused.getContext(),
                                cast<FusedLoc>(inner).getLocations());
        return std::make_pair(Attribute(inner), WalkResult::advance());
      });

  auto strip = [&](Location location) -> Location {
    if (!mayCarry(location))
      return location;
    return cast<LocationAttr>(replacer.replace(location));
  };

  uint64_t stripped = 0;
  root->walk([&](Operation *op) {
    Location clean = strip(op->getLoc());
    stripped += clean != op->getLoc();
    op->setLoc(clean);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(strip(argument.getLoc()));
  });
  return stripped;
}
