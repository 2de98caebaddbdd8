//===- Identity.cpp - Identities in locations -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Dialect/Prof/LocationParts.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::prof;
using prof::Identities;
using prof::IdentityTable;
using prof::kMaxIdentities;

static constexpr StringLiteral kKey = "prof";

namespace {
/// Marks opaque locations that are identities.
struct IdentityNumber {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(IdentityNumber)
};
} // namespace

/// `location` if it is an identity of the form Number, else null.
static OpaqueLoc getNumber(LocationAttr location) {
  auto opaque = dyn_cast<OpaqueLoc>(location);
  return opaque && opaque.getUnderlyingTypeID() == TypeID::get<IdentityNumber>()
             ? opaque
             : nullptr;
}

/// The dictionary of `location` if it is fused and has the key `prof`.
static DictionaryAttr getMarked(LocationAttr location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto metadata =
      fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : nullptr;
  return metadata && metadata.contains(kKey) ? metadata : nullptr;
}

/// The identity of `location` itself, ignoring its parts.
static std::optional<uint32_t> getOwn(LocationAttr location) {
  if (OpaqueLoc number = getNumber(location))
    return uint32_t(number.getUnderlyingLocation());
  auto fused = dyn_cast<FusedLoc>(location);
  auto metadata =
      fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : nullptr;
  auto number = metadata ? metadata.getAs<IntegerAttr>(kKey) : nullptr;
  if (!number || !number.getType().isSignlessInteger(32) ||
      number.getValue().isNegative())
    return std::nullopt;
  return uint32_t(number.getInt());
}

prof::IdentityWriter::IdentityWriter(MLIRContext *context, IdentityForm form)
    : form(form), key(StringAttr::get(context, kKey)),
      type(IntegerType::get(context, 32)) {}

Location prof::IdentityWriter::add(Location location, uint32_t id) const {
  if (form == IdentityForm::Number)
    return OpaqueLoc::get(id, TypeID::get<IdentityNumber>(), location);
  MLIRContext *context = location.getContext();
  NamedAttribute entry(key, IntegerAttr::get(type, int32_t(id)));
  return FusedLoc::get(context, {location},
                       DictionaryAttr::getWithSorted(context, {entry}));
}

Location prof::addIdentity(Location location, uint32_t id) {
  return IdentityWriter(location.getContext()).add(location, id);
}

/// The location that addIdentity wrapped; null if `location` is something else.
static LocationAttr getWrapped(LocationAttr location) {
  if (OpaqueLoc number = getNumber(location))
    return number.getFallbackLocation();
  auto fused = dyn_cast<FusedLoc>(location);
  auto metadata =
      fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : nullptr;
  bool isWrapper = metadata && fused.getLocations().size() == 1 &&
                   metadata.size() == 1 && metadata.contains(kKey);
  return isWrapper ? LocationAttr(fused.getLocations().front())
                   : LocationAttr();
}

/// Drops identities beyond the limit.
static void limit(SmallVectorImpl<uint32_t> &ids, Identities &result) {
  if (ids.size() <= kMaxIdentities)
    return;
  result.cut += ids.size() - kMaxIdentities;
  ids.truncate(kMaxIdentities);
}

/// Adds the identities of one more part of a fused location.
static void fuse(const Identities &part, Identities &whole) {
  if (part.owners.empty())
    return;
  if (whole.owners.empty()) {
    whole = part;
    return;
  }
  SmallVector<uint32_t, 2> owners;
  std::set_union(whole.owners.begin(), whole.owners.end(), part.owners.begin(),
                 part.owners.end(), std::back_inserter(owners));
  whole.cut += part.cut;
  limit(owners, whole);
  whole.owners = std::move(owners);
  // The outermost callers are last.
  size_t common = 0;
  size_t shorter = std::min(whole.callers.size(), part.callers.size());
  while (common < shorter &&
         whole.callers.rbegin()[common] == part.callers.rbegin()[common])
    ++common;
  whole.callers.erase(whole.callers.begin(), whole.callers.end() - common);
}

/// For code that `caller` has called.
static Identities inlineInto(Identities callee, const Identities &caller) {
  if (callee.owners.empty())
    return caller;
  llvm::append_range(callee.callers, caller.owners);
  llvm::append_range(callee.callers, caller.callers);
  callee.cut += caller.cut;
  limit(callee.callers, callee);
  return callee;
}

Identities IdentityTable::read(Location location) const {
  if (std::optional<uint32_t> own = getOwn(location))
    return {{*own}, {}};
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return inlineInto(known.lookup(call.getCallee()),
                      known.lookup(call.getCaller()));
  SmallVector<Location> parts;
  getParts(location, parts);
  Identities result;
  for (Location part : parts)
    fuse(known.lookup(part), result);
  return result;
}

Identities IdentityTable::get(Location location) {
  // The fast path for nearly all locations.
  if (std::optional<uint32_t> own = getOwn(location))
    return {{*own}, {}};
  if (isPlainLocation(location))
    return {};
  visitPartsFirst(
      location, [&](Location part) { return known.contains(part); },
      [&](Location part) { known.try_emplace(part, read(part)); });
  return known.lookup(location);
}

/// The first of the parts of `location`; null if it does not have any.
static LocationAttr getFirstPart(LocationAttr location) {
  if (auto fused = dyn_cast<FusedLoc>(location))
    return fused.getLocations().empty()
               ? LocationAttr()
               : LocationAttr(fused.getLocations().front());
  SmallVector<Location> parts;
  if (!isPlainLocation(location))
    getParts(location, parts);
  return parts.empty() ? LocationAttr() : LocationAttr(parts.front());
}

bool IdentityTable::has(Location location) {
  if (getNumber(location))
    return true;
  if (auto known = holders.find(location); known != holders.end())
    return known->second;
  // The first of the parts of nearly all locations has one.
  bool isHolder = false;
  for (LocationAttr part = location; part && !isHolder;
       part = getFirstPart(part))
    isHolder = getOwn(part).has_value();
  return holders[location] = isHolder || !get(location).owners.empty();
}

/// `location`, with the given `parts`, without its own mark.
static Location removeOwn(FusedLoc location, DictionaryAttr metadata,
                          ArrayRef<Location> parts) {
  MLIRContext *context = location.getContext();
  NamedAttrList others(metadata);
  others.erase(kKey);
  if (!others.empty())
    return FusedLoc::get(context, parts, others.getDictionary(context));
  // A single part is returned directly.
  return FusedLoc::get(context, parts);
}

Location IdentityTable::remove(Location location) {
  // The fast path for nearly all locations.
  while (LocationAttr wrapped = getWrapped(location))
    location = wrapped;
  if (isPlainLocation(location))
    return location;
  auto get = [&](Location part) { return Location(clean.lookup(part)); };
  visitPartsFirst(
      location, [&](Location part) { return clean.contains(part); },
      [&](Location part) {
        Location bare = part;
        if (OpaqueLoc number = getNumber(part)) {
          bare = get(number.getFallbackLocation());
        } else if (DictionaryAttr metadata = getMarked(part)) {
          auto fused = cast<FusedLoc>(part);
          bare = removeOwn(fused, metadata,
                           llvm::map_to_vector(fused.getLocations(), get));
        } else {
          bare = rebuildLocation(part, get);
        }
        clean.try_emplace(part, LocationAttr(bare));
      });
  return get(location);
}

Identities prof::getIdentities(Location location) {
  return IdentityTable().get(location);
}

bool prof::hasIdentity(Location location) {
  return IdentityTable().has(location);
}

Location prof::removeIdentities(Location location) {
  return IdentityTable().remove(location);
}

bool prof::needsIdentity(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return false;
  bool inFunction = false;
  for (Operation *around = op; around; around = around->getParentOp()) {
    if (around->getName().getDialectNamespace() == "transform")
      return false;
    inFunction |= around != op && isa<FunctionOpInterface>(around);
  }
  return inFunction;
}

bool prof::IdentityNeed::operator()(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->getName().getDialectNamespace() == "transform")
    return false;
  if (!parent || op->getParentOp() != parent) {
    parent = op->getParentOp();
    isNeeded = needsIdentity(op);
  }
  return isNeeded;
}
