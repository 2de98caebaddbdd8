//===- Chains.cpp - The report of hot instructions ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Report/RollUp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Further ops are counted rather than named.
static constexpr size_t kMaxNames = 4;

/// "linalg.matmul + linalg.generic", each once.
static std::string joinNames(const Program &program,
                             llvm::ArrayRef<uint32_t> nodes,
                             llvm::function_ref<std::string(uint32_t)> name) {
  llvm::SmallVector<std::string> names;
  size_t more = 0;
  for (uint32_t node : nodes) {
    std::string text = name(node);
    if (text.empty() || llvm::is_contained(names, text))
      continue;
    if (names.size() < kMaxNames)
      names.push_back(std::move(text));
    else
      ++more;
  }
  if (more)
    names.push_back(llvm::utostr(more) + " more");
  return llvm::join(names, " + ");
}

/// The levels of all programs except the instructions, last to first.
static std::vector<std::string> getLevelsUp(const Profile &profile) {
  std::vector<std::string> levels = getLevels(profile);
  llvm::erase(levels, kAsmLevel.str());
  std::reverse(levels.begin(), levels.end());
  return levels;
}

/// The dispatch comes before the data-only offset, the last one.
static std::vector<Column> getColumns(llvm::ArrayRef<std::string> levels,
                                      bool hasInstances) {
  std::vector<Column> columns = {
      {"time_ps", "time", ColumnKind::Time},
      {"count", "count", ColumnKind::Count},
      {"address", "address", ColumnKind::Text},
      {"instruction", "instruction", ColumnKind::Text},
      {"callee", "callee", ColumnKind::Text}};
  for (const std::string &level : levels) {
    // Levels may have arbitrary names; names of columns must be unique.
    bool taken = llvm::any_of(
        columns, [&](const Column &column) { return column.name == level; });
    taken |= level == "location" || level == "offset" || level == "instance";
    columns.push_back(
        {taken ? level + "_level" : level, level, ColumnKind::Text});
  }
  columns.push_back({"location", "location", ColumnKind::Text});
  if (hasInstances)
    columns.push_back({"instance", "dispatch", ColumnKind::Number});
  columns.push_back(
      {"offset", "offset", ColumnKind::Number, ColumnUse::DataOnly});
  return columns;
}

/// "linalg.matmul", or for an op in its body "linalg.matmul: arith.mulf".
static std::string describeOp(const Program &program, uint32_t node) {
  std::string text = getString(program, program.nodes[node].op).str();
  uint32_t whole = getWholeOp(program, node);
  if (whole == node)
    return text;
  return (getString(program, program.nodes[whole].op) + ": " + text).str();
}

static void addRow(Table &table, llvm::ArrayRef<std::string> levels,
                   const OpSummary &op, const OpKey &key,
                   const Program &program, uint32_t instruction,
                   bool hasInstances) {
  std::vector<std::vector<uint32_t>> chain =
      getChain(program, instruction, getInstance(key));
  std::vector<std::string> texts;
  for (const std::string &level : levels) {
    uint32_t index = findLevel(program, level);
    texts.push_back(
        index < chain.size()
            ? joinNames(
                  program, chain[index],
                  [&](uint32_t node) { return describeOp(program, node); })
            : std::string());
  }
  if (!chain.empty())
    texts.push_back(joinNames(program, chain.front(), [&](uint32_t node) {
      return getPlace(program, getWholeOp(program, node));
    }));
  texts.resize(levels.size() + 1);
  llvm::SmallVector<Cell> cells = {
      op.getTimePs(), op.getCount(), key.op,
      getString(program, program.instructions[instruction].text)};
  cells.push_back(key.kernel.empty() ? Cell() : Cell(key.kernel));
  for (const std::string &text : texts)
    cells.push_back(text.empty() ? Cell() : Cell(text));
  if (hasInstances)
    cells.push_back(getInstance(key) == kNone ? Cell()
                                              : Cell(getInstance(key)));
  cells.push_back(program.instructions[instruction].address);
  table.addRow(cells);
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  std::vector<std::string> levels = getLevelsUp(input.profile);
  bool hasInstances =
      llvm::any_of(input.profile.programs, [](const Program &program) {
        return !program.instances.empty();
      });
  Table table(getColumns(levels, hasInstances));
  table.defaultOrder = {
      {0, true}, {*table.findColumn("offset"), false}, {4, false}};
  if (hasInstances)
    table.defaultOrder.push_back({*table.findColumn("instance"), false});
  table.weightColumn = 0;
  table.weightTotal = getOpTimePs(merged);
  ProgramIndex programs(input.profile);
  for (const OpSummary &op : merged) {
    const OpKey &key = input.profile.opKeys[op.op];
    MeasuredNode measured = programs.find(key);
    if (key.is<CodeKey>() && measured.index != kNone &&
        !op.measurements.empty())
      addRow(table, levels, op, key, input.profile.programs[measured.program],
             measured.index, hasInstances);
  }
  return table;
}

ReportKind report::Chains() {
  return {
      "chain",
      "instructions, each with the ops that it came from, level by level up "
      "to the input",
      Needs::Program, build};
}
