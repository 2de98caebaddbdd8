//===- InstanceReportTest.cpp - Reports of shared code --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Attribution/SharedProgram.h"
#include "TestData.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Profile/Compact.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Report/Explain.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Report/WhyEmpty.h"
#include "mlir-prof/Report/Writer.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

/// A report of the ops of `level`, in every format.
std::string reportOf(const Profile &profile, llvm::StringRef level,
                     llvm::StringRef by) {
  LevelTimes times = getLevelTimes(profile, level);
  ReportInput input = {profile, &times.match.ownership, &times.attribution,
                       level};
  Report report = llvm::cantFail(buildReport(input, **findReport(by)));
  std::string text;
  llvm::raw_string_ostream os(text);
  for (llvm::StringRef format : {"text", "csv", "json"})
    llvm::cantFail(findReportWriter(format))->write(report, {}, os);
  return text;
}

int64_t getSum(const Table &table, llvm::StringRef column) {
  int64_t sum = 0;
  for (uint32_t row = 0; row != table.size(); ++row)
    sum += table.getInteger(row, *table.findColumn(column));
  return sum;
}

/// The time of keys that are places in programs.
int64_t getProgramTime(const Profile &profile) {
  int64_t sum = 0;
  for (const OpSummary &op : profile.runs[0].ops)
    if (isOfProgram(profile.opKeys[op.op]))
      sum += op.getTimePs();
  return sum;
}

/// Two dispatches of one kernel, as recorded: a matrix product for fc1 and fc2.
Profile makeTwins() {
  Profile profile;
  profile.runs.emplace_back();
  Program &program = profile.programs.emplace_back();
  program.fingerprint = "twins";
  program.levels = {"linalg", "dispatch"};
  program.strings = {"",          "linalg.matmul", "fc1",   "fc2",
                     "func.func", "dispatch.run",  "matmul"};
  auto add = [&](uint32_t level, NodeKind kind, uint32_t op, uint32_t name,
                 uint32_t container, std::vector<uint32_t> parents) {
    program.nodes.push_back({level,
                             kind,
                             op,
                             name,
                             0,
                             0,
                             0,
                             container,
                             kNone,
                             1,
                             -1,
                             std::move(parents),
                             {}});
  };
  add(0, NodeKind::Operation, 1, 2, kNone, {});
  add(0, NodeKind::Operation, 1, 3, kNone, {});
  add(1, NodeKind::Function, 4, 6, kNone, {});
  add(1, NodeKind::Operation, 1, 6, 2, {0, 1});
  add(1, NodeKind::Operation, 5, 2, kNone, {0});
  add(1, NodeKind::Operation, 5, 3, kNone, {1});
  program.instances = {{4, 2, {{3, 0}}}, {5, 2, {{3, 1}}}};
  program.functions = {{"matmul", 0, 4}, {"main", 4, 8}};
  program.instructions = {{0, 3, 0, kNone}, {4, 4, 0, kNone}};
  auto addSample = [&](uint32_t instruction, uint32_t instance,
                       int64_t timePs) {
    profile.opKeys.push_back(makeCodeKey(program, instruction, "", instance));
    OpSummary op;
    op.op = uint32_t(profile.opKeys.size() - 1);
    op.get(Quantity::Execute).add(timePs);
    op.get(Quantity::Self).add(timePs);
    profile.runs[0].ops.push_back(op);
  };
  addSample(0, 0, 3000);
  addSample(0, 1, 1000);
  addSample(0, kNone, 501);
  addSample(1, kNone, 20);
  return profile;
}

} // namespace

TEST(InstanceReportTest, SharedCodeIsReportedAsItsCopies) {
  for (unsigned seed = 0; seed != 40; ++seed) {
    SharedProgram made = makeSharedProgram(seed);
    for (llvm::StringRef level : {"input", "linalg"})
      for (llvm::StringRef by :
           {"op", "op-type", "location", "source", "module-path"})
        ASSERT_EQ(reportOf(made.shared, level, by),
                  reportOf(made.expanded, level, by))
            << "seed " << seed << ", " << level.str() << " by " << by.str();
    ASSERT_EQ(rowsOf({made.shared}, "call-tree"),
              rowsOf({made.expanded}, "call-tree"))
        << "seed " << seed;
  }
}

TEST(InstanceReportTest, MergedAndCompactedRunsKeepTheirDispatches) {
  for (unsigned seed = 0; seed != 20; ++seed) {
    SharedProgram made = makeSharedProgram(seed);
    std::string before = reportOf(made.shared, "input", "op");
    Profile other = made.shared;
    other.runs[0].hash = "00112233445566778899aabbccddeeff";
    Profile merged = llvm::cantFail(mergeProfiles({&made.shared, &other}));
    Profile twice = made.expanded;
    twice.runs.push_back(twice.runs[0]);
    EXPECT_EQ(reportOf(merged, "input", "op"), reportOf(twice, "input", "op"));
    Profile compact = llvm::cantFail(compactProfile(made.shared));
    EXPECT_EQ(reportOf(compact, "input", "op"), before);
    EXPECT_EQ(compact.programs[0].instances.size(),
              made.shared.programs[0].instances.size());
    // Both forms of files.
    std::string bytes, json;
    llvm::raw_string_ostream bytesOs(bytes), jsonOs(json);
    llvm::cantFail(writeProfile(made.shared, bytesOs));
    writeProfileJson(made.shared, jsonOs);
    Profile binary = llvm::cantFail(readProfile(bytes, "a"));
    Profile text = llvm::cantFail(readProfileJson(json, "b"));
    EXPECT_EQ(reportOf(binary, "input", "op"), before);
    EXPECT_EQ(reportOf(text, "input", "op"), before);
    std::string again;
    llvm::raw_string_ostream againOs(again);
    llvm::cantFail(writeProfile(text, againOs));
    EXPECT_EQ(again, bytes);
  }
}

TEST(InstanceReportTest, Dispatches) {
  Profile profile = makeTwins();
  EXPECT_EQ(rowsOf({profile}, "instance"),
            "0,fc1,matmul,linalg.matmul (fc1),2,3000,501,251,3251,3,0\n"
            "1,fc2,matmul,linalg.matmul (fc2),2,1000,501,250,1250,4,0\n"
            ",(no dispatch),,,1,20,0,0,20,,0\n");
  Profile empty = makeTwins();
  empty.programs[0].instances.clear();
  for (OpKey &key : empty.opKeys)
    key.get<CodeKey>().instance = kNone;
  const ReportKind &kind = **findReport("instance");
  Report report = llvm::cantFail(buildReport({empty}, kind));
  EXPECT_NE(explainEmpty({empty}, kind, report, RowSelection::Measured)
                .find("does not have kernels"),
            std::string::npos);
}

TEST(InstanceReportTest, DispatchesAddUp) {
  for (unsigned seed = 0; seed != 40; ++seed) {
    Profile profile = makeSharedProgram(seed).shared;
    Profile forgotten = forgetInstances(profile);
    for (const Profile *each : {&profile, &forgotten}) {
      Report report =
          llvm::cantFail(buildReport({*each}, **findReport("instance")));
      EXPECT_EQ(getSum(report.table, "total_ps"), getProgramTime(*each));
    }
    Report report =
        llvm::cantFail(buildReport({profile}, **findReport("instance")));
    EXPECT_EQ(getSum(report.table, "estimated_ps"), 0);
  }
}

TEST(InstanceReportTest, ChainsFollowTheDispatch) {
  Profile profile = makeTwins();
  // Time, count, address, text, callee, the levels from the last one up,
  // location, dispatch, offset.
  EXPECT_EQ(rowsOf({profile}, "chain"),
            "3000,1,matmul+0x0,\"\",,linalg.matmul,linalg.matmul,fc1,0,0\n"
            "1000,1,matmul+0x0,\"\",,linalg.matmul,linalg.matmul,fc2,1,0\n"
            "501,1,matmul+0x0,\"\",,linalg.matmul,linalg.matmul,fc1 + fc2,,0\n"
            "20,1,main+0x0,\"\",,dispatch.run,linalg.matmul,fc1,,4\n");
}

TEST(InstanceReportTest, OpsOfKernelsSayHowManyDispatchesTheyServe) {
  Profile profile = makeTwins();
  std::string text = reportOf(profile, "dispatch", "op");
  EXPECT_NE(text.find("dispatches"), std::string::npos) << text;
  EXPECT_NE(text.find("\"instances\":2"), std::string::npos) << text;
  EXPECT_EQ(reportOf(profile, "linalg", "op").find("dispatches"),
            std::string::npos);
  LevelTimes times = getLevelTimes(profile, "dispatch");
  ReportInput input = {profile, &times.match.ownership, &times.attribution,
                       "dispatch"};
  std::string why;
  llvm::raw_string_ostream os(why);
  llvm::cantFail(explainOp(input, "matmul", ExplainFormat::Text, os));
  EXPECT_NE(why.find("  its code serves 2 dispatches:\n"
                     "    3.251 ns  dispatch 0  fc1\n"
                     "    1.250 ns  dispatch 1  fc2\n"),
            std::string::npos)
      << why;
}
