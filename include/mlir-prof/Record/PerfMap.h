//===- PerfMap.h - Names of ops for perf ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_PERFMAP_H
#define MLIR_PROF_RECORD_PERFMAP_H

#include "mlir-prof/Record/Runner.h"

namespace mlirprof::record {

/// A stretch of code that belongs to one op of the input level.
struct OpRange {
  /// Offsets in the text section.
  uint64_t begin = 0;
  uint64_t end = 0;
  /// "main: linalg.matmul mlp/fc1/matmul", or the function's name alone.
  std::string name;
};

/// The functions of `program`, cut where the op that owns the code changes.
std::vector<OpRange> getOpRanges(const profile::Program &program);

/// Describes the model's code in this process to perf; it lies at `textBegin`
/// and can be read at `code`. Map: /tmp/perf-PID.map, which perf report reads.
/// JitDump: jit-PID.dump in `folder` (empty: the working directory), with the
/// code and, as its source lines, the op at each address; for `perf record -k
/// mono` and `perf inject --jit`.
llvm::Error writePerfSupport(PerfSupport kind, llvm::StringRef folder,
                             const profile::Program &program,
                             uint64_t textBegin, const uint8_t *code);

/// "main+0x1a4 (linalg.matmul mlp/fc1/matmul)": the op at an offset in the text
/// section.
std::string describeAddress(const profile::Program &program, uint64_t offset);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_PERFMAP_H
