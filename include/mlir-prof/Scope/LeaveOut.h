//===- LeaveOut.h - Recordings without some scopes --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_LEAVEOUT_H
#define MLIR_PROF_SCOPE_LEAVEOUT_H

#include "mlir-prof/Scope/Recording.h"

namespace mlirprof::scope {

/// A copy without the events for which `isGone`, which has a value for each.
/// Scopes and memory in them hang below the nearest scope around them that is
/// kept, to which their self time goes. Amounts that they counted go with them.
/// Sums of a session with statistics cannot be split: if an event is gone, they
/// are dropped with a loss.
Recording leaveOut(const Recording &recording, const std::vector<bool> &isGone);

/// A copy without the scopes whose role is a bit of `roles`, as events and as
/// statistics.
Recording leaveOutRoles(const Recording &recording, uint64_t roles);

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_LEAVEOUT_H
