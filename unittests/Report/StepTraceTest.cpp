//===- StepTraceTest.cpp - Phases of steps, computed by hand --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "mlir-prof/Profile/KeptSamples.h"
#include "mlir-prof/Report/WhyEmpty.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::test;

namespace {
/// A profile of one run, whose events are added one by one.
struct Recorded {
  Profile profile;

  Recorded() {
    Run &run = profile.runs.emplace_back();
    run.source = "a.json";
    run.tracks.emplace_back();
  }
  uint32_t addKey(llvm::StringRef op, CallPhase phase) {
    OpKey &key = profile.opKeys.emplace_back();
    key.op = op.str();
    FrameworkCallKey call;
    call.phase = phase;
    key.make(std::move(call));
    profile.strings.push_back(op.str());
    return uint32_t(profile.opKeys.size() - 1);
  }
  void addEvent(uint32_t op, int64_t beginPs, int64_t endPs) {
    EventColumns &kept = profile.runs.front().kept;
    kept.track.push_back(0);
    kept.name.push_back(op);
    kept.op.push_back(op);
    kept.beginPs.push_back(beginPs);
    kept.durationPs.push_back(endPs - beginPs);
    kept.addCode(0, 0);
  }
  std::string rows(StepOps bounds = {}) const {
    ReportInput input = {profile};
    input.stepOps = std::move(bounds);
    return rowsOf(input, "step-trace");
  }
};
} // namespace

/// A training step from 100 to 1100, an evaluation step until 2000, whose mark
/// begins later, and a step without ops.
static Recorded makeSteps() {
  Recorded made;
  made.profile.runs.front().steps = {
      {0, 100, 1000, 0, 0}, {1, 1150, 850, 0, 0}, {3, 2500, 500, 0, 0}};
  uint32_t zero = made.addKey("zero", CallPhase::Optimizer);
  uint32_t embed = made.addKey("embed", CallPhase::Forward);
  uint32_t dot = made.addKey("dot", CallPhase::Forward);
  uint32_t dotBack = made.addKey("dot_back", CallPhase::Backward);
  uint32_t embedBack = made.addKey("embed_back", CallPhase::Backward);
  made.addEvent(zero, 110, 120);
  made.addEvent(embed, 150, 250);
  made.addEvent(dot, 250, 400);
  made.addEvent(dotBack, 420, 700);
  made.addEvent(embedBack, 650, 900);
  made.addEvent(zero, 950, 1000);
  made.addEvent(dot, 1200, 1500);
  // It ends after its step.
  made.addEvent(dot, 1900, 2200);
  return made;
}

TEST(StepTraceTest, PhasesAddUp) {
  EXPECT_EQ(makeSteps().rows(), "0,100,50,270,480,200,1000,a.json\n"
                                "1,1100,100,800,,0,900,a.json\n");
}

TEST(StepTraceTest, NamedOpsBoundThePhases) {
  EXPECT_EQ(makeSteps().rows({"dot", "dot_back"}),
            "0,100,150,170,280,400,1000,a.json\n");
  EXPECT_EQ(makeSteps().rows({"", "dot"}), "0,100,50,270,280,400,1000,a.json\n"
                                           "1,1100,100,800,,0,900,a.json\n");
}

TEST(StepTraceTest, StepsThatLackOpsAreCounted) {
  Recorded made = makeSteps();
  llvm::Expected<Report> report =
      buildReport({made.profile}, **findReport("step-trace"));
  ASSERT_TRUE(bool(report));
  EXPECT_EQ(report->table.notes,
            std::vector<std::string>{
                "1 step does not have the ops that bound its phases"});
}

TEST(StepTraceTest, WithoutMarksTheFirstOpBeginsAStep) {
  Recorded made;
  uint32_t embed = made.addKey("embed", CallPhase::Forward);
  uint32_t inner = made.addKey("embed/gather", CallPhase::Forward);
  uint32_t dot = made.addKey("dot", CallPhase::Forward);
  made.addEvent(dot, 0, 50);
  made.addEvent(embed, 100, 200);
  made.addEvent(inner, 120, 180);
  made.addEvent(dot, 200, 300);
  made.addEvent(embed, 400, 500);
  made.addEvent(dot, 550, 600);
  EXPECT_EQ(made.rows(), "");
  EXPECT_EQ(made.rows({"embed", ""}), "0,100,0,200,,100,300,a.json\n"
                                      "1,400,0,200,,0,200,a.json\n");
}

TEST(StepTraceTest, PathsTellTheBackwardPass) {
  for (llvm::StringRef path :
       {"jit(f)/transpose(jvp(g))/dot", "gradient_tape/model/dot",
        "Gradients/Default/dot", "training/gradients/dot"}) {
    Recorded made;
    made.profile.runs.front().steps = {{0, 0, 100, 0, 0}};
    uint32_t dot = made.addKey("dot", CallPhase::Forward);
    uint32_t back = made.addKey(path, CallPhase::Forward);
    made.addEvent(dot, 10, 20);
    made.addEvent(back, 30, 40);
    EXPECT_EQ(made.rows(), "0,0,10,20,10,60,100,a.json\n") << path.str();
  }
}

TEST(StepTraceTest, SamplesAreNoExecutions) {
  Recorded made = makeSteps();
  setKeepsSamples(made.profile.runs.front());
  EXPECT_EQ(made.rows(), "");
}

TEST(StepTraceTest, EmptyReportsStateAReason) {
  auto why = [](const Recorded &made) {
    ReportInput input = {made.profile};
    const ReportKind &kind = **findReport("step-trace");
    return explainEmpty(input, kind, llvm::cantFail(buildReport(input, kind)),
                        RowSelection::Measured);
  };
  Recorded made = makeSteps();
  made.profile.runs.front().steps.clear();
  EXPECT_NE(why(made).find("--first-op"), std::string::npos);
  made.profile.runs.front().kept = {};
  EXPECT_NE(why(made).find("--keep-events"), std::string::npos);
}
