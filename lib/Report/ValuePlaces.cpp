//===- ValuePlaces.cpp - Values that runs observed, merged ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValuePlaces.h"
#include "mlir-prof/Profile/ValueSums.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

llvm::StringRef report::toString(ValueKind kind) {
  switch (kind) {
  case ValueKind::Dimensions:
    return "dimensions";
  case ValueKind::Trips:
    return "trips";
  case ValueKind::Branch:
    return "branch";
  case ValueKind::Arguments:
    return "arguments";
  }
  return "unknown";
}

std::map<ValuePlaceKey, ValuePlace>
report::mergeValues(const Profile &profile) {
  std::map<ValuePlaceKey, ValuePlace> places;
  ProgramIndex programs(profile);
  for (const ValueTable &table : sumValues(profile)) {
    ValuePlaceKey key(programs.findProgram(table.program), table.node,
                      table.kind, table.instance);
    ValuePlace &place = places[key];
    place.names = table.names;
    for (const ValueCount &entry : table.entries) {
      addSaturating(place.counts[entry.tuple], entry.count);
      addSaturating(place.total, entry.count);
    }
    addSaturating(place.other, table.other);
    addSaturating(place.total, table.other);
  }
  return places;
}
