//===- OpTrial.h - Trials at ops --------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_ADVISE_OPTRIAL_H
#define MLIR_PROF_ADVISE_OPTRIAL_H

#include <cstdint>
#include <string>

namespace mlirprof::advise {

/// One choice that a search tried at an op of the module, and its outcome.
struct OpTrial {
  /// As Advice::ops.
  uint32_t op = 0;
  /// "tiles", "fusion".
  std::string technique;
  /// "with=all name=direct", by name.
  std::string choice;
  /// Whether it was faster beyond noise, with correct results.
  bool wasKept = false;
  /// The reason for not keeping it: "not faster".
  std::string reason;
  /// Medians of one run of the model without and with it; 0 if not measured.
  int64_t oldPs = 0;
  int64_t newPs = 0;
  /// Spread of the ratio of the two in one round, in millionths.
  int64_t spreadPpm = 0;
  uint32_t rounds = 0;

  /// newPs divided by oldPs in millionths; 0 if not measured.
  int64_t getRatioPpm() const {
    return oldPs <= 0 || newPs <= 0
               ? 0
               : int64_t((__int128(newPs) * 1000000 + oldPs / 2) / oldPs);
  }
};

} // namespace mlirprof::advise

#endif // MLIR_PROF_ADVISE_OPTRIAL_H
