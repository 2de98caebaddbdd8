//===- TestData.h - A small profile with known numbers ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_REPORT_TESTDATA_H
#define MLIR_PROF_UNITTESTS_REPORT_TESTDATA_H

#include "mlir-prof/Report/Report.h"

#include <memory>

using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace mlirprof::test {

/// A profile with its ownership and attribution.
struct Data {
  Profile profile;
  Ownership ownership;
  Attribution attribution;

  ReportInput withModule() const { return {profile, &ownership, &attribution}; }
  ReportInput withoutModule() const { return {profile}; }
};

/// Adds a measured op to the first run.
void addOp(Data &data, OpKey key, llvm::ArrayRef<int64_t> executePs,
           Match match);
OpKey hloKey(llvm::StringRef module, int64_t id, llvm::StringRef op);
OpKey nodeKey(llvm::StringRef node, llvm::StringRef kernel);

/// One run, two HLO modules and a graph node; ops of the module:
///   0 builtin.module
///   1 func.func            net
///   2 stablehlo.dot        net/a/dot   net.py:10
///   3 stablehlo.add        net/a/add   net.py:10
///   4 stablehlo.tanh       net/b/tanh  net.py:20
///   5 stablehlo.tanh       net/b/tanh  net.py:21
///   6 stablehlo.constant   (no name)
///   7 stablehlo.exp        net/c/exp   (never measured)
/// and measured ops:
///   main(1)/dot.1    2 events, 3000 + 1000 ps, one       2
///   main(1)/fusion   1 event, 1001 ps,         set       2:1 3:2
///   main(1)/tanh.1   2 events, 500 + 500 ps,   ambiguous  4:1 5:1
///   other(2)/fusion  1 event, 900 ps,          set       3:1 4:2
///   main(1)/odd      1 event, 70 ps,           partial   3
///   graph/node:Relu  1 event, 29 ps,           none
/// Op time 7000 ps.
std::unique_ptr<Data> makeData();

/// The query for the first `top` rows, or pages of as many, that pass `filter`
/// (parseFilter; "" for all).
Query makeQuery(std::optional<uint64_t> top, llvm::StringRef filter = "",
                std::optional<uint64_t> page = std::nullopt);

/// The rows of a report as CSV without its header; fails the test on an error.
std::string rowsOf(const ReportInput &input, llvm::StringRef by,
                   const Query &query = {});

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_REPORT_TESTDATA_H
