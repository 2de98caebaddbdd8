//===- StackScan.h - Finding the caller of library code ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SAMPLING_STACKSCAN_H
#define MLIR_PROF_LIB_RECORD_SAMPLING_STACKSCAN_H

#include "SamplerArch.h"

#include <cstddef>

namespace mlirprof::record {

struct AddressRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  bool contains(uint64_t address) const {
    return address >= begin && address < end;
  }
};

/// Ranges of code that matter to samplers. Plain data: signal handlers read it.
struct CodeMap {
  /// The model's code, and its bytes as this process can read them.
  AddressRange text;
  const uint8_t *code = nullptr;
  /// OpenMP's runtime.
  static constexpr unsigned kMaxRanges = 8;
  AddressRange runtime[kMaxRanges];
  unsigned ranges = 0;

  bool isRuntime(uint64_t address) const {
    for (unsigned i = 0; i != ranges; ++i)
      if (runtime[i].contains(address))
        return true;
    return false;
  }
  bool isReturnAddress(uint64_t address) const {
    return text.contains(address) && endsWithCall(code, address - text.begin);
  }
};

struct StackFinding {
  /// Return address into the model, or 0.
  uint64_t caller = 0;
  /// Whether an address of OpenMP's runtime comes before it.
  bool viaRuntime = false;
};

/// Words that a scan reads: library code between the model and a sample has
/// small frames, while old return addresses may remain deeper down.
inline constexpr size_t kScanWords = 2048;

/// Looks for a return address into the model from the top of the stack. Library
/// code lacks frame pointers, and unwind tables cannot be read in a signal
/// handler; a word that points after a call is nearly always a return address.
/// Reads only its arguments: safe in signal handlers.
inline StackFinding scanStack(const CodeMap &map, uint64_t link,
                              const uint64_t *words, size_t count) {
  StackFinding finding;
  if (link && map.isReturnAddress(link))
    return {link, false};
  finding.viaRuntime = link && map.isRuntime(link);
  for (size_t i = 0; i < count && i < kScanWords; ++i) {
    if (map.isReturnAddress(words[i])) {
      finding.caller = words[i];
      return finding;
    }
    if (map.isRuntime(words[i]))
      finding.viaRuntime = true;
  }
  return finding;
}

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SAMPLING_STACKSCAN_H
