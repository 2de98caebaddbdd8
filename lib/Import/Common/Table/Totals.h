//===- Totals.h - Ops with only totals --------------------------*- C++ -*-===//
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

/// `count` values that add up to `sum` and are as equal as integers allow:
/// files with totals do not contain more.
profile::Summary makeEvenSummary(uint64_t count, int64_t sum);

/// Reads a duration, "12.5"; false if it is not a number, is negative, or does
/// not fit into 64 bits of picoseconds.
bool parseDuration(llvm::StringRef text, json::DecimalUnit unit, int64_t &ps);

/// Reads a count above 0, "12" or "12.0"; false otherwise.
bool parseCount(llvm::StringRef text, uint64_t &count);

/// Collects the measurements of ops without known times of execution, and
/// passes them to a profile. Rows with equal keys add up.
class Totals {
public:
  explicit Totals(profile::ProfileBuilder &builder) : builder(builder) {}

  /// `summary` holds picoseconds of execution, including nested ones; `selfPs`
  /// is the part of its sum that no other entry in the file includes. Returns
  /// false, after a loss, if the total would exceed 64 bits: shares of an
  /// invalid sum would be meaningless.
  bool add(profile::OpKey key, const profile::Summary &summary, int64_t selfPs);
  bool add(profile::OpKey key, const profile::Summary &summary) {
    return add(std::move(key), summary, summary.sum);
  }

  /// Passes everything to the profile; call it once.
  void finish();

private:
  struct Total {
    profile::Summary execute;
    profile::Summary self;
  };

  profile::ProfileBuilder &builder;
  std::map<uint32_t, Total> totals;
  /// The time that no other entry includes.
  int64_t sumPs = 0;
};

} // namespace mlirprof::importer::table

#endif // MLIR_PROF_LIB_IMPORT_COMMON_TABLE_TOTALS_H
