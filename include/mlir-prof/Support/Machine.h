//===- Machine.h - This machine ---------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_MACHINE_H
#define MLIR_PROF_SUPPORT_MACHINE_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlirprof {

/// The machine on which the program runs.
struct MachineInfo {
  /// LLVM's name of the processor ("znver4").
  std::string cpu;
  /// Its enabled features, sorted.
  std::vector<std::string> features;
  /// Hardware threads that this process may use.
  uint32_t threads = 0;
  uint64_t memoryBytes = 0;
  /// System, release and architecture.
  std::string os;
};

MachineInfo getMachineInfo();

/// Number of bytes that this process can still allocate: the minimum of the
/// system's available memory (swap space counts), the rest of its control
/// group, and the rest of the limit on its address space (ulimit -v). Never 0.
uint64_t getAvailableMemory();

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_MACHINE_H
