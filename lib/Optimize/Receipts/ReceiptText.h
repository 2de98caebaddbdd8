//===- ReceiptText.h - Parts of the report about a search -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_RECEIPTS_RECEIPTTEXT_H
#define MLIR_PROF_LIB_OPTIMIZE_RECEIPTS_RECEIPTTEXT_H

#include "mlir-prof/Optimize/Optimizer.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::optimize {

inline int64_t toPs(double seconds) { return int64_t(seconds * 1e12); }

/// "12.5 %".
std::string formatShare(double share);

/// The noise that a change is judged by: of the control where there is one,
/// else the spread of its own rounds.
double getNoise(const OptimizerResult &result, double spread);

/// The least time that the machine needs, against the fastest that was seen.
struct LeastTime {
  /// 0 where it is not known.
  double seconds = 0;
  /// The fastest run; 0 where none was measured.
  double fastestSeconds = 0;

  /// Nothing is faster than the machine: then its peak was measured too low,
  /// and the claim is not made.
  bool isWithdrawn() const {
    return fastestSeconds > 0 && seconds > fastestSeconds;
  }
};

/// The least time of a whole model: that of its sites, and the fastest run that
/// the search measured.
LeastTime getLeastTime(const OptimizerResult &result, const ModelSites &sites);

/// Describes `least` in words: "at least 3 us ...: 12.5 % of it", where
/// `seconds` are the time that `ofWhat` names, or 0.
std::string describe(const LeastTime &least, double seconds,
                     llvm::StringRef ofWhat);

/// The location of the first op of a site.
std::string getLocation(const OpSite &site);

void printReceipt(const Receipt &receipt, const OptimizerResult &result,
                  const ModelSites &sites, llvm::raw_ostream &os);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_RECEIPTS_RECEIPTTEXT_H
