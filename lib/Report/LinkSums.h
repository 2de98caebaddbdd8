//===- LinkSums.h - Transfers between ranks ------------------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_LINKSUMS_H
#define MLIR_PROF_LIB_REPORT_LINKSUMS_H

#include "JobOps.h"

namespace mlirprof::report {

/// Transfers added up.
struct LinkSum {
  uint64_t count = 0;
  uint64_t bytes = 0;
  int64_t timePs = 0;
  /// Waits for the other rank, which `timePs` leaves out.
  int64_t waitPs = 0;

  void add(const profile::LinkTransfer &transfer);
};

/// "SDMA"; null if unknown.
Cell getLinkCell(profile::LinkKind kind);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_LINKSUMS_H
