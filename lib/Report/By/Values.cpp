//===- Values.cpp - The report of values ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Numbers.h"
#include "Reports.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlirprof;

static llvm::StringRef toString(ValueKind kind) {
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

namespace {
/// What all runs saw at one place.
struct Place {
  std::vector<std::string> names;
  std::map<std::vector<int64_t>, uint64_t> counts;
  uint64_t other = 0;
  uint64_t total = 0;
};
using PlaceKey = std::tuple<uint32_t, uint32_t, ValueKind>;
} // namespace

static std::map<PlaceKey, Place> mergeValues(const Profile &profile) {
  std::map<PlaceKey, Place> places;
  ProgramIndex programs(profile);
  for (const Run &run : profile.runs)
    for (const ValueTable &table : run.values) {
      PlaceKey key(programs.findProgram(table.program), table.node, table.kind);
      Place &place = places[key];
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

static std::string formatTuple(llvm::ArrayRef<int64_t> tuple) {
  return llvm::join(
      llvm::map_range(tuple, [](int64_t value) { return llvm::itostr(value); }),
      " x ");
}

static int64_t getPermille(uint64_t part, uint64_t whole) {
  return whole
             ? int64_t((__int128(part) * 2000 + whole) / (__int128(whole) * 2))
             : 0;
}

static void addRows(Table &table, const Profile &profile, const PlaceKey &key,
                    const Place &place) {
  uint32_t programIndex = std::get<0>(key), node = std::get<1>(key);
  ValueKind kind = std::get<2>(key);
  std::string op, function, location;
  if (programIndex != kNone &&
      node < profile.programs[programIndex].nodes.size()) {
    const Program &program = profile.programs[programIndex];
    op = getString(program, program.nodes[node].op).str();
    function = getFunctionName(program, node).str();
    location = getPlace(program, node);
  }
  std::string names = llvm::join(place.names, ", ");
  Cell id = node == kNone ? Cell() : Cell(node);
  auto add = [&](llvm::StringRef tuple, uint64_t count) {
    table.addRow({toString(kind), id, function, op, location, names, tuple,
                  count, place.total, getPermille(count, place.total)});
  };
  for (const auto &[tuple, count] : place.counts)
    add(formatTuple(tuple), count);
  if (place.other)
    add("(other)", place.other);
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  Table table({{"kind", "kind", ColumnKind::Text},
               {"id", "id", ColumnKind::Number},
               {"function", "function", ColumnKind::Text},
               {"op", "op", ColumnKind::Text},
               {"location", "location", ColumnKind::Text},
               {"names", "names", ColumnKind::Text},
               {"values", "values", ColumnKind::Text},
               {"count", "count", ColumnKind::Count},
               {"total", "total", ColumnKind::Count},
               {"share_permille", "share", ColumnKind::Permille}});
  table.defaultOrder = {{0, false}, {1, false}, {7, true}, {6, false}};
  for (const auto &[key, place] : mergeValues(input.profile))
    addRows(table, input.profile, key, place);
  return table;
}

ReportKind report::Values() {
  return {"value",
          "dynamic dimensions, arguments, trip counts and branches that runs "
          "observed",
          Needs::Program, build};
}
