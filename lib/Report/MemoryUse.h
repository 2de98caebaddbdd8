//===- MemoryUse.h - Use of planned memory -------------------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_MEMORYUSE_H
#define MLIR_PROF_LIB_REPORT_MEMORYUSE_H

#include "mlir-prof/Profile/Job.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlirprof::report {

/// The memory in use while one node of a plan executes.
struct NodeMemory {
  /// With the plan's static memory.
  uint64_t liveBytes = 0;
  uint64_t tensors = 0;
  /// Bytes of tensors that live from this node on, and up to it.
  uint64_t allocatedBytes = 0;
  uint64_t freedBytes = 0;
};

/// One for each of MemoryPlan::nodes. Tensors that name other nodes are left
/// out.
std::vector<NodeMemory> getMemoryUse(const profile::MemoryPlan &plan);

/// The position of the first node with the most memory in use; kNone without
/// nodes.
uint32_t findPeak(llvm::ArrayRef<NodeMemory> use);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_MEMORYUSE_H
