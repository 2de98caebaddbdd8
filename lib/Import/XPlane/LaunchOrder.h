//===- LaunchOrder.h - Order in which a program launches --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_LAUNCHORDER_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_LAUNCHORDER_H

#include "mlir-prof/Profile/HloModule.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::importer::xplane {

/// The instructions of a program that launch work of a device, in the order of
/// its schedule. Only command buffers need it, so that profiles do not store
/// it.
class LaunchOrder {
public:
  /// An instruction that launches work.
  struct Item {
    /// Index into the module's instructions.
    uint32_t instruction = 0;
    /// Number of its code: instructions that compute the same share kernels.
    uint32_t code = 0;
  };

  /// Reads the schedule of `proto`, the HLO proto from which `index` was made.
  /// Throws protozero's exceptions.
  LaunchOrder(llvm::StringRef proto, const profile::HloIndex &index);

  /// By scheduled computation that control flow reaches, in order of ids.
  const std::vector<std::vector<Item>> &getComputations() const {
    return computations;
  }
  /// The instruction after which a kernel is named, or null. XLA numbers
  /// kernels whose names would be the same: "fusion_1__2".
  const Item *findKernel(llvm::StringRef kernel) const;
  uint32_t getCodeCount() const { return uint32_t(codeNumbers.size()); }

  /// The name of the kernel that XLA makes of an instruction.
  static std::string getKernelName(llvm::StringRef instruction);

private:
  llvm::StringMap<uint32_t> codeNumbers;
  llvm::StringMap<Item> byKernel;
  std::vector<std::vector<Item>> computations;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_LAUNCHORDER_H
