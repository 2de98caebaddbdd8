//===- WithoutEvents.h - Opening a profile without events -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_WITHOUTEVENTS_H
#define MLIR_PROF_SESSION_WITHOUTEVENTS_H

#include "mlir-prof/Session/Session.h"

namespace mlirprof {

/// Like openSession, without the single events that a *.mlprof file keeps
/// (profile::StoredEvents::LeaveOut): of a profile with millions of events,
/// they take most of the time and memory. Reports whose rows are single events
/// then fail.
llvm::Expected<Session> openWithoutEvents(llvm::StringRef path,
                                          const OpenOptions &options = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_WITHOUTEVENTS_H
