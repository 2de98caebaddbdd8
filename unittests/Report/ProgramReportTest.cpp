//===- ProgramReportTest.cpp - Reports of a recording by mlir-prof --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramData.h"
#include "TestData.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Report/Explain.h"
#include "mlir-prof/Report/WhyEmpty.h"
#include "mlir-prof/Report/Writer.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::test;
using namespace mlirprof::trace;

static std::string textOf(const Profile &profile, llvm::StringRef by) {
  Report report = llvm::cantFail(buildReport({profile}, **findReport(by)));
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::cantFail(findReportWriter("text"))->write(report, {}, os);
  return text;
}

TEST(ProgramReportTest, LoopsOfSamples) {
  Profile profile = makeRecording();
  // 9 has the multiplications, 11 the maxima; 8 has both and the addition.
  EXPECT_EQ(rowsOf({profile}, "loop"),
            "2,main,scf.for,0,1,,4,4,4,4000000,0,,11000,1000,fc1,loops,0,,\n"
            "3,main,scf.for,1,0,2,,,,,,,8000,8000,fc1,loops,0,,\n"
            "5,main,scf.for,1,0,2,8,8,8,8000000,0,,2000,2000,relu,loops,0,,\n");
}

TEST(ProgramReportTest, LoopsWithObservedTrips) {
  Profile profile = makeRecording();
  ValueTable trips;
  trips.kind = ValueKind::Trips;
  trips.program = "p";
  trips.node = 9;
  trips.entries = {{{3}, 1}, {{7}, 3}};
  profile.runs.front().values = {trips};
  // (3 + 3 * 7) / 4
  EXPECT_TRUE(
      llvm::StringRef(rowsOf({profile}, "loop"))
          .contains("3,main,scf.for,1,0,2,,3,7,6000000,0,4,8000,8000,"));
  profile.runs.front().values.front().other = 2;
  EXPECT_TRUE(llvm::StringRef(rowsOf({profile}, "loop"))
                  .contains("1,0,2,,3,7,6000000,2,6,8000,"));
  profile.runs.front().values.front() = trips;
  profile.runs.front().values.front().entries = {{{5}, 9}};
  EXPECT_TRUE(llvm::StringRef(rowsOf({profile}, "loop"))
                  .contains("3,main,scf.for,1,0,2,5,5,5,5000000,0,9,8000,"));
}

// As texts, "32" and "10" are less than "9".
TEST(ProgramReportTest, TripsAreNumbers) {
  Profile profile = makeRecording();
  auto &nodes = profile.programs.front().nodes;
  nodes[9].trips = 32;
  nodes[11].trips = 10;
  auto trips = [&](llvm::StringRef filter, llvm::StringRef sort) {
    Query query;
    query.filters = {llvm::cantFail(parseFilter(filter))};
    query.sort = llvm::cantFail(parseSort(sort));
    Report report =
        llvm::cantFail(buildReport({profile}, **findReport("loop"), query));
    std::vector<int64_t> values;
    for (uint32_t row : report.view.rows)
      values.push_back(
          report.table.getInteger(row, *report.table.findColumn("trips")));
    return values;
  };
  EXPECT_EQ(trips("trips<9", "trips"), std::vector<int64_t>({4}));
  EXPECT_EQ(trips("trips>9", "trips"), std::vector<int64_t>({32, 10}));
  EXPECT_EQ(trips("trips>0", "trips:asc"), std::vector<int64_t>({4, 10, 32}));
  Report report = llvm::cantFail(buildReport({profile}, **findReport("loop")));
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::cantFail(findReportWriter("json"))->write(report, {}, os);
  EXPECT_NE(text.find("\"trips\":32,"), std::string::npos);
}

TEST(ProgramReportTest, OpsWithoutPositionsCountInOrder) {
  Profile profile = makeRecording();
  std::string before = rowsOf({profile}, "loop");
  for (ProgramNode &node : profile.programs.front().nodes)
    node.position = kNone;
  EXPECT_EQ(rowsOf({profile}, "loop"), before);
}

TEST(ProgramReportTest, NumbersOfSeveralPrograms) {
  Profile profile = makeRecording();
  profile.programs.push_back(profile.programs.front());
  profile.programs.back().fingerprint = "q";
  Ownership ownership = matchProgram(profile, "input");
  Attribution attribution = attribute(profile, ownership);
  ReportInput input{profile, &ownership, &attribution};
  Explanation both = llvm::cantFail(explain(input, "#2"));
  EXPECT_EQ(both.kind, Explanation::Kind::Ambiguous);
  ASSERT_EQ(both.candidates.size(), 2u);
  EXPECT_EQ(both.candidates[0].query, "0:#2");
  EXPECT_EQ(both.candidates[1].query, "1:#2");
  for (const Candidate &candidate : both.candidates) {
    Explanation one = llvm::cantFail(explain(input, candidate.query));
    EXPECT_EQ(one.kind, Explanation::Kind::MlirOp);
    EXPECT_EQ(ownership.ops[one.op].op, "linalg.matmul");
    EXPECT_EQ(one.measured.empty(), candidate.query == "1:#2");
  }
  EXPECT_EQ(llvm::toString(explain(input, "2:#2").takeError()),
            "op '2:#2': is not an op of the profile at this level\n  hint: "
            "`report --by=op --all` lists the indices.");
}

TEST(ProgramReportTest, LoopsOfProbes) {
  Profile profile = makeRecording();
  auto &run = profile.runs.front();
  profile.opKeys.clear();
  run.ops.clear();
  profile.programs.front().probes = {{ProbeKind::Loop, 8, kNone, 0, 1},
                                     {ProbeKind::Loop, 9, 0, 1, 0}};
  auto add = [&](uint32_t probe, int64_t ps, int64_t self, int64_t cost) {
    OpSummary op;
    op.op = probe;
    op.get(Quantity::Execute).add(ps);
    op.get(Quantity::Self).add(self);
    op.get(Quantity::RawExecute).add(ps + cost);
    op.get(Quantity::RawSelf).add(self + cost);
    run.ops.push_back(op);
    profile.opKeys.push_back(probeKey(probe));
  };
  add(0, 5000, 2000, 40);
  add(1, 3000, 3000, 20);
  // Loop 11 was not measured.
  EXPECT_EQ(rowsOf({profile}, "loop"),
            "2,main,scf.for,0,1,,4,4,4,4000000,0,1,5000,2000,fc1,loops,0,5040,"
            "2040\n"
            "3,main,scf.for,1,0,2,,,,,,1,3000,3000,fc1,loops,0,3020,3020\n");
  EXPECT_EQ(rowsOf({profile}, "call-tree"), "main,5000,5000\n");
}

// Probes around ops of the input, as in a user's pipeline: the time of loops
// consists of the parts of these ops in them.
TEST(ProgramReportTest, LoopsOfProbesAroundOps) {
  Profile profile = makeRecording();
  auto &run = profile.runs.front();
  profile.opKeys.clear();
  run.ops.clear();
  profile.programs.front().probes = {{ProbeKind::Operation, 1, kNone, 0, 1}};
  OpSummary op;
  op.op = 0;
  op.get(Quantity::Execute).add(6000);
  op.get(Quantity::Self).add(6000);
  run.ops.push_back(op);
  profile.opKeys.push_back(probeKey(0));
  // Among the ops at the level of loops that came from fc1, the multiplication
  // is in the inner loop (node 9, op 3 of its level) and the addition in the
  // outer one alone (node 8, op 2); they cost the same. Node 11 was not
  // measured.
  EXPECT_EQ(rowsOf({profile}, "loop"),
            "2,main,scf.for,0,1,,4,4,4,4000000,0,,6000,3000,fc1,loops,0,,\n"
            "3,main,scf.for,1,0,2,,,,,,,3000,3000,fc1,loops,0,,\n");
}

static std::string whyEmpty(const Profile &profile, llvm::StringRef by) {
  const ReportKind &kind = **findReport(by);
  Report report = llvm::cantFail(buildReport({profile}, kind));
  return explainEmpty({profile}, kind, report, RowSelection::Measured);
}

TEST(ProgramReportTest, EmptyReportsSayWhy) {
  Profile profile = makeRecording();
  for (llvm::StringRef by : {"loop", "chain", "call-tree", "roofline"})
    EXPECT_EQ(whyEmpty(profile, by), "") << by.str();
  EXPECT_TRUE(llvm::StringRef(whyEmpty(profile, "value"))
                  .starts_with("No values were observed"));
  Profile noMeasurements = profile;
  noMeasurements.runs.front().ops.clear();
  for (llvm::StringRef by : {"loop", "chain", "call-tree"})
    EXPECT_TRUE(llvm::StringRef(whyEmpty(noMeasurements, by))
                    .starts_with("No op was measured"))
        << whyEmpty(noMeasurements, by);
  Profile noLoops = profile;
  for (ProgramNode &node : noLoops.programs.front().nodes)
    if (node.kind == NodeKind::Loop)
      node.kind = NodeKind::Operation;
  EXPECT_TRUE(llvm::StringRef(whyEmpty(noLoops, "loop"))
                  .starts_with("The program does not contain loops"));
  Profile noCode = profile;
  noCode.programs.front().instructions.clear();
  EXPECT_TRUE(llvm::StringRef(whyEmpty(noCode, "chain"))
                  .starts_with("The profile does not contain machine code"));
  // Every empty report states a reason.
  for (const ReportKind &kind : getReports()) {
    if (kind.needs == Needs::Ownership)
      continue;
    for (const Profile *each : {&profile, &noMeasurements, &noLoops, &noCode}) {
      Report report = llvm::cantFail(buildReport({*each}, kind));
      EXPECT_EQ(
          explainEmpty({*each}, kind, report, RowSelection::Measured).empty(),
          !report.view.rows.empty())
          << kind.name.str();
    }
  }
}

TEST(ProgramReportTest, LoopsWithoutTimeOnRequest) {
  Profile profile = makeRecording();
  profile.runs.front().ops.clear();
  EXPECT_EQ(rowsOf({profile}, "loop"), "");
  Report report = llvm::cantFail(
      buildReport({profile}, **findReport("loop"), {}, RowSelection::All));
  EXPECT_EQ(report.table.size(), 3u);
}

TEST(ProgramReportTest, LoopsMayNestAsDeepAsTheyLike) {
  Profile profile = makeRecording();
  Program &program = profile.programs.front();
  constexpr uint32_t kLoops = 100'000;
  ProgramNode loop = program.nodes[9];
  for (uint32_t i = 0; i < kLoops; ++i) {
    loop.container = i ? uint32_t(program.nodes.size() - 1) : 9;
    loop.position = 100 + i;
    program.nodes.push_back(loop);
  }
  // The multiplications are in the innermost.
  program.nodes[10].container = uint32_t(program.nodes.size() - 1);
  Query query;
  query.sort = llvm::cantFail(parseSort("depth:desc"));
  query.top = 1;
  EXPECT_EQ(rowsOf({profile}, "loop", query),
            "100099,main,scf.for,100001,0,100098,,,,,,,8000,8000,fc1,loops,0,,"
            "\n");
  query.sort = llvm::cantFail(parseSort("height:desc"));
  EXPECT_EQ(rowsOf({profile}, "loop", query),
            "2,main,scf.for,0,100001,,4,4,4,4000000,0,,11000,1000,fc1,loops,0,,"
            "\n");
}

TEST(ProgramReportTest, InstructionsHoldNoLoops) {
  Profile profile = makeRecording();
  ReportInput input{profile};
  input.level = "asm";
  EXPECT_EQ(rowsOf(input, "loop"), "");
  EXPECT_EQ(rowsOf(input, "split"), "");
  input.level = "nothing";
  EXPECT_EQ(rowsOf(input, "loop"), "");
  EXPECT_EQ(rowsOf(input, "split"), "");
}

TEST(ProgramReportTest, Chains) {
  Profile profile = makeRecording();
  EXPECT_EQ(
      rowsOf({profile}, "chain"),
      "5000,5,main+0x0,vmulps,,llvm.fmul,arith.mulf,linalg.matmul,fc1,256\n"
      "4000,4,main+0x10,callq,libm.so.6:expf,llvm.call,math.exp,"
      "linalg.generic,exp,272\n"
      "3000,3,main+0x4,jne,,llvm.fmul,arith.mulf,linalg.matmul,fc1,260\n"
      "2000,2,main+0x8,vmaxps,,llvm.intr.maximum,arith.maximumf,"
      "arith.maximumf,,264\n"
      "1000,1,main+0xc,vaddps,,llvm.fadd,arith.addf,linalg.matmul,fc1,268"
      "\n"
      "1000,1,main+0x14,ret,,,,,,276\n");
}

TEST(ProgramReportTest, ChainsOfSeveralOrigins) {
  Profile profile = makeRecording();
  profile.programs.front().nodes[10].parents = {1, 2, 3};
  std::string rows = rowsOf({profile}, "chain", makeQuery(1));
  EXPECT_EQ(rows, "5000,5,main+0x0,vmulps,,llvm.fmul,arith.mulf,"
                  "linalg.matmul + linalg.generic + arith.maximumf,"
                  "fc1 + relu,256\n");
}

TEST(ProgramReportTest, CalleesOwnAndCallersRollUp) {
  Profile profile = makeRecording();
  EXPECT_EQ(rowsOf({profile}, "call-tree"), "main,15000,11000\n"
                                            "main/helper at use,4000,4000\n");
}

TEST(ProgramReportTest, Values) {
  Profile profile = makeRecording();
  ValueTable sizes;
  sizes.program = "p";
  sizes.node = 0;
  sizes.names = {"arg0.dim0", "arg1.dim0"};
  sizes.entries = {{{16, 2}, 1}, {{32, 2}, 5}};
  sizes.other = 2;
  profile.runs.front().values = {sizes};
  // Another run observed one of them again, and a program that does not exist.
  profile.runs.push_back(profile.runs.front());
  profile.runs.back().values.front().entries = {{{32, 2}, 2}};
  profile.runs.back().values.front().other = 0;
  ValueTable stray = sizes;
  stray.program = "q";
  stray.kind = ValueKind::Branch;
  stray.names = {"condition"};
  stray.entries = {{{1}, 7}};
  stray.other = 0;
  profile.runs.back().values.push_back(stray);
  EXPECT_EQ(rowsOf({profile}, "value"),
            "branch,,\"\",\"\",\"\",condition,1,7,7,1000000,\"\",\n"
            "dimensions,1,main,func.func,main,\"arg0.dim0, arg1.dim0\","
            "32 x 2,7,10,700000,input,0\n"
            "dimensions,1,main,func.func,main,\"arg0.dim0, arg1.dim0\","
            ",2,10,200000,input,0\n"
            "dimensions,1,main,func.func,main,\"arg0.dim0, arg1.dim0\","
            "16 x 2,1,10,100000,input,0\n");
  // Lists compare as numbers: as texts, "16 x 2" is less than "9 x 9".
  Query query;
  query.filters = {llvm::cantFail(parseFilter("values<17"))};
  EXPECT_EQ(llvm::StringRef(rowsOf({profile}, "value", query)).count("\n"), 2u);
  query.filters = {llvm::cantFail(parseFilter("values>=9x9"))};
  EXPECT_EQ(llvm::StringRef(rowsOf({profile}, "value", query)).count("\n"), 2u);
  query.filters = {llvm::cantFail(parseFilter("values=32 x 2"))};
  EXPECT_EQ(llvm::StringRef(rowsOf({profile}, "value", query)).count("\n"), 1u);
}

// A recording by another program with probes, or sampled by perf.
TEST(ProgramReportTest, RooflineSaysWhatItDoesNotKnow) {
  Profile profile = makeRecording();
  auto &run = profile.runs.front();
  run.iterations = {};
  run.steps.clear();
  // It is unknown how often the model ran, and the work of its ops.
  llvm::StringRef kUnknown = "the number of iterations is not known,0\n";
  EXPECT_EQ(rowsOf({profile}, "roofline", makeQuery(1)),
            "2,linalg.matmul,fc1,9000,,,,,,,,,,unknown,the recording lacks the "
            "work of its ops (name the model); " +
                kUnknown.str());
  // With the work, everything that does not involve time is known: flop per
  // byte.
  run.work = {{"p", 1, 4500, 900}};
  EXPECT_EQ(rowsOf({profile}, "roofline", makeQuery(1)),
            "2,linalg.matmul,fc1,9000,,,4500,900,,,5000000,,,unknown," +
                kUnknown.str());
  // The arguments of the entry were observed eight times.
  ValueTable sizes;
  sizes.program = "p";
  sizes.node = 0;
  sizes.names = {"arg0.dim0"};
  sizes.entries = {{{16}, 5}};
  sizes.other = 3;
  run.values = {sizes};
  EXPECT_TRUE(llvm::StringRef(rowsOf({profile}, "roofline"))
                  .starts_with("2,linalg.matmul,fc1,9000,8,1125,4500,900,"
                               "4000000000000,800000000000,"));
  // A probe counted the entry function, at a later level.
  profile.programs.front().probes = {{ProbeKind::Function, 7, kNone, 0, 1}};
  addSamples(profile, probeKey(0), 2);
  EXPECT_TRUE(llvm::StringRef(rowsOf({profile}, "roofline"))
                  .contains("linalg.matmul,fc1,9000,2,4500,4500,900,"));
}

TEST(ProgramReportTest, Roofline) {
  Profile profile = makeRecording();
  auto &run = profile.runs.front();
  run.machine.flopsOneThread = 4'000'000'000'000;
  run.machine.bytesOneThread = 1'000'000'000'000;
  run.work = {{"p", 1, 4500, 900}, {"p", 2, 100, 400}};
  // fc1: 4 * 4500 flop in 9000 ps are 2e12 a second, 4 * 900 bytes 4e11. At
  // the peaks they need 4500 and 3600 ps. relu has the time of its body: 400
  // flop and 1600 bytes in 2000 ps, which need 100 and 1600 ps.
  EXPECT_EQ(
      rowsOf({profile}, "roofline"),
      "2,linalg.matmul,fc1,9000,4,2250,4500,900,2000000000000,"
      "400000000000,5000000,500000,500000,compute,,0\n"
      "6,linalg.generic,exp,4000,4,1000,,,,,,,,unknown,its work cannot be "
      "counted,0\n"
      "3,linalg.generic,relu,2000,4,500,100,400,200000000000,"
      "800000000000,250000,800000,50000,memory,,0\n");
  // Without a peak, rates are known but limits are not.
  run.machine = {};
  EXPECT_TRUE(llvm::StringRef(rowsOf({profile}, "roofline"))
                  .starts_with("2,linalg.matmul,fc1,9000,4,2250,4500,900,"
                               "2000000000000,400000000000,5000000,,,unknown,"
                               "the recording lacks the machine's peak,0\n"));
}

// 3600 bytes in 9000 ps are four times the memory bandwidth: they came from a
// cache, whose bandwidth is unknown.
TEST(ProgramReportTest, NothingIsFasterThanWhatIsAttainable) {
  Profile profile = makeRecording();
  auto &run = profile.runs.front();
  run.machine.flopsOneThread = 4'000'000'000'000;
  run.machine.bytesOneThread = 100'000'000'000;
  run.work = {{"p", 1, 4500, 900}};
  EXPECT_TRUE(
      llvm::StringRef(rowsOf({profile}, "roofline"))
          .starts_with("2,linalg.matmul,fc1,9000,4,2250,4500,900,"
                       "2000000000000,400000000000,5000000,,500000,cache,"
                       "\"its data is in a cache, whose peak was not "
                       "measured\",0\n"));
}

// 18000 flop in 9000 ps are 1.5 times the peak: the measured peak was too low,
// or not all operations were executed.
TEST(ProgramReportTest, NothingIsAboveThePeak) {
  Profile profile = makeRecording();
  auto &run = profile.runs.front();
  run.machine.flopsOneThread = 1'333'333'333'333;
  run.machine.bytesOneThread = 100'000'000'000;
  run.work = {{"p", 1, 4500, 90}};
  EXPECT_TRUE(llvm::StringRef(rowsOf({profile}, "roofline"))
                  .starts_with("2,linalg.matmul,fc1,9000,4,2250,4500,90,"
                               "2000000000000,40000000000,50000000,,,above "
                               "peak,it is faster than the measured peak,0\n"));
}

TEST(ProgramReportTest, ThreadsShareThePeakOfTheMachine) {
  Profile profile = makeRecording();
  profile.strings = {"work"};
  auto &run = profile.runs.front();
  run.machine.threads = 4;
  run.machine.flopsOneThread = 4'000'000'000'000;
  run.machine.flopsAllThreads = 8'000'000'000'000;
  run.machine.bytesOneThread = 1'000'000'000'000;
  run.machine.bytesAllThreads = 2'000'000'000'000;
  run.work = {{"p", 1, 2250, 900}};
  run.tracks.resize(2);
  run.events.resize(2);
  run.events[1].track = 1;
  for (EventSummary &event : run.events)
    event.total.add(1);
  // A quarter of 8e12 and 2e12: 9000 flop need 4500 ps, 3600 bytes 7200 ps.
  EXPECT_TRUE(
      llvm::StringRef(rowsOf({profile}, "roofline"))
          .starts_with("2,linalg.matmul,fc1,9000,4,2250,2250,900,"
                       "1000000000000,400000000000,2500000,800000,500000,"
                       "memory,,0\n"));
}

TEST(ProgramReportTest, Splits) {
  Profile profile = makeRecording();
  EXPECT_EQ(rowsOf({profile}, "split"), "");
  // One loop of three instructions: two of the matmul, one of the maximum.
  Program &program = profile.programs.front();
  program.instructions[2].loop = 0;
  program.loops[0].end = 0x10c;
  // Each instruction's time is split by 2:1: 3333 + 2000 + 1333 of 5000, 3000
  // and 2000.
  EXPECT_EQ(
      rowsOf({profile}, "split"),
      "main+0x0..0xc,linalg.matmul,fc1,2000000,666667,6666,8000,10000,0,2,0,"
      "256,268,0\n"
      "main+0x0..0xc,arith.maximumf,\"\",1000000,333333,3334,2000,10000,0,4,0,"
      "256,268,0\n");
  // At another level they are other ops.
  ReportInput input{profile};
  input.level = "llvm";
  EXPECT_TRUE(
      llvm::StringRef(rowsOf(input, "split"))
          .starts_with("main+0x0..0xc,llvm.fmul,fc1,2000000,666667,6666,"));
}

TEST(ProgramReportTest, Threads) {
  Profile profile = makeRecording();
  profile.strings = {"work", "waiting", "something"};
  auto &run = profile.runs.front();
  run.tracks.resize(2);
  run.tracks[0].name = "main";
  run.tracks[1].name = "worker";
  run.tracks[1].line = 1;
  auto add = [&](uint32_t track, uint32_t name, int64_t ps) {
    EventSummary event;
    event.track = track;
    event.name = name;
    event.total.add(ps);
    event.total.add(ps);
    run.events.push_back(event);
  };
  add(0, 0, 700);
  add(1, 0, 300);
  add(1, 1, 400);
  add(0, 2, 999);
  EXPECT_EQ(rowsOf({profile}, "thread"), "main,0,1400,0,0,0,0,1400,2\n"
                                         "worker,1,600,0,0,800,0,1400,4\n");
}

TEST(ProgramReportTest, Text) {
  Profile profile = makeRecording();
  // 19 samples, 16 of them at instructions, one of these without identity.
  EXPECT_EQ(textOf(profile, "loop"),
            R"(4 iterations: min 10 ps, median 25 ps, mean 27 ps
19 samples, one for each 1.000 ns of a thread: 84.2 % in the model, of which 93.8 % have an op

share             trips  executions  time [ns]  self [ns]  #  function  op       depth  height  parent  location  level
████▋     57.9 %      4           -     11.000      1.000  2  main      scf.for      0       1       -  fc1       loops
███▍      42.1 %      -           -      8.000      8.000  3  main      scf.for      1       0       2  fc1       loops
▉         10.5 %      8           -      2.000      2.000  5  main      scf.for      1       0       2  relu      loops
)");
}

TEST(ProgramReportTest, HeaderSaysWhatWasSampled) {
  Profile profile = makeRecording();
  profile.runs.front().facts.emplace_back("sampled time", "processor time");
  EXPECT_NE(textOf(profile, "loop")
                .find("one for each 1.000 ns of a thread's processor time: "),
            std::string::npos);
}

TEST(ProgramReportTest, OtherProfilesHaveNone) {
  auto data = makeData();
  for (llvm::StringRef by :
       {"loop", "chain", "call-tree", "value", "roofline", "split", "thread"}) {
    llvm::Expected<Report> report =
        buildReport(data->withoutModule(), **findReport(by));
    EXPECT_EQ(llvm::toString(report.takeError()),
              "report '" + by.str() +
                  "': needs a recording by mlir-prof, which the profile does "
                  "not contain\n  hint: Run the model with mlir-prof record.");
  }
}

/// A sample has an op if its instruction has, or its innermost loop.
TEST(ProgramReportTest, CountsSamplesInLoopsOfKnownOps) {
  Profile profile = makeRecording();
  RunHeader all = getRunHeaders(profile).front();
  EXPECT_EQ(all.codeSamples, 16u);
  EXPECT_EQ(all.identifiedSamples, 15u);
  profile.programs[0].instructions[1].node = kNone;
  EXPECT_EQ(getRunHeaders(profile).front().identifiedSamples, 15u);
  profile.programs[0].instructions[1].loop = kNone;
  EXPECT_EQ(getRunHeaders(profile).front().identifiedSamples, 15u - 3);
}
