//===- OpNames.h - Names of measured ops ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_OPNAMES_H
#define MLIR_PROF_REPORT_OPNAMES_H

#include "mlir-prof/Profile/HloFinder.h"
#include "mlir-prof/Report/Table.h"

namespace mlirprof::attribution {
struct MlirOp;
struct OpNumber;
struct Ownership;
} // namespace mlirprof::attribution

namespace mlirprof::report {

/// Names of a profile's measured ops in reports. The profile must outlive this.
class OpNames {
public:
  explicit OpNames(const profile::Profile &profile)
      : profile(profile), instructions(profile.hloModules) {}

  /// The kernel of an op key; for HLO instructions the opcode, if the profile
  /// contains their module. Empty if unknown.
  llvm::StringRef getKernel(uint32_t op);
  /// The HLO instruction of an op key.
  profile::HloFinder::Found findInstruction(uint32_t op) {
    return instructions.find(profile.opKeys[op]);
  }

private:
  const profile::Profile &profile;
  profile::HloFinder instructions;
};

/// The place of an op for people: its path, or else its location.
llvm::StringRef getPlace(const attribution::MlirOp &op);
/// "stablehlo.add (mlp/add)"; without a place, only the op.
std::string describeOp(const attribution::MlirOp &op);

/// The index of an op in its notation for people, "#12", and with its program
/// if there are several, "1:#12".
std::string formatNumber(const attribution::Ownership &ownership, uint32_t op);
/// The index of an op, or null.
Cell getIndexCell(attribution::OpNumber number);
/// The column "program": the program to whose module indices refer. Text shows
/// it if there are several.
Column getProgramColumn(bool hasSeveralPrograms);
/// Whether a program has kernels that dispatches run.
bool hasInstances(const profile::Profile &profile);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_OPNAMES_H
