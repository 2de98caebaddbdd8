//===- ScopeMemory.h - Memory of recordings of scopes -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_SCOPEMEMORY_H
#define MLIR_PROF_LIB_REPORT_SCOPEMEMORY_H

#include "JobOps.h"

#include <memory>

namespace mlirprof::report {

/// The runs with plans of memory. Plans that no record has are made here.
struct MemoryRuns {
  std::vector<JobRun> runs;
  std::vector<std::unique_ptr<profile::JobRecord>> made;
};

/// The runs whose recordings have memory: with plans, or with the events of
/// allocators in scopes, such as Paddle's. Their graphs are places ("gpu
/// 0"), a node an event under the name of the scope around it, and a tensor a
/// block from its allocation until it is freed.
MemoryRuns getMemoryRuns(const profile::Profile &profile);

/// Whether a recording of scopes has events of allocators.
bool hasAllocations(const scope::Recording &recording);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_SCOPEMEMORY_H
