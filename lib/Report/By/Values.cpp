//===- Values.cpp - The report of values ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ValuePlaces.h"
#include "Reports.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static int64_t getPpm(uint64_t part, uint64_t whole) {
  return whole ? int64_t((__int128(part) * 2000000 + whole) /
                         (__int128(whole) * 2))
               : 0;
}

static void addRows(Table &table, const Profile &profile,
                    llvm::ArrayRef<std::vector<uint32_t>> indices,
                    const ValuePlaceKey &key, const ValuePlace &place,
                    bool hasInstances) {
  auto [programIndex, node, kind, instance] = key;
  std::string op, function, location, level;
  Cell index;
  if (programIndex != kNone &&
      node < profile.programs[programIndex].nodes.size()) {
    const Program &program = profile.programs[programIndex];
    const ProgramNode &info = program.nodes[node];
    op = getString(program, info.op).str();
    level = program.levels[info.level];
    index = getIndexCell({programIndex, indices[programIndex][node]});
    function = getFunctionName(program, node).str();
    location = getPlace(program, node);
  }
  std::string names = llvm::join(place.names, ", ");
  auto add = [&, programIndex = programIndex, kind = kind,
              instance = instance](Cell tuple, uint64_t count) {
    std::vector<Cell> cells = {
        toString(kind), index,
        function,       op,
        location,       names,
        tuple,          count,
        place.total,    getPpm(count, place.total),
        level,          programIndex == kNone ? Cell() : Cell(programIndex)};
    if (hasInstances)
      cells.push_back(instance == kNone ? Cell() : Cell(instance));
    table.addRow(std::move(cells));
  };
  for (const auto &[tuple, count] : place.counts)
    add(Cell::makeList(tuple), count);
  if (place.other)
    add(Cell(), place.other);
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  bool withInstances = hasInstances(input.profile);
  std::vector<Column> columns = {
      {"kind", "kind", ColumnKind::Text},
      {"index", "#", ColumnKind::Number},
      {"function", "function", ColumnKind::Text},
      {"op", "op", ColumnKind::Text},
      {"location", "location", ColumnKind::Text},
      {"names", "names", ColumnKind::Text},
      {"values", "values", ColumnKind::List},
      {"count", "count", ColumnKind::Count},
      {"total", "total", ColumnKind::Count},
      {"share_ppm", "share", ColumnKind::Share},
      {"level", "level", ColumnKind::Text},
      getProgramColumn(input.profile.programs.size() > 1)};
  if (withInstances)
    columns.push_back({"instance", "dispatch", ColumnKind::Number});
  Table table(std::move(columns));
  table.defaultOrder = {
      {0, false}, {1, false}, {7, true}, {6, false}, {11, false}};
  if (withInstances)
    table.defaultOrder.push_back({12, false});
  std::vector<std::vector<uint32_t>> indices;
  for (const Program &program : input.profile.programs)
    indices.push_back(getOpIndices(program));
  for (const auto &[key, place] : mergeValues(input.profile))
    addRows(table, input.profile, indices, key, place, withInstances);
  return table;
}

ReportKind report::Values() {
  return {"value",
          "dynamic dimensions, arguments, trip counts and branches that runs "
          "observed",
          Needs::Program, build};
}
