//===- JitCode.h - Names of code made at run time ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_JITCODE_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_JITCODE_H

#include "mlir-prof/Profile/SourcePosition.h"
#include "mlir-prof/Support/Loss.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <optional>

namespace mlirprof::importer::perfscript {

/// Data that programs left for perf about code made at run time: maps of names
/// (perf-PID.map, lines like "7f00 20 main: linalg.matmul fc1") and dumps
/// (jit-PID.dump, by Linux's jitdump specification). If code occurs at one
/// address several times, the last in the file counts.
class JitCode {
public:
  /// Reads all maps and dumps in a folder.
  void addFolder(llvm::StringRef folder);
  /// Reads a file once, by its name; ignores files with other names.
  void addFile(llvm::StringRef path);

  struct Place {
    llvm::StringRef name;
    /// Its debug line; without a number if it does not have one.
    profile::SourcePosition line;
  };
  /// The code at `address` of `process`. If all files have the same process,
  /// its number need not be right: perf prints threads.
  std::optional<Place> find(int64_t process, uint64_t address) const;

  bool empty() const { return processes.empty(); }
  const LossList &getLosses() const { return losses; }

private:
  struct Range {
    uint64_t end = 0;
    std::string name;
  };
  struct Process {
    /// By begin.
    std::map<uint64_t, Range> ranges;
    std::map<uint64_t, profile::SourcePosition> lines;
  };

  void readMap(llvm::StringRef text, Process &process);
  void readDump(llvm::StringRef bytes, Process &process);

  std::map<int64_t, Process> processes;
  llvm::StringSet<> files;
  LossList losses;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_JITCODE_H
