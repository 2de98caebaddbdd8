//===- ReportTables.cpp - SQL tables of the contents of reports -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ThreadTable.h"
#include "../ValuePlaces.h"
#include "SqlTables.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::report::sql;
using namespace mlirprof::trace;

/// Adds the rows of a report; SQL uses another name for its column "index".
static void addReport(const Table &table, llvm::ArrayRef<SqlColumn> columns,
                      AddRow add) {
  std::vector<uint32_t> positions;
  for (const SqlColumn &column : columns) {
    llvm::StringRef name = column.name;
    auto found = table.findColumn(name == "mlir" ? "index" : name);
    assert(found && "a column of the report");
    positions.push_back(*found);
  }
  for (uint32_t row = 0; row < table.size(); ++row) {
    std::vector<Cell> cells;
    for (uint32_t column : positions) {
      if (table.isNull(row, column))
        cells.emplace_back();
      else if (isKeptAsText(table.getColumns()[column].kind))
        cells.emplace_back(table.getText(row, column));
      else
        cells.emplace_back(table.getInteger(row, column));
    }
    if (!add(cells))
      return;
  }
}

static Table buildTable(const ReportInput &input, llvm::StringRef report) {
  return llvm::cantFail(findReport(report))
      ->build(input, mergeRuns(input.profile), RowSelection::All);
}

//===----------------------------------------------------------------------===//
// loops
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kLoops[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"level", kText, "see levels"},
    {"mlir", kInteger, "index in the module of its level, see nodes"},
    {"function", kText, "the function that holds it"},
    {"op", kText, "its name, such as scf.for"},
    {"depth", kInteger, "loops around it in its function"},
    {"height", kInteger, "levels of loops in it"},
    {"parent", kInteger, "index (mlir) of the loop around it"},
    {"trips", kInteger, "iterations per entry, if always the same"},
    {"trips_min", kInteger, "fewest"},
    {"trips_max", kInteger, "most"},
    {"trips_mean_ppm", kInteger, "mean, in millionths"},
    {"trips_other", kInteger, "entries whose iterations were not kept"},
    {"executions", kInteger, "how often it was entered"},
    {"time_ps", kInteger, "its time"},
    {"self_ps", kInteger, "without the loops in it"},
    {"raw_ps", kInteger, "time before the cost of probes was subtracted"},
    {"raw_self_ps", kInteger, "the same, without the loops in it"},
    {"location", kText, "name or place of its op"},
};

static void fillLoops(const ReportInput &input, AddRow add) {
  for (const std::string &level : getLevels(input.profile)) {
    ReportInput ofLevel = input;
    ofLevel.level = level;
    addReport(buildTable(ofLevel, "loop"), kLoops, add);
  }
}

SqlTable sql::makeLoops() {
  return {"loops", "loops of all MLIR levels, as report --by=loop has them",
          kLoops, fillLoops, findMissingProgram};
}

//===----------------------------------------------------------------------===//
// roofline
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kRoofline[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"mlir", kInteger, "index in the module of the input, see nodes"},
    {"op", kText, "its name, such as linalg.matmul"},
    {"location", kText, "name or place of the op"},
    {"time_ps", kInteger, "its time in all iterations"},
    {"iterations", kInteger, "number of these; NULL if unknown"},
    {"iteration_ps", kInteger, "time in one"},
    {"flops", kInteger, "floating point operations in one"},
    {"bytes", kInteger, "bytes of operands and results in one"},
    {"flops_per_second", kInteger, "rate per thread"},
    {"bytes_per_second", kInteger, "rate per thread"},
    {"intensity_ppm", kInteger, "operations per byte, in millionths"},
    {"attainable_ppm", kInteger, "part of the attainable rate, in millionths"},
    {"peak_ppm", kInteger, "part of the peak of operations, in millionths"},
    {"bound", kText, "compute, memory, cache, above peak or unknown"},
    {"reason", kText, "why a figure is NULL"},
};

static void fillRoofline(const ReportInput &input, AddRow add) {
  addReport(buildTable(input, "roofline"), kRoofline, add);
}

SqlTable sql::makeRoofline() {
  return {"roofline", "how close ops of the input are to the machine's limits",
          kRoofline, fillRoofline, findMissingProgram};
}

//===----------------------------------------------------------------------===//
// observed_values
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kObservedValues[] = {
    {"tuple", kInteger, "number of the tuple; one row for each of its values"},
    {"program", kInteger, "number of the program, from 0"},
    {"level", kText, "see levels"},
    {"mlir", kInteger, "index in the module of its level, see nodes"},
    {"kind", kText, "dimensions, arguments, trips or branch"},
    {"function", kText, "the function that it is in"},
    {"position", kInteger, "position in the tuple; NULL: tuples not kept"},
    {"name", kText, "source of the value, such as arg0.dim0"},
    {"value", kInteger, "the value"},
    {"count", kInteger, "how often the tuple was observed"},
    {"total", kInteger, "how often any tuple was observed at the place"},
    {"instance", kInteger, "the dispatch in which it was; see instances"},
};

static void fillObservedValues(const ReportInput &input, AddRow add) {
  const Profile &profile = input.profile;
  std::vector<std::vector<uint32_t>> indices;
  for (const Program &program : profile.programs)
    indices.push_back(getOpIndices(program));
  int64_t number = 0;
  for (const auto &[key, place] : mergeValues(profile)) {
    auto [program, node, kind, instance] = key;
    Cell level, index;
    std::string function;
    if (program != kNone && node < profile.programs[program].nodes.size()) {
      const Program &of = profile.programs[program];
      level = of.levels[of.nodes[node].level];
      index = getIndexCell({program, indices[program][node]});
      function = getFunctionName(of, node).str();
    }
    uint64_t total = place.total;
    auto addValue = [&, program = program, kind = kind, instance = instance](
                        Cell position, Cell name, Cell value, uint64_t count) {
      add({number, program == kNone ? Cell() : Cell(program), level, index,
           toString(kind), function.empty() ? Cell() : Cell(function), position,
           name, value, count, total,
           instance == kNone ? Cell() : Cell(instance)});
    };
    for (const auto &[tuple, count] : place.counts) {
      for (size_t i = 0; i < tuple.size(); ++i)
        addValue(uint64_t(i),
                 i < place.names.size() ? Cell(place.names[i]) : Cell(),
                 tuple[i], count);
      ++number;
    }
    if (place.other) {
      addValue({}, {}, {}, place.other);
      ++number;
    }
  }
}

SqlTable sql::makeObservedValues() {
  return {"observed_values",
          "sizes, arguments, trips and branches that runs observed",
          kObservedValues, fillObservedValues, findMissingProgram};
}

//===----------------------------------------------------------------------===//
// thread_classes
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kThreadClassColumns[] = {
    {"run", kInteger, "see runs"},
    {"track", kInteger, "see tracks"},
    {"thread", kText, "name of the thread"},
    {"line", kInteger, "its position"},
    {"class", kText,
     "work, library, kernel, waiting, outside; of an executor "
     "also stealing and executor"},
    {"time_ps", kInteger, "time of the thread in that"},
    {"samples", kInteger, "samples of it"},
};

static void fillThreadClasses(const ReportInput &input, AddRow add) {
  for (const ThreadTimes &thread : getThreads(input.profile))
    for (auto [i, name] : llvm::enumerate(kThreadClasses))
      if (i < kClassesOfAll || thread.samples[i] != 0)
        add({thread.run, thread.number, thread.track->name, thread.track->line,
             llvm::StringRef(name), thread.timesPs[i], thread.samples[i]});
}

SqlTable sql::makeThreadClasses() {
  return {"thread_classes", "activity of the threads of a recording",
          kThreadClassColumns, fillThreadClasses, findMissingProgram};
}
