//===- ScaleTest.cpp - Large tables ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "mlir-prof/Report/Writer.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::test;

// This many rows finish within the test's time limit only if nothing is
// quadratic: neither names, nor queries, nor trees, nor formats.
static constexpr uint32_t kRows = 300000;

static uint64_t countLines(const Report &report, llvm::StringRef format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  WriteOptions options;
  options.width = 100;
  llvm::cantFail(findReportWriter(format))->write(report, options, os);
  return llvm::count(text, '\n');
}

TEST(ScaleTest, ManyEvents) {
  Data data;
  profile::Run &run = data.profile.runs.emplace_back();
  run.tracks.emplace_back();
  std::mt19937 random(1);
  for (uint32_t i = 0; i < kRows; ++i) {
    data.profile.strings.push_back("event number " + std::to_string(i));
    EventSummary event;
    event.name = i;
    event.total.count = event.self.count = 1;
    event.total.sum = event.self.sum = random() % 1000;
    run.events.push_back(event);
  }
  Query query;
  query.filters = {llvm::cantFail(parseFilter("name~9")),
                   llvm::cantFail(parseFilter("self>=500"))};
  query.sort = llvm::cantFail(parseSort("self,-name"));
  llvm::Expected<Report> some =
      buildReport(data.withoutModule(), **findReport("event"), query);
  ASSERT_TRUE(bool(some));
  uint64_t expected = 0;
  for (uint32_t i = 0; i < kRows; ++i)
    expected += run.events[i].self.sum >= 500 &&
                llvm::StringRef(data.profile.strings[i]).contains('9');
  EXPECT_EQ(some->view.rows.size(), expected);

  llvm::Expected<Report> all =
      buildReport(data.withoutModule(), **findReport("event"));
  ASSERT_TRUE(bool(all));
  EXPECT_EQ(countLines(*all, "text"), kRows + 1);
  EXPECT_EQ(countLines(*all, "csv"), kRows + 1);
  // The line that opens the object and contains the coverage, and one per row.
  EXPECT_EQ(countLines(*all, "json"), kRows + 1);
}

TEST(ScaleTest, DeepAndWideScopes) {
  Data data;
  std::string deep = "s";
  for (int i = 0; i < 100000; ++i)
    deep += "/s";
  data.ownership.ops.resize(200001);
  data.ownership.ops[0].path = deep;
  for (uint32_t i = 1; i < data.ownership.ops.size(); ++i)
    data.ownership.ops[i].path = "wide/" + std::to_string(i);
  Match match;
  match.matchClass = MatchClass::Fused;
  for (uint32_t i = 0; i < data.ownership.ops.size(); ++i)
    match.ops.push_back(i);
  match.weights.resize(match.ops.size(), 1);
  addOp(data, nodeKey("all", "Fused"), {200001}, match);
  data.attribution = attribute(data.profile, data.ownership);
  llvm::Expected<Report> report =
      buildReport(data.withModule(), **findReport("module-path"));
  ASSERT_TRUE(bool(report));
  // 65 levels of the deep path, "wide", and the rows below it.
  EXPECT_EQ(report->table.size(), 65u + 1 + 200000);
  EXPECT_GT(countLines(*report, "text"), 200000u);
}
