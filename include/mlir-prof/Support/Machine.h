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

/// The machine that the program runs on.
struct MachineInfo {
  /// LLVM's name of the processor ("znver4").
  std::string cpu;
  /// Enabled features of it, sorted.
  std::vector<std::string> features;
  /// Hardware threads that this process may use.
  uint32_t threads = 0;
  uint64_t memoryBytes = 0;
  /// System, release and architecture.
  std::string os;
};

MachineInfo getMachineInfo();

/// Bytes of memory that this process can still take: the least of what the
/// system has available (swap space counts), what its control group leaves, and
/// what the limit on its address space leaves (ulimit -v). Never 0.
uint64_t getAvailableMemory();

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_MACHINE_H
