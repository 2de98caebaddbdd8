//===- ModelCallsTest.cpp - Tests of the parts of a model's calls ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/ModelCalls.h"
#include "ProgramData.h"
#include "mlir-prof/Scope/Scope.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::test;

static std::string describe(const ModelParts &model) {
  std::string text;
  for (const ModelPart &part : model.parts)
    text +=
        (part.parent == kNone ? "" : model.parts[part.parent].name + " / ") +
        part.name + ": " + std::to_string(part.timePs) + "\n";
  return text;
}

TEST(ModelCallsTest, PartsAreOpsThenInstructions) {
  Profile profile = makeRecording();
  ModelCalls calls(profile);
  const ModelParts *model = calls.find(profile.programs[0].fingerprint);
  ASSERT_TRUE(model);
  EXPECT_EQ(calls.find("another"), nullptr);
  // As ProgramData.h says; what waits or is outside is not the model's.
  EXPECT_EQ(describe(*model), "linalg.matmul (fc1): 0\n"
                              "linalg.matmul (fc1) / main+0x0 vmulps: 5000\n"
                              "linalg.matmul (fc1) / main+0x4 jne: 3000\n"
                              "arith.maximumf: 0\n"
                              "arith.maximumf / main+0x8 vmaxps: 2000\n"
                              "linalg.matmul (fc1) / main+0xc vaddps: 1000\n"
                              "linalg.generic (exp): 0\n"
                              "linalg.generic (exp) / main+0x10 callq: 4000\n"
                              "main+0x14: 1000\n");
}

TEST(ModelCallsTest, SharesAddUpExactly) {
  ModelParts model;
  for (int64_t time : {300, 0, 500}) {
    model.parts.emplace_back();
    model.parts.back().timePs = time;
  }
  // A fifth of the runs is outside of the parts.
  model.wholePs = 1000;
  EXPECT_EQ(model.split(2000), (std::vector<int64_t>{600, 0, 1000}));
  // 5 of 7 picoseconds are covered: 1.875 and 3.125.
  EXPECT_EQ(model.split(7), (std::vector<int64_t>{2, 0, 3}));
  EXPECT_EQ(model.split(0), (std::vector<int64_t>{0, 0, 0}));
  // On several threads the parts may have more time than the runs.
  model.wholePs = 800;
  std::vector<int64_t> shares = model.split(INT64_MAX);
  EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), int64_t(0)),
            INT64_MAX);
}

/// Calls of the programs `files` that took so many picoseconds, in a scope.
static scope::Recording
makeCalls(llvm::ArrayRef<std::pair<std::string, int64_t>> calls) {
  scope::Recording recording;
  recording.hasEvents = true;
  recording.threads.emplace_back();
  recording.sites.emplace_back();
  recording.sites.back().name = "serve";
  scope::ScopeEvent around;
  for (const auto &[file, durationPs] : calls) {
    scope::Site site;
    site.name = "main";
    site.file = file;
    site.type = uint16_t(scope::ScopeType::Model);
    scope::ScopeEvent call;
    call.site = uint32_t(recording.sites.size());
    call.first = uint32_t(recording.events.size());
    call.parent = uint32_t(calls.size());
    call.beginPs = around.endPs;
    call.endPs = around.endPs + durationPs;
    call.selfPs = durationPs;
    around.endPs = call.endPs;
    recording.sites.push_back(std::move(site));
    recording.events.push_back(call);
  }
  around.first = uint32_t(recording.events.size());
  recording.events.push_back(around);
  return recording;
}

TEST(ModelCallsTest, RowsHangBelowTheCallsOfTheirProgram) {
  Profile profile = makeRecording();
  std::string known = profile.programs[0].fingerprint;
  scope::Recording recording =
      makeCalls({{known, 100'000}, {"another", 7}, {known, 60'000}});
  scope::TableOptions options;
  options.key = scope::RowKey::Path;
  std::vector<scope::TableRow> rows = makeTable(recording, options);
  ASSERT_EQ(rows.size(), 3u);
  addModelRows(profile, rows);
  int64_t selfPs = 0;
  std::map<std::string, int64_t> totals;
  for (const scope::TableRow &row : rows) {
    selfPs += row.selfPs;
    totals[row.name + (row.model == "another" ? " of another" : "")] =
        row.totalPs;
  }
  EXPECT_EQ(selfPs, 160'007);
  EXPECT_EQ(totals["serve"], 160'007);
  EXPECT_EQ(totals["main"], 160'000);
  EXPECT_EQ(totals["main of another"], 7);
  // 9, 2, 4 and 1 of 16 samples: the sum of the parts, which is more than that
  // of the iterations.
  EXPECT_EQ(totals["linalg.matmul (fc1)"], 90'000);
  EXPECT_EQ(totals["main+0x0 vmulps"], 50'000);
  EXPECT_EQ(totals["arith.maximumf"], 20'000);
  EXPECT_EQ(totals["linalg.generic (exp)"], 40'000);
  EXPECT_EQ(totals["main+0x14"], 10'000);
  for (const scope::TableRow &row : rows)
    if (row.name == "main+0x0 vmulps") {
      EXPECT_EQ(rows[row.parent].name, "linalg.matmul (fc1)");
      EXPECT_EQ(rows[rows[row.parent].parent].model, known);
      EXPECT_EQ(row.depth, 3u);
      EXPECT_EQ(row.calls, 2u);
      EXPECT_EQ(row.minPs, 18'750);
      EXPECT_EQ(row.maxPs, 31'250);
    }
}
