//===- Mappings.h - Places of objects in memory -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_MAPPINGS_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_MAPPINGS_H

#include "Lines.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace mlirprof::importer::perfscript {

/// A stretch of a file in the memory of a process.
struct Mapping {
  int64_t process = -1;
  int64_t thread = -1;
  uint64_t begin = 0;
  uint64_t size = 0;
  uint64_t fileOffset = 0;
  /// As hexadecimal digits, if perf recorded it, or "".
  llvm::StringRef buildId;
  llvm::StringRef path;
  /// As Frame::isDeleted.
  bool isDeleted = false;
};

/// The kinds of lines that `perf script --show-mmap-events` and similar options
/// print in addition to samples.
enum class RecordLine : uint8_t { None, Mapping, Other };

/// Reads "... PERF_RECORD_MMAP2 15468/15468: [0x7f..(0x1000) @ 0x1000 fe:00 25
/// 18]: r-xp /tmp/model.so". Other: a row of perf that is not a sample, or a
/// mapping that cannot be read.
RecordLine parseRecord(llvm::StringRef line, Mapping &mapping);

/// The mappings that were seen so far.
class Mappings {
public:
  /// Later ones replace earlier ones with the same addresses and process.
  void add(const Mapping &mapping);

  struct Place {
    uint64_t fileOffset = 0;
    /// As Mapping::buildId.
    std::string buildId;
  };
  /// The place in its file of the byte of `frame`, of `thread`; none if it is
  /// unknown, or processes disagree about it.
  std::optional<Place> find(const Frame &frame, int64_t thread) const;
  /// Sets the file of `frame`, of `thread`, to the one that was mapped there,
  /// if any.
  void findFile(Frame &frame, int64_t thread) const;
  /// The process to which `thread` was seen to belong.
  std::optional<int64_t> getProcess(int64_t thread) const;

private:
  struct Entry {
    int64_t process;
    uint64_t begin;
    uint64_t size;
    Place place;
  };

  /// By path; for existing files, and for deleted ones.
  llvm::StringMap<std::array<std::vector<Entry>, 2>> byPath;
  /// Sorted by thread: (thread, process).
  std::vector<std::pair<int64_t, int64_t>> processes;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_MAPPINGS_H
