//===- Splits.cpp - The report of loops split among ops -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;

/// "main+0x1a4..0x1f0", or offsets in the text section outside of functions.
static std::string getLoopName(const Program &program, uint32_t index) {
  const MachineLoop &loop = program.loops[index];
  for (const MachineFunction &function : program.functions)
    if (function.begin <= loop.begin && loop.begin < function.end)
      return function.name + "+0x" +
             llvm::utohexstr(loop.begin - function.begin, true) + "..0x" +
             llvm::utohexstr(loop.end - function.begin, true);
  return "0x" + llvm::utohexstr(loop.begin, true) + "..0x" +
         llvm::utohexstr(loop.end, true);
}

static void addLoop(Table &table, const Profile &profile,
                    const ProgramMatch &match, const LoopSplit &split) {
  const Program &program = profile.programs[split.program];
  std::string name = getLoopName(program, split.loop);
  if (split.instance != trace::kNone)
    name += " in dispatch " + std::to_string(split.instance);
  __int128 weights = 0;
  for (const LoopPart &part : split.parts)
    weights += part.weight;
  for (const LoopPart &part : split.parts) {
    const MlirOp &op = match.ownership.ops[part.row];
    // Instructions of several ops count in parts.
    int64_t instructions =
        split.unit ? int64_t(__int128(part.weight) * 1000000 / split.unit) : 0;
    int64_t ppm = weights
                      ? int64_t((__int128(part.weight) * 2000000 + weights) /
                                (weights * 2))
                      : 0;
    OpNumber number = match.ownership.getNumber(part.row);
    table.addRow({name, op.op, getPlace(op), instructions, ppm,
                  part.estimatedPs, part.rawPs, split.timePs,
                  split.unidentifiedPs, getIndexCell(number),
                  int64_t(split.loop), program.loops[split.loop].begin,
                  program.loops[split.loop].end, number.program});
  }
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  Table table(
      {{"loop", "machine loop", ColumnKind::Text},
       {"op", "op", ColumnKind::Text},
       {"location", "location", ColumnKind::Text},
       {"instructions_ppm", "instructions", ColumnKind::Ratio},
       {"share_ppm", "of loop", ColumnKind::Share},
       {"estimated_ps", "estimated", ColumnKind::Time},
       {"raw_ps", "raw", ColumnKind::Time},
       {"loop_ps", "loop", ColumnKind::Time},
       {"unidentified_ps", "no op", ColumnKind::Time},
       {"index", "#", ColumnKind::Number},
       {"loop_number", "loop number", ColumnKind::Number},
       {"begin_offset", "begin", ColumnKind::Number, ColumnUse::DataOnly},
       {"end_offset", "end", ColumnKind::Number, ColumnUse::DataOnly},
       getProgramColumn(input.profile.programs.size() > 1)});
  table.defaultOrder = {{7, true}, {10, false}, {5, true}, {2, false}};
  table.weightColumn = 5;
  std::string level = getInputLevel(input);
  LevelTimes times = getLevelTimes(input.profile, level);
  for (const LoopSplit &split : splitLoops(input.profile, level, times.match))
    addLoop(table, input.profile, times.match, split);
  table.weightTotal = times.attribution.coverage.opTimePs;
  return table;
}

ReportKind report::Splits() {
  return {
      "split",
      "ops whose instructions share a loop of machine code: the time by the "
      "split, and by the program counter alone",
      Needs::Program, build};
}
