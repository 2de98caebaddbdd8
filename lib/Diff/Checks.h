//===- Checks.h - Checking that profiles are comparable ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_CHECKS_H
#define MLIR_PROF_LIB_DIFF_CHECKS_H

#include "mlir-prof/Diff/Diff.h"

namespace mlirprof::diff {

/// A quantity of both sides, time before others.
/// The unit that both sides counted in place of time; empty for times. Fails if
/// they differ.
llvm::Expected<std::string> findCountedUnit(const DiffSide &before,
                                            const DiffSide &after);

llvm::Expected<DiffQuantity> findQuantity(const DiffSide &before,
                                          const DiffSide &after);

/// Fails if times cannot be compared, and adds notes on reasons to doubt a
/// comparison.
llvm::Error checkOrigin(const DiffSide &before, const DiffSide &after,
                        profile::MachineRule machines, ProfileDiff &diff);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_CHECKS_H
