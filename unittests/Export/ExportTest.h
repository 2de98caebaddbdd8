//===- ExportTest.h - Helpers for tests of exporters ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_EXPORT_EXPORTTEST_H
#define MLIR_PROF_UNITTESTS_EXPORT_EXPORTTEST_H

#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Profile/ProfileBuilder.h"

using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;

namespace mlirprof {

/// The output of the exporter `format`, or its error.
std::string exportAs(llvm::StringRef format, const ExportInput &input);

/// Two tracks of a host, with events that nest, that overlap and that touch,
/// times with a fraction of a nanosecond, and three op keys:
///   main    0 .. 10000 "step", in it 1500 .. 4500 "a/b:Add" (op 0) and
///           4500 .. 4500 "a/c:Mul" (op 1)
///   worker  2000 .. 6001 "x;y" (op 2), 5000 .. 7000 "x;y" (op 2)
Profile makeTrace(KeepEvents::Mode keep = KeepEvents::Mode::All);

/// A module whose op 1 owns op 0, and ops 2 and 3 op 2 in shares of 1 to 2.
Ownership makeOwners();

/// Sum of OpSummary::getTimePs.
int64_t getTotalPs(const Profile &profile);

} // namespace mlirprof

#endif // MLIR_PROF_UNITTESTS_EXPORT_EXPORTTEST_H
