//===- ScheduleWriter.h - A schedule as text --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SCHEDULE_SCHEDULEWRITER_H
#define MLIR_PROF_LIB_OPTIMIZE_SCHEDULE_SCHEDULEWRITER_H

#include "ScheduleOp.h"

namespace mlirprof::optimize {

/// The named sequences of `schedule`, with "@" for the name that they are given
/// (`@.tile`, and where there are such steps `@.rows` and `@.reduce`). Equal
/// schedules have equal texts.
std::string getScheduleSteps(const OpSchedule &schedule);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SCHEDULE_SCHEDULEWRITER_H
