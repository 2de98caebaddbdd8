//===- Regions.h - Functions and loops with their times ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_LWP_REGIONS_H
#define MLIR_PROF_LIB_EXPORT_LWP_REGIONS_H

#include "mlir-prof/Export/Exporter.h"
#include "llvm/Support/Error.h"

namespace mlirprof::exporter::lwp {

/// A function or loop in light-weight profiling: measured by one probe, or in a
/// profile of samples, a function or loop of the code.
struct Region {
  /// Index into Profile::programs, and a node in it or kNone.
  uint32_t program = 0;
  uint32_t node = trace::kNone;
  /// Its id in the files; unique over all programs.
  uint32_t id = 0;
  /// Position in the list of the region around it, or kNone. Parents come
  /// first.
  uint32_t parent = trace::kNone;
  bool isFunction = false;
  /// Number of loops around it in its function.
  uint32_t depth = 0;
  std::string function;
  /// Offsets in the text section of its first instruction and past its last.
  uint64_t begin = 0;
  uint64_t end = 0;
  /// Inclusive: cycles, or nanoseconds if only samples are available.
  int64_t cycles = 0;
  /// Number of executions; unknown from samples.
  uint64_t count = 0;
  bool hasCount = false;
};

/// The regions of all programs by id, with their times over all runs: those
/// measured by probes if there are any, else those of samples. Fails if there
/// are neither.
llvm::Expected<std::vector<Region>> collectRegions(const ExportInput &input);

/// Finds `begin` and `end` of the regions of `program`: the longest stretch of
/// instructions that come from a node in them.
void findCode(const profile::Profile &profile, uint32_t program,
              std::vector<Region> &regions);

} // namespace mlirprof::exporter::lwp

#endif // MLIR_PROF_LIB_EXPORT_LWP_REGIONS_H
