//===- Framework.cpp - Which op a task belongs to -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Framework.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static constexpr uint32_t kLowBits = 0xffff;

void TaskTable::add(TaskId task, uint32_t op) {
  auto &same = byTask[{task.first, task.second & kLowBits}];
  // The file repeats the tasks of every iteration.
  for (uint32_t row : same)
    if (rows[row].task == task)
      return;
  uint32_t row = uint32_t(rows.size());
  rows.push_back({task, op});
  auto at = llvm::find_if(same, [&](uint32_t other) {
    return rows[other].task.second > task.second;
  });
  same.insert(at, row);
}

TaskTable::Finder::Finder(const TaskTable &table, const std::set<TaskId> &seen)
    : table(table) {
  constexpr uint32_t kFirstApart = 25000;
  std::set<uint32_t> ambiguous;
  for (const Row &row : table.rows) {
    uint32_t number = row.task.second & kLowBits;
    if (number < kFirstApart || seen.count({row.task.first, number}))
      continue;
    auto [it, isNew] = byNumber.try_emplace(number, row.op);
    if (!isNew && it->second != row.op)
      ambiguous.insert(number);
  }
  for (uint32_t number : ambiguous)
    byNumber.erase(number);
}

uint32_t TaskTable::Finder::find(TaskId task) {
  auto same = table.byTask.find({task.first, task.second & kLowBits});
  if (same == table.byTask.end()) {
    auto apart = byNumber.find(task.second & kLowBits);
    return apart == byNumber.end() ? kNone : apart->second;
  }
  llvm::ArrayRef<uint32_t> rows = same->second;
  // Tasks overlap a little, so numbers may fall a little without a wrap.
  constexpr uint32_t kHalf = 1 << 15;
  uint32_t &least = last[task.first];
  const uint32_t *row = llvm::find_if(rows, [&](uint32_t row) {
    return table.rows[row].task.second >= (least > kHalf ? least - kHalf : 0);
  });
  // All are behind: the graph begins again.
  if (row == rows.end())
    row = rows.begin();
  least = table.rows[*row].task.second;
  return table.rows[*row].op;
}

uint32_t TaskTable::findNext(TaskId task,
                             const std::set<TaskId> &recorder) const {
  auto at =
      llvm::find_if(rows, [&](const Row &row) { return row.task == task; });
  if (at == rows.end())
    return kNone;
  for (++at; at != rows.end(); ++at)
    if (!recorder.count(at->task))
      return at->op;
  return kNone;
}

uint32_t TaskTable::findPrevious(TaskId task,
                                 const std::set<TaskId> &recorder) const {
  uint32_t previous = kNone;
  for (const Row &row : rows) {
    if (row.task == task)
      return previous;
    if (!recorder.count(row.task))
      previous = row.op;
  }
  return kNone;
}

void mindspore::readFramework(const FrameworkFiles &files, Recording &recording,
                              TaskTable &table) {
  if (isBinaryRecord(files.tasks))
    readFrameworkBinary(files, recording, table);
  else
    readFrameworkText(files, recording, table);
}

//===----------------------------------------------------------------------===//
// Types and formats
//===----------------------------------------------------------------------===//

std::string mindspore::getTypeName(uint32_t number, uint32_t begin) {
  static constexpr llvm::StringLiteral names[] = {
      "bool",   "int",   "int8",    "int16",   "int32",
      "int64",  "uint",  "uint8",   "uint16",  "uint32",
      "uint64", "float", "float16", "float32", "float64"};
  static constexpr llvm::StringLiteral geNames[] = {"float32", "float16",
                                                    "int8", "int32"};
  if (begin == 0)
    return number < std::size(geNames) ? geNames[number].str()
                                       : "type " + std::to_string(number);
  if (number > begin && number - begin - 1 < std::size(names))
    return names[number - begin - 1].str();
  return number == begin + 16 ? "complex64" : "type " + std::to_string(number);
}

std::string mindspore::getFormatName(uint32_t number, bool isGe) {
  static constexpr llvm::StringLiteral geNames[] = {"NCHW", "NHWC", "ND",
                                                    "NC1HWC0", "FRACTAL_Z"};
  static constexpr llvm::StringLiteral names[] = {
      "",        "DEFAULT",     "NC1KHKWHWC0",   "ND",     "NCHW",
      "NHWC",    "HWCN",        "NC1HWC0",       "FRAC_Z", "C1HWNCOC0",
      "FRAC_NZ", "NC1HWC0_C04", "FRACTAL_Z_C04", "NDHWC"};
  llvm::ArrayRef<llvm::StringLiteral> known =
      isGe ? llvm::ArrayRef(geNames) : llvm::ArrayRef(names);
  if (number < known.size() && !known[number].empty())
    return known[number].str();
  return number == 21 && !isGe ? "DHWCN" : "format " + std::to_string(number);
}
