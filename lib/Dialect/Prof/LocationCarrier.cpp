//===- LocationCarrier.cpp - Profile data in locations --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/LocationCarrier.h"
#include "mlir-prof/Dialect/Prof/LocationParts.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlirprof::prof;

/// The numbers of `metadata` under `name`, if it is a dictionary as the
/// functions below create it: one entry of exactly `size` numbers.
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

/// Whether `location` was created by carryData or carryCoverage, or has the
/// same form.
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
               {source, int64_t(data.getCount()), data.getSolePs(),
                data.getSharedPs(), data.getEstimatedPs(),
                data.getFirstBeginPs()});
}

Location mlirprof::prof::carryCoverage(Location location,
                                       CoverageAttr coverage) {
  return carry(location, ProfDialect::getCoverageAttrName(),
               {coverage.getOpTimePs(), coverage.getOwnedPs(),
                coverage.getUniquePs(), coverage.getAmbiguousPs(),
                coverage.getFusedPs(), coverage.getPartialPs(),
                coverage.getUnmatchedPs(), coverage.getMeanFusedMembersPpm()});
}

bool CarrierIndex::carries(Location location) {
  visitPartsFirst(
      location, [&](Location part) { return known.contains(part); },
      [&](Location part) {
        SmallVector<Location> parts;
        getParts(part, parts);
        bool any = isCarrier(part) || llvm::any_of(parts, [&](Location inner) {
                     return known.lookup(inner);
                   });
        known.try_emplace(part, any);
      });
  return known.lookup(location);
}

/// Calls `visit` once for every FusedLoc within `location` that carries
/// something, itself or in a part, until it returns true. Locations share their
/// parts: seen as trees they may be exponentially large.
static void walkFused(Location location, CarrierIndex &index,
                      llvm::function_ref<bool(FusedLoc)> visit) {
  llvm::DenseSet<Attribute> seen;
  SmallVector<Location> pending = {location};
  while (!pending.empty()) {
    Location next = pending.pop_back_val();
    if (!index.carries(next) || !seen.insert(next).second)
      continue;
    if (auto name = dyn_cast<NameLoc>(next)) {
      pending.push_back(name.getChildLoc());
    } else if (auto fused = dyn_cast<FusedLoc>(next)) {
      if (visit(fused))
        return;
      // Reversed, so that the first part is visited next.
      for (Location part : llvm::reverse(fused.getLocations()))
        pending.push_back(part);
    } else if (auto call = dyn_cast<CallSiteLoc>(next)) {
      pending.push_back(index.carries(call.getCallee()) ? call.getCallee()
                                                        : call.getCaller());
    }
  }
}

/// Whether the numbers are valid as times.
static bool areTimes(ArrayRef<int64_t> numbers) {
  return llvm::all_of(numbers, [](int64_t number) { return number >= 0; });
}

void mlirprof::prof::collectData(Location location,
                                 SmallVectorImpl<CarriedData> &result,
                                 CarrierIndex &index) {
  llvm::DenseSet<Attribute> identities;
  for (const CarriedData &data : result)
    identities.insert(data.identity);
  walkFused(location, index, [&](FusedLoc fused) {
    ArrayRef<int64_t> numbers = readNumbers(
        fused.getMetadata(), ProfDialect::getDataAttrName(), kDataNumbers);
    // The index of the source op and the number of events are not times, nor is
    // the begin of the first event, which may be before the clock's anchor.
    if (numbers.empty() || !areTimes(numbers.slice(2, 3)) ||
        !identities.insert(fused.getMetadata()).second)
      return false;
    result.push_back(
        {fused.getMetadata(), numbers[0],
         DataAttr::get(location.getContext(), uint64_t(numbers[1]), numbers[2],
                       numbers[3], numbers[4], numbers[5])});
    return false;
  });
}

void mlirprof::prof::collectData(Location location,
                                 SmallVectorImpl<CarriedData> &result) {
  CarrierIndex index;
  collectData(location, result, index);
}

CoverageAttr mlirprof::prof::findCoverage(Location location) {
  CoverageAttr result;
  CarrierIndex index;
  walkFused(location, index, [&](FusedLoc fused) {
    ArrayRef<int64_t> n =
        readNumbers(fused.getMetadata(), ProfDialect::getCoverageAttrName(),
                    kCoverageNumbers);
    if (n.empty() || !areTimes(n))
      return false;
    result = CoverageAttr::get(location.getContext(), n[0], n[1], n[2], n[3],
                               n[4], n[5], n[6], n[7]);
    return true;
  });
  return result;
}

bool mlirprof::prof::carriesAnything(Location location) {
  return CarrierIndex().carries(location);
}

namespace {

/// Removes carried data from locations, each unique one once.
class Stripper {
public:
  Location strip(Location location) {
    if (isPlainLocation(location) || !index.carries(location))
      return location;
    // Locations that do not carry anything stay, and so do their parts.
    visitPartsFirst(
        location,
        [&](Location part) {
          return !index.carries(part) || clean.contains(part);
        },
        [&](Location part) {
          clean.try_emplace(part, LocationAttr(rebuild(part)));
        });
    return get(location);
  }

private:
  Location get(Location location) const {
    auto found = clean.find(location);
    return found == clean.end() ? location : Location(found->second);
  }

  /// `location` rebuilt from clean parts.
  Location rebuild(Location location) const {
    auto getClean = [this](Location part) { return get(part); };
    if (!isCarrier(location))
      return rebuildLocation(location, getClean);
    SmallVector<Location> parts =
        llvm::map_to_vector(cast<FusedLoc>(location).getLocations(), getClean);
    // carry() fused exactly one location; there are more if a pass fused
    // locations with the same metadata.
    return parts.size() == 1 ? parts.front()
                             : FusedLoc::get(location.getContext(), parts);
  }

  CarrierIndex index;
  llvm::DenseMap<Attribute, LocationAttr> clean;
};

} // namespace

uint64_t mlirprof::prof::stripLocations(Operation *root) {
  Stripper stripper;
  uint64_t stripped = 0;
  root->walk([&](Operation *op) {
    Location clean = stripper.strip(op->getLoc());
    stripped += clean != op->getLoc();
    op->setLoc(clean);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(stripper.strip(argument.getLoc()));
  });
  return stripped;
}
