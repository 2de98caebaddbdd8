//===- PeakKernels.h - Code that reaches a machine's peak -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_PEAK_PEAKKERNELS_H
#define MLIR_PROF_LIB_RECORD_PEAK_PEAKKERNELS_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlirprof::record {

/// Functions generated for the processor that runs this, whatever flags this
/// program was built with.
class PeakKernels {
public:
  static llvm::Expected<PeakKernels> create();
  PeakKernels(PeakKernels &&);
  PeakKernels &operator=(PeakKernels &&);
  ~PeakKernels();

  /// Multiplies and adds in `iterations` rounds, flopsPerRound() operations
  /// each; writes to `sink`, which has space for kLanes floats.
  void (*multiplyAdd)(int64_t iterations, float *sink) = nullptr;
  uint64_t flopsPerRound() const;
  /// Reads `blocks` blocks of kBlockBytes each, from an aligned address.
  void (*read)(int64_t blocks, const float *data, float *sink) = nullptr;

  /// Lanes of a vector, and the number of vectors in use at a time.
  unsigned lanes = 4;
  static constexpr unsigned kChains = 12;
  static constexpr unsigned kMaxLanes = 16;
  static constexpr uint64_t kBlockBytes = 512;

private:
  PeakKernels();
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_PEAK_PEAKKERNELS_H
