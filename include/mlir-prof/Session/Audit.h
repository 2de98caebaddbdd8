//===- Audit.h - Times by which an audit is weighted ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_AUDIT_H
#define MLIR_PROF_SESSION_AUDIT_H

#include "mlir-prof/Session/Session.h"

namespace mlirprof {

/// The time of each node of `program`, in ps, according to `profile`, which
/// `path` names in errors; covers the levels at which the programs of both are
/// equal.
llvm::Expected<std::vector<int64_t>>
getNodeTimes(const profile::Program &program, const profile::Profile &profile,
             llvm::StringRef path);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_AUDIT_H
