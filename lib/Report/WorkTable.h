//===- WorkTable.h - The work of programs and their limits ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_WORKTABLE_H
#define MLIR_PROF_LIB_REPORT_WORKTABLE_H

#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace mlirprof::report {

/// The peak of one thread, per second; 0 if unknown.
struct Peak {
  double flops = 0;
  double bytes = 0;

  bool isKnown() const { return flops > 0 && bytes > 0; }
};

/// The work of an op in one iteration: the mean of the runs that know it.
struct IterationWork {
  double flops = 0;
  double bytes = 0;
};

/// The runs of one program.
struct ProgramRuns {
  uint64_t runs = 0;
  /// Number of executions of the entry function in all of them; none if it is
  /// unknown for a run.
  std::optional<uint64_t> iterations = 0;
  /// Whether a run knows the work of some op.
  bool hasWork = false;
  Peak peak;
};

/// The work of the ops of all programs.
class WorkTable {
public:
  explicit WorkTable(const profile::Profile &profile);

  /// Empty for a program without measurements.
  const ProgramRuns &getRuns(uint32_t program) const;
  /// None if some run of the program does not know the op's work: times include
  /// all runs.
  std::optional<IterationWork> find(uint32_t program, uint32_t node) const;

private:
  struct Sum {
    double flops = 0;
    double bytes = 0;
    double weight = 0;
    uint64_t runs = 0;
  };
  void addRun(const profile::Profile &profile, const ProgramIndex &programs,
              const profile::Run &run);

  std::map<uint32_t, ProgramRuns> totals;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, Sum> sums;
};

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_WORKTABLE_H
