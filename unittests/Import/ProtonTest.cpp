//===- ProtonTest.cpp - Trees of Triton's profiler ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expected.h"
#include "SpaceWriter.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

using Scope = std::vector<std::string>;

/// Checks that each row of `rows` is a kernel of `profile` in its scope, with
/// its launches and time; `check` sees both.
void expectKernels(
    const Profile &profile, const Json &rows,
    llvm::function_ref<void(const OpSummary &op, const Json &row)> check) {
  std::map<std::pair<Scope, std::string>, const OpSummary *> found;
  for (const OpSummary &op : profile.runs.front().ops) {
    const OpKey &key = profile.opKeys[op.op];
    EXPECT_EQ(key.work, DeviceWork::Kernel);
    found[{key.get<FrameworkCallKey>().scope, key.op}] = &op;
  }
  for (const Json &row : rows.list()) {
    Scope scope;
    for (const Json &part : row["scope"].list())
      scope.push_back(part.string());
    const OpSummary *op = found[{scope, row["kernel"].string()}];
    ASSERT_NE(op, nullptr) << row["kernel"].string();
    EXPECT_EQ(int64_t(op->getCount()), row["count"].integer());
    EXPECT_EQ(op->getTimePs(), row["total_ps"].integer());
    check(*op, row);
  }
  EXPECT_EQ(found.size(), rows.list().size());
}

TEST(Proton, RecordingsAgreeWithTheirTruth) {
  Json expected = loadExpected("proton");
  for (const auto &entry : expected["trees"].members()) {
    // A lambda of C++17 does not capture structured bindings.
    const std::string &file = entry.first;
    const Json &rows = entry.second;
    SCOPED_TRACE(file);
    Profile profile = readOk(readFile(recordingPath("proton", file)), "proton");
    expectKernels(profile, rows, [&](const OpSummary &op, const Json &row) {
      EXPECT_EQ(op.getSum(Quantity::Execute), row["total_ps"].integer());
      if (file == "pcsampling.hatchet")
        EXPECT_EQ(op.getSum(Quantity::Samples), row["samples"].integer());
    });
    // As nvidia-smi and the driver say.
    ASSERT_EQ(profile.runs[0].devices.size(), 1u);
    EXPECT_EQ(profile.runs[0].devices[0].name, "CUDA 90");
    EXPECT_EQ(profile.runs[0].devices[0].processors, 132u);
    EXPECT_EQ(profile.runs[0].devices[0].peaks[0].perSecond, 3352320000000u);
  }
}

TEST(Proton, TracesAgreeWithTheirTruth) {
  Json expected = loadExpected("proton");
  for (const auto &[file, rows] : expected["traces"].members()) {
    SCOPED_TRACE(file);
    Profile profile =
        readOk(readFile(recordingPath("proton", file)), "proton-trace");
    const profile::Run &run = profile.runs.front();
    EXPECT_EQ(run.losses.size(), 1u);
    EXPECT_EQ(lossCount(profile, "launch was not recorded"), 30u);
    expectKernels(profile, rows, [&](const OpSummary &, const Json &row) {
      EXPECT_EQ(row["streams"].list().size(), run.tracks.size());
    });
    ASSERT_EQ(run.devices.size(), 1u);
    EXPECT_EQ(run.devices[0].number, 0);
  }
}

TEST(Proton, OddTraces) {
  llvm::StringRef text = R"json({"traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "k", "tid": 1, "ts": 0, "dur": 1,
     "args": {"call_stack": ["ROOT", "k"], "grid": 3}},
    {"ph": "X", "cat": "kernel", "name": "k", "tid": 1, "ts": 2, "dur": 1,
     "args": {"call_stack": []}},
    {"ph": "X", "cat": "kernel", "name": "k", "tid": 1, "ts": 3, "dur": 1,
     "args": {"call_stack": 3}},
    {"ph": "X", "cat": "kernel", "name": "k", "tid": 1, "ts": 4, "dur": 1,
     "args": {"call_stack": ["ROOT", 3, "k"]}},
    {"ph": "X", "cat": "scope", "name": "k", "tid": 2, "ts": 4, "dur": 1,
     "args": {"call_stack": ["ROOT"]}}]})json";
  Profile profile = readOk(text, "proton-trace");
  const profile::Run &run = profile.runs.front();
  // A kernel and a scope of the same name are two ops.
  ASSERT_EQ(run.ops.size(), 2u);
  EXPECT_EQ(run.ops[0].getCount() + run.ops[1].getCount(), 5u);
  EXPECT_EQ(run.ops[0].getTimePs() + run.ops[1].getTimePs(), 5000000);
  EXPECT_EQ(lossCount(profile, "argument of an event"), 3u);
  EXPECT_EQ(run.devices.size(), 1u);
}

TEST(Proton, OddForms) {
  llvm::StringRef text = R"json([{"frame": {"name": "ROOT"},
    "metrics": {"x": 1}, "children": [
      1, {"frame": {}},
      {"children": [], "frame": {"name": "k"},
       "metrics": {"time (ns)": 1.0, "flops": 3}},
      {"children": [], "frame": {"name": "far"},
       "metrics": {"time (ns)": 18446744073709551615, "count": 1}}]}])json";
  Profile profile = readOk(text, "proton");
  ASSERT_EQ(profile.runs[0].ops.size(), 1u);
  EXPECT_EQ(profile.runs[0].ops[0].getSum(Quantity::Execute), 1000);
  EXPECT_EQ(lossCount(profile, "not in the form of a tree"), 3u);
  EXPECT_EQ(lossCount(profile, "metric of a node"), 1u);
  for (llvm::StringRef broken : {"[", "{}", "[{\"frame\": }]", "[[]"}) {
    auto result = read(broken, "proton");
    EXPECT_FALSE(bool(result));
    llvm::consumeError(result.takeError());
  }
}

} // namespace
