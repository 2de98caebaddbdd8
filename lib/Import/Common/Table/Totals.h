//===- Totals.h - Ops of which only sums are known --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_TABLE_TOTALS_H
#define MLIR_PROF_LIB_IMPORT_COMMON_TABLE_TOTALS_H

#include "../Json/Decimal.h"
#include "mlir-prof/Profile/ProfileBuilder.h"

#include <map>

namespace mlirprof::importer::table {

/// `count` values that add up to `sum` and are as equal as integers can be:
/// files with totals tell no more of them.
profile::Summary makeEvenSummary(uint64_t count, int64_t sum);

/// Reads a duration, "12.5"; false when it is no number, negative, or does not
/// fit into 64 bits of picoseconds.
bool parseDuration(llvm::StringRef text, json::DecimalUnit unit, int64_t &ps);

/// Reads a count above 0, "12" or "12.0"; false otherwise.
bool parseCount(llvm::StringRef text, uint64_t &count);

/// Gathers the measurements of ops whose place in time is not known, and gives
/// them to a profile. Rows with equal keys add up.
class Totals {
public:
  explicit Totals(profile::ProfileBuilder &builder) : builder(builder) {}

  /// `summary` holds picoseconds of execution, with what ran inside of it;
  /// `selfPs` is what of its sum nothing else in the file has. Returns false,
  /// after a loss, where the times of all would pass 64 bits: shares of a sum
  /// that does not exist would say nothing.
  bool add(profile::OpKey key, const profile::Summary &summary, int64_t selfPs);
  bool add(profile::OpKey key, const profile::Summary &summary) {
    return add(std::move(key), summary, summary.sum);
  }

  /// Gives all to the profile; call once.
  void finish();

private:
  struct Total {
    profile::Summary execute;
    profile::Summary self;
  };

  profile::ProfileBuilder &builder;
  std::map<uint32_t, Total> totals;
  /// Of what nothing else in the file has.
  int64_t sumPs = 0;
};

} // namespace mlirprof::importer::table

#endif // MLIR_PROF_LIB_IMPORT_COMMON_TABLE_TOTALS_H
