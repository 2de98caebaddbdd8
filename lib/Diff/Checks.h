//===- Checks.h - Whether two profiles can be compared ----------*- C++ -*-===//
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

/// The quantity that both have, time before others.
llvm::Expected<DiffQuantity> findQuantity(const DiffSide &before,
                                          const DiffSide &after);

/// Fails where times cannot be compared, and adds notes about what makes a
/// comparison doubtful.
llvm::Error checkOrigin(const DiffSide &before, const DiffSide &after,
                        profile::MachineRule machines, ProfileDiff &diff);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_CHECKS_H
