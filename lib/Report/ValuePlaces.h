//===- ValuePlaces.h - Values that runs observed, merged --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_VALUEPLACES_H
#define MLIR_PROF_LIB_REPORT_VALUEPLACES_H

#include "mlir-prof/Profile/Profile.h"

#include <map>
#include <tuple>

namespace mlirprof::report {

/// The values that all runs observed at one place.
struct ValuePlace {
  std::vector<std::string> names;
  /// The number of observations of each tuple.
  std::map<std::vector<int64_t>, uint64_t> counts;
  /// Observations of tuples that did not fit, and the total including these.
  uint64_t other = 0;
  uint64_t total = 0;
};

/// Program (kNone for one that the profile does not contain), node, kind, and
/// the dispatch (or kNone).
using ValuePlaceKey =
    std::tuple<uint32_t, uint32_t, profile::ValueKind, uint32_t>;

std::map<ValuePlaceKey, ValuePlace>
mergeValues(const profile::Profile &profile);

llvm::StringRef toString(profile::ValueKind kind);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_VALUEPLACES_H
