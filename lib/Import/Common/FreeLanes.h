//===- FreeLanes.h - Lanes for overlapping intervals ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_FREELANES_H
#define MLIR_PROF_LIB_IMPORT_COMMON_FREELANES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlirprof::importer {

/// Distributes arbitrarily overlapping intervals over lanes without overlaps.
class FreeLanes {
public:
  /// Limit on the lanes; beyond it intervals do overlap, on the last one.
  static constexpr size_t kMost = 64;

  /// The first lane that is free from `beginPs` on, which is then occupied
  /// until `endPs`. Begins must ascend; lanes are numbered from 0 in order of
  /// creation.
  size_t take(int64_t beginPs, int64_t endPs) {
    size_t lane = 0;
    while (lane < takenUntilPs.size() && takenUntilPs[lane] > beginPs)
      ++lane;
    lane = std::min(lane, kMost - 1);
    if (lane == takenUntilPs.size())
      takenUntilPs.push_back(endPs);
    takenUntilPs[lane] = std::max(takenUntilPs[lane], endPs);
    return lane;
  }

private:
  std::vector<int64_t> takenUntilPs;
};

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_FREELANES_H
