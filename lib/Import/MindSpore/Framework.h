//===- Framework.h - Which op a task belongs to -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_FRAMEWORK_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_FRAMEWORK_H

#include "Recording.h"
#include "Slices.h"

#include <set>

namespace mlirprof::importer::mindspore {

/// A task of a stream. Hardware numbers them with 16 bits, the framework with
/// more.
using TaskId = std::pair<uint32_t, uint32_t>;

/// The numbers of a list such as "[3, 1, 2]" or "(3, 1)", without what is not a
/// number.
template <typename Number>
std::vector<Number> parseList(llvm::StringRef text) {
  std::vector<Number> numbers;
  llvm::SmallVector<llvm::StringRef, 16> parts;
  text.trim("\"[]() ").split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    Number number;
    if (!part.trim().getAsInteger(10, number))
      numbers.push_back(number);
  }
  return numbers;
}

/// The ops of tasks, as the framework describes them.
class TaskTable {
public:
  /// A row of the table, in the order of the file.
  struct Row {
    TaskId task;
    /// Position in JobRecord::ops.
    uint32_t op = trace::kNone;
  };

  void add(TaskId task, uint32_t op);
  llvm::ArrayRef<Row> getRows() const { return rows; }

  /// Finds the ops of tasks that are asked for in order of time, so that the
  /// numbers of the hardware, which wrap, tell which of several is meant.
  class Finder {
  public:
    /// `seen` are all tasks that the hardware ran. Some releases number tasks
    /// from 25000 on apart from streams, so that the framework's stream is
    /// another one: such rows, which nothing ran, are found by their number.
    Finder(const TaskTable &table, const std::set<TaskId> &seen);
    /// Position in JobRecord::ops, or kNone.
    uint32_t find(TaskId task);

  private:
    const TaskTable &table;
    std::map<uint32_t, uint32_t> byNumber;
    /// The last number of each stream, in the framework's counting.
    std::map<uint32_t, uint32_t> last;
  };

  /// The op at which a task of the recorder that lies between ops points: the
  /// next one in the file, or the one before. kNone if there is none.
  /// `recorder` are all tasks of the recorder.
  uint32_t findNext(TaskId task, const std::set<TaskId> &recorder) const;
  uint32_t findPrevious(TaskId task, const std::set<TaskId> &recorder) const;

private:
  std::vector<Row> rows;
  /// By stream and the lowest 16 bits of the number: positions in `rows`,
  /// ascending by number.
  std::map<TaskId, std::vector<uint32_t>> byTask;
};

/// Files of the framework, either all text or all binary.
struct FrameworkFiles {
  Slices tasks;
  Slices graphs;
  Slices tensors;
  Slices hashes;
  /// Whether the names are those of the older graph engine, which counts types
  /// and formats in its own way.
  bool isGe = false;
};

/// Reads what describes ops into JobRecord::ops, and the table of tasks.
void readFramework(const FrameworkFiles &files, Recording &recording,
                   TaskTable &table);
/// The parts of it: text up to 1.5, records of 256 bytes from 1.6 on.
void readFrameworkText(const FrameworkFiles &files, Recording &recording,
                       TaskTable &table);
void readFrameworkBinary(const FrameworkFiles &files, Recording &recording,
                         TaskTable &table);

/// The name of a number of a data type. Releases count from different begins;
/// `begin` is that of `bool` minus 1, or 0 for the older graph engine.
std::string getTypeName(uint32_t number, uint32_t begin);
std::string getFormatName(uint32_t number, bool isGe);

/// Whether the first bytes are a record of 1.6 or later.
inline bool isBinaryRecord(llvm::ArrayRef<llvm::StringRef> slices) {
  llvm::StringRef begin = SliceReader(slices).peek(2);
  return begin == "\x5a\x5a";
}

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_FRAMEWORK_H
