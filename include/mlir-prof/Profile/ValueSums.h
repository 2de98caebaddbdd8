//===- ValueSums.h - Sums of observed values --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each run of a profile has its own tables (Run::values). A single table
// describes only one of the merged recordings, so readers use the sums.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_VALUESUMS_H
#define MLIR_PROF_PROFILE_VALUESUMS_H

#include "mlir-prof/Profile/Profile.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace mlirprof::profile {

/// Adds up tables with the same kind, program, node and names, in any order.
/// Counts saturate.
class ValueSums {
public:
  void add(const ValueTable &table);
  /// The sums, by kind, program, node, dispatch and names. Entries are sorted
  /// by frequency, then by tuple.
  std::vector<ValueTable> take();

private:
  using Key = std::tuple<ValueKind, std::string, uint32_t, uint32_t,
                         std::vector<std::string>>;
  struct Sum {
    std::map<std::vector<int64_t>, uint64_t> counts;
    uint64_t other = 0;
  };
  std::map<Key, Sum> sums;
};

/// The tables of all runs of `profile`, added up.
std::vector<ValueTable> sumValues(const Profile &profile);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_VALUESUMS_H
