//===- ReportItems.h - The rows of Paddle's first report ------ -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_STYLES_REPORTITEMS_H
#define MLIR_PROF_LIB_SCOPE_STYLES_REPORTITEMS_H

#include "mlir-prof/Scope/Styles.h"

namespace mlirprof::scope::style {

/// The scopes of one path. Times are milliseconds.
struct ReportItem {
  std::string name;
  uint32_t depth = 0;
  uint64_t calls = 0;
  double total = 0;
  double min = 0;
  double max = 0;
  double host = 0;
  double device = 0;
  /// The part of the total, from statistics, that scopes inside have as well,
  /// whose items are not below.
  double inside = 0;
  /// The newest thread that has any of the scopes, and its first end.
  int64_t firstEndPs = 0;
  uint32_t newestThread = 0;
  std::vector<ReportItem> children;

  double getAverage() const { return calls ? total / double(calls) : 0; }
};

/// The time that a row shows.
enum class ReportTime { Host, Device, Both };

/// The items that are not below others, of one thread or of all.
struct ReportList {
  std::vector<ReportItem> roots;
  double total = 0;
};

/// The lists of each thread with scopes, the newest thread first, or one list
/// of all. Names of roots of threads begin with "thread0::", and so on.
std::vector<ReportList> makeReportLists(const Recordings &recordings,
                                        bool mergesThreads, ReportTime time);

} // namespace mlirprof::scope::style

#endif // MLIR_PROF_LIB_SCOPE_STYLES_REPORTITEMS_H
