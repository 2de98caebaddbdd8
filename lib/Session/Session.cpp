//===- Session.cpp - Queries of a session ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Session.h"
#include "mlir-prof/Report/Sql.h"
#include "mlir-prof/Scope/Scope.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;

llvm::ArrayRef<ElidedValues> Session::getStoredValues() const {
  for (const IrModule &other : profile.irModules)
    if (!stored.empty() && other.fingerprint == stored)
      return other.values;
  return {};
}

ReportInput Session::getReportInput() const {
  return {profile, ownership ? &*ownership : nullptr,
          attribution ? &*attribution : nullptr, level, stepOps};
}

llvm::StringRef Session::getDefaultGrouping() const {
  if (ownership)
    return "op";
  return profile.opKeys.empty() ? "event" : "measured-op";
}

llvm::Expected<Report> Session::report(llvm::StringRef by, const Query &query,
                                       RowSelection selection) const {
  PROF_SCOPE("report");
  auto kind = findReport(by.empty() ? getDefaultGrouping() : by);
  if (!kind)
    return kind.takeError();
  return buildReport(getReportInput(), **kind, query, selection);
}

llvm::Expected<Report> Session::query(llvm::StringRef sql,
                                      uint64_t maxSteps) const {
  PROF_SCOPE("query");
  SqlLimits limits;
  limits.steps = maxSteps;
  return runSql(getReportInput(), sql, limits);
}
