//===- ProgramTimes.h - Times of the ops of a program -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_PROGRAMTIMES_H
#define MLIR_PROF_REPORT_PROGRAMTIMES_H

#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Report/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::report {

/// The code that an op key measured.
struct MeasuredNode {
  /// Index into Profile::programs, or kNone.
  uint32_t program = trace::kNone;
  /// Index into Program::instructions or Program::probes, or kNone.
  uint32_t index = trace::kNone;
  /// Its node, or kNone.
  uint32_t node = trace::kNone;
};

/// Resolves op keys to programs and nodes.
class ProgramIndex {
public:
  explicit ProgramIndex(const profile::Profile &profile);

  /// For keys of the kinds Code and Probe.
  MeasuredNode find(const profile::OpKey &key) const;
  /// Index of the program with a fingerprint, or kNone.
  uint32_t findProgram(llvm::StringRef fingerprint) const;

private:
  const profile::Profile &profile;
  llvm::StringMap<uint32_t> programs;
};

/// The ops of one level and their times.
struct LevelTimes {
  attribution::ProgramMatch match;
  attribution::Attribution attribution;

  const attribution::MlirOp &getOp(uint32_t row) const {
    return match.ownership.ops[row];
  }
  int64_t getTotalPs(uint32_t row) const;
};
LevelTimes getLevelTimes(const profile::Profile &profile,
                         llvm::StringRef level);

/// The first level of the profile's programs, or the level that the user chose.
std::string getInputLevel(const ReportInput &input);

/// A string of the program; "" for a bad index.
llvm::StringRef getString(const profile::Program &program, uint32_t index);
/// The name of a node, else its source position, else its location; may be "".
std::string getPlace(const profile::Program &program, uint32_t node);
/// The symbol of the function that contains `node`, or "".
llvm::StringRef getFunctionName(const profile::Program &program, uint32_t node);

/// Number of samples in the measurements of `op` in `run`.
uint64_t countSamples(const profile::Run &run, const profile::OpSummary &op);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_PROGRAMTIMES_H
