//===- HostPrograms.h - Programs of the host side ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_HOSTPROGRAMS_H
#define MLIR_PROF_COMPILE_HOSTPROGRAMS_H

#include "mlir-prof/Codegen/DispatchTable.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace mlirprof::compile {

/// A part of a kernel: its workgroups may run at the same time.
struct KernelPhase {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  /// The estimated time of a workgroup; 0 if unknown.
  uint32_t costNs = 0;
  /// On a GPU, the threads of a workgroup.
  std::array<uint32_t, 3> block = {1, 1, 1};
  /// Bytes of shared memory that a launch gives to each workgroup.
  uint32_t sharedBytes = 0;

  friend bool operator==(const KernelPhase &a, const KernelPhase &b) {
    return a.grid == b.grid && a.costNs == b.costNs && a.block == b.block &&
           a.sharedBytes == b.sharedBytes;
  }
};

struct KernelPhases {
  /// At least one, in order; none for a kernel that is one call.
  std::vector<KernelPhase> phases;
  /// Memory that a dispatch needs until all of its phases have run.
  uint64_t workspaceBytes = 0;

  friend bool operator==(const KernelPhases &a, const KernelPhases &b) {
    return a.phases == b.phases && a.workspaceBytes == b.workspaceBytes;
  }
};

/// A program of the host side in which each dispatch is one call.
struct HostProgram {
  /// The symbols that the host side refers to.
  std::string tableSymbol, workspaceSymbol;
  codegen::DispatchTable table;
  /// By dispatch: the symbol of its kernel; empty for a copy.
  std::vector<std::string> kernels;
};

/// A program of phases.
struct PhasedProgram {
  codegen::DispatchTable table;
  /// By dispatch of the table: that of the host program.
  std::vector<uint32_t> origins;
  uint64_t workspaceBytes = 0;
};

/// Divides each dispatch of `program` into the phases of its kernel, by symbol.
/// The last address of the program is that of its workspace, of which a
/// dispatch uses a part. A kernel that is not among `kernels` is one call.
PhasedProgram
dividePhases(const HostProgram &program,
             const llvm::StringMap<const KernelPhases *> &kernels);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_HOSTPROGRAMS_H
