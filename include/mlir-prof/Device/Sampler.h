//===- Sampler.h - Samples of a device's program counters -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEVICE_SAMPLER_H
#define MLIR_PROF_DEVICE_SAMPLER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlirprof::device {

/// The samples at one instruction.
struct SampledPlace {
  /// The symbol of its kernel.
  std::string kernel;
  /// Bytes from the begin of the kernel's code.
  uint64_t offset = 0;
  /// The line of the assembly's `.loc` directive; 0 if unknown.
  uint32_t line = 0;
  uint64_t samples = 0;
};

/// All samples of a time.
struct DeviceSamples {
  /// By kernel and offset.
  std::vector<SampledPlace> places;
  /// Samples that the device could not keep.
  uint64_t dropped = 0;
};

/// Samples the program counters of all warps of a device in turn. It exists
/// before the code is loaded that it samples.
class Sampler {
public:
  virtual ~Sampler();

  virtual llvm::Error start() = 0;
  /// Ends what start() began; the device must be idle. `codes` are the loaded
  /// machine codes of all modules, in which lines are found.
  virtual llvm::Expected<DeviceSamples>
  stop(llvm::ArrayRef<llvm::ArrayRef<char>> codes) = 0;
};

} // namespace mlirprof::device

#endif // MLIR_PROF_DEVICE_SAMPLER_H
