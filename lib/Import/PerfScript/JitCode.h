//===- JitCode.h - Names of code that was made at run time ------*- C++ -*-===//
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

/// What programs told perf of the code that they made: maps of names
/// (perf-PID.map, "7f00 20 main: linalg.matmul fc1" a line) and dumps
/// (jit-PID.dump, as Linux's jitdump specification says). Of code at one
/// address the last in the file counts.
class JitCode {
public:
  /// Reads all maps and dumps in a folder.
  void addFolder(llvm::StringRef folder);
  /// Reads a file once, by its name; does nothing to files of other names.
  void addFile(llvm::StringRef path);

  struct Place {
    llvm::StringRef name;
    /// Its debug line; without a number when there is none.
    profile::SourcePosition line;
  };
  /// What is at `address` of `process`. With one process in all files its
  /// number need not be right: perf prints threads.
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
