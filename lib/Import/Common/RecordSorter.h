//===- RecordSorter.h - Sorting with bounded memory -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_RECORDSORTER_H
#define MLIR_PROF_LIB_IMPORT_COMMON_RECORDSORTER_H

#include "llvm/Support/Error.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace mlirprof::importer {

/// A temporary file with the lifetime of this object.
class ScratchFile {
public:
  ScratchFile() = default;
  ~ScratchFile();
  ScratchFile(const ScratchFile &) = delete;

  llvm::Error append(const void *bytes, size_t size);
  llvm::Error read(void *bytes, size_t size, uint64_t offset) const;
  uint64_t size() const { return written; }

private:
  int descriptor = -1;
  uint64_t written = 0;
};

/// Sorts records stably with bounded memory: records that do not fit go through
/// a temporary file. Traces consist of a few sorted stretches, which costs one
/// merge and no sort.
///
/// Record is a plain struct with an operator<.
template <typename Record>
class RecordSorter {
  static_assert(std::is_trivially_copyable_v<Record>);

public:
  /// Holds at most twice `limit` bytes.
  explicit RecordSorter(size_t limit = size_t(8) << 20)
      : capacity(std::max<size_t>(limit / sizeof(Record), 16)) {}

  llvm::Error add(const Record &record) {
    if (!held.empty() && record < held.back())
      bounds.push_back(held.size());
    held.push_back(record);
    return held.size() == capacity ? spill() : llvm::Error::success();
  }

  /// Calls `take(const Record &)` with all records in order. Call it once.
  template <typename Take>
  llvm::Error drain(Take &&take) {
    order();
    if (runs.empty()) {
      for (const Record &record : held)
        take(record);
      return llvm::Error::success();
    }
    if (llvm::Error error = spillOrdered())
      return error;
    return mergeRuns(take);
  }

  uint64_t getSpilledBytes() const { return file.size(); }

private:
  /// A sorted stretch of the file.
  struct Run {
    uint64_t offset = 0;
    uint64_t left = 0;
    std::vector<Record> block;
    size_t next = 0;
  };

  /// Merges neighboring stretches of `held` until one is left.
  void order() {
    bounds.push_back(held.size());
    std::vector<Record> other;
    if (bounds.size() > 1)
      other.resize(held.size());
    while (bounds.size() > 1) {
      std::vector<size_t> merged;
      size_t begin = 0;
      for (size_t i = 0; i < bounds.size(); i += 2) {
        size_t middle = bounds[i];
        size_t end = i + 1 < bounds.size() ? bounds[i + 1] : middle;
        std::merge(held.begin() + begin, held.begin() + middle,
                   held.begin() + middle, held.begin() + end,
                   other.begin() + begin);
        merged.push_back(end);
        begin = end;
      }
      held.swap(other);
      bounds = std::move(merged);
    }
    bounds.clear();
  }

  llvm::Error spill() {
    order();
    return spillOrdered();
  }
  llvm::Error spillOrdered() {
    if (held.empty())
      return llvm::Error::success();
    Run run;
    run.offset = file.size();
    run.left = held.size();
    llvm::Error error = file.append(held.data(), held.size() * sizeof(Record));
    runs.push_back(std::move(run));
    held.clear();
    return error;
  }

  llvm::Error refill(Run &run) {
    size_t count = size_t(std::min<uint64_t>(blockSize, run.left));
    run.block.resize(count);
    run.next = 0;
    llvm::Error error =
        file.read(run.block.data(), count * sizeof(Record), run.offset);
    run.offset += count * sizeof(Record);
    run.left -= count;
    return error;
  }

  template <typename Take>
  llvm::Error mergeRuns(Take &&take) {
    std::vector<Record>().swap(held);
    blockSize = std::max<size_t>(capacity / runs.size(), 64);
    for (Run &run : runs)
      if (llvm::Error error = refill(run))
        return error;
    // Earlier runs hold earlier records.
    auto isLater = [&](uint32_t a, uint32_t b) {
      const Record &first = runs[a].block[runs[a].next];
      const Record &second = runs[b].block[runs[b].next];
      return second < first || (!(first < second) && b < a);
    };
    std::vector<uint32_t> heap(runs.size());
    for (uint32_t i = 0; i < heap.size(); ++i)
      heap[i] = i;
    std::make_heap(heap.begin(), heap.end(), isLater);
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), isLater);
      Run &run = runs[heap.back()];
      // Stretches are long: mostly the same run continues.
      while (true) {
        take(run.block[run.next]);
        if (++run.next == run.block.size()) {
          if (run.left == 0) {
            heap.pop_back();
            break;
          }
          if (llvm::Error error = refill(run))
            return error;
        }
        if (heap.size() > 1 && isLater(heap.back(), heap.front())) {
          std::push_heap(heap.begin(), heap.end(), isLater);
          break;
        }
      }
    }
    return llvm::Error::success();
  }

  size_t capacity;
  size_t blockSize = 0;
  std::vector<Record> held;
  /// Ends of the sorted stretches of `held`, except the last.
  std::vector<size_t> bounds;
  std::vector<Run> runs;
  ScratchFile file;
};

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_RECORDSORTER_H
