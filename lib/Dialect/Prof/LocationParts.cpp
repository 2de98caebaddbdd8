//===- LocationParts.cpp - The parts of locations -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/LocationParts.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::prof;

void prof::getParts(LocationAttr location, SmallVectorImpl<Location> &parts) {
  if (auto name = dyn_cast<NameLoc>(location)) {
    parts.push_back(name.getChildLoc());
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    parts.push_back(call.getCallee());
    parts.push_back(call.getCaller());
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    llvm::append_range(parts, fused.getLocations());
  } else if (auto opaque = dyn_cast<OpaqueLoc>(location)) {
    parts.push_back(opaque.getFallbackLocation());
  }
}

void prof::visitPartsFirst(Location location,
                           llvm::function_ref<bool(Location)> isKnown,
                           llvm::function_ref<void(Location)> visit) {
  SmallVector<Location> stack = {location};
  SmallVector<Location> parts;
  while (!stack.empty()) {
    Location current = stack.back();
    if (!isKnown(current)) {
      parts.clear();
      getParts(current, parts);
      llvm::erase_if(parts, isKnown);
      if (!parts.empty()) {
        stack.append(parts.begin(), parts.end());
        continue;
      }
      visit(current);
    }
    stack.pop_back();
  }
}

Location prof::rebuildLocation(Location location,
                               llvm::function_ref<Location(Location)> get) {
  if (auto name = dyn_cast<NameLoc>(location))
    return NameLoc::get(name.getName(), get(name.getChildLoc()));
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return CallSiteLoc::get(get(call.getCallee()), get(call.getCaller()));
  if (auto opaque = dyn_cast<OpaqueLoc>(location))
    return OpaqueLoc::get(opaque.getUnderlyingLocation(),
                          opaque.getUnderlyingTypeID(),
                          get(opaque.getFallbackLocation()));
  auto fused = dyn_cast<FusedLoc>(location);
  if (!fused)
    return location;
  SmallVector<Location> parts;
  for (Location part : fused.getLocations())
    parts.push_back(get(part));
  // Parts that differed only in the removed data are now equal.
  return ArrayRef<Location>(parts) == fused.getLocations()
             ? location
             : FusedLoc::get(parts, fused.getMetadata(), location.getContext());
}

bool prof::isPlainLocation(Location location) {
  while (auto name = dyn_cast<NameLoc>(location))
    location = name.getChildLoc();
  return isa<FileLineColRange, UnknownLoc>(location);
}
