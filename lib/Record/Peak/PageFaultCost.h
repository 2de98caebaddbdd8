//===- PageFaultCost.h - The cost of a page fault here ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_PEAK_PAGEFAULTCOST_H
#define MLIR_PROF_LIB_RECORD_PEAK_PAGEFAULTCOST_H

#include <cstdint>

namespace mlirprof::record {

/// Picoseconds for one of `pages` page faults that follow each other on this
/// machine, now. Maps, touches and releases that many pages five times, in at
/// most about 0.1 s, and returns the median of the processor time divided by
/// the faults that the system counted. 0 if it does not count any.
int64_t measurePageFaultPs(uint64_t pages);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_PEAK_PAGEFAULTCOST_H
