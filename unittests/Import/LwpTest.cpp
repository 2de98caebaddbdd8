//===- LwpTest.cpp - Reading light-weight profiling -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using reading::getImporter;
using reading::readBad;
using reading::readGood;

namespace {

const OpSummary *find(const Profile &profile, uint32_t id) {
  for (const OpSummary &op : profile.runs[0].ops)
    if (profile.opKeys[op.op].get<ProbeKey>().probe == id)
      return &op;
  return nullptr;
}

int64_t cycles(const Profile &profile, uint32_t id) {
  return find(profile, id)->getSum(Quantity::Cycles);
}
int64_t self(const Profile &profile, uint32_t id) {
  return find(profile, id)->getSum(Quantity::Self) / 1000;
}

Profile readSeed(const char *name) {
  llvm::StringRef format =
      llvm::StringRef(name).ends_with(".csv") ? "lwp-csv" : "lwp-json";
  return reading::readSeed(format, (llvm::Twine("lwp/") + name).str());
}

TEST(LwpJson, NestsAndScales) {
  // Found by its content.
  Profile profile = readSeed("calls.json");
  EXPECT_EQ(profile.runs[0].producer.format, "lwp-json");
  EXPECT_EQ(cycles(profile, 0), 1000);
  // 2 of 4 executions have records, 100 cycles each.
  EXPECT_EQ(cycles(profile, 1), 400);
  EXPECT_EQ(find(profile, 1)->getCount(), 4u);
  EXPECT_EQ(cycles(profile, 2), 40);
  EXPECT_EQ(cycles(profile, 3), 20 + 60);
  EXPECT_EQ(self(profile, 0), 1000 - 400);
  EXPECT_EQ(self(profile, 1), 400 - 40 - 20);
  EXPECT_EQ(self(profile, 3), 80);
  const Program &program = profile.programs[0];
  EXPECT_EQ(program.probes[0].kind, ProbeKind::Function);
  EXPECT_EQ(program.probes[1].kind, ProbeKind::Loop);
  EXPECT_EQ(program.probes[1].parent, 0u);
  EXPECT_EQ(program.probes[2].parent, 1u);
  EXPECT_EQ(program.probes[2].depth, 1u);
  EXPECT_EQ(program.probes[1].height, 1u);
  // Called from two places.
  EXPECT_EQ(program.probes[3].kind, ProbeKind::Function);
  EXPECT_EQ(program.probes[3].parent, kNone);
  EXPECT_EQ(profile.runs[0].kept.size(), 6u);
}

/// Records "ret,id,cyc" separated by spaces.
std::string records(llvm::StringRef text, llvm::StringRef counts) {
  std::string json = "{\"entries\":[";
  llvm::SmallVector<llvm::StringRef> list, fields;
  text.split(list, ' ', -1, false);
  for (llvm::StringRef record : list) {
    fields.clear();
    record.split(fields, ',');
    json += (json.back() == '[' ? "" : ",");
    json += ("{\"ret\":" + fields[0] + ",\"id\":" + fields[1] +
             ",\"cyc\":" + fields[2] + "}")
                .str();
  }
  return json + "],\"loop_counts\":[" + counts.str() + "]}";
}

TEST(LwpJson, TellsRecursion) {
  Profile profile = readGood(
      "lwp-json", records("1,0,0 1,0,10 1,0,20 2,0,30 2,0,40 2,0,50", "3"));
  EXPECT_EQ(find(profile, 0)->getCount(), 3u);
  EXPECT_EQ(cycles(profile, 0), 50 + 30 + 10);
  EXPECT_EQ(self(profile, 0), 50);
}

TEST(LwpJson, TakesUnrolledLoops) {
  Profile profile = readGood(
      "lwp-json",
      records("1,0,0 10,1,1 11,1,2 20,1,3 21,1,4 10,1,5 11,1,6 2,0,9", "1,3"));
  EXPECT_EQ(find(profile, 1)->getCount(), 3u);
  EXPECT_EQ(cycles(profile, 1), 3);
  EXPECT_EQ(self(profile, 0), 6);
}

TEST(LwpJson, LeavesLoopsWhereTheyAreWhenTheirParentHasNoRecordsLeft) {
  // Loop 1 has one record of two executions; then loop 2 appears to be in 0.
  Profile profile =
      readGood("lwp-json",
               records("1,0,0 2,1,10 3,2,11 4,2,12 5,1,20 3,2,31 4,2,32 6,0,50",
                       "1,2,2"));
  EXPECT_EQ(profile.programs[0].probes[2].kind, ProbeKind::Loop);
  EXPECT_EQ(profile.programs[0].probes[2].parent, 1u);
  EXPECT_EQ(self(profile, 1), 20 - 2);
  EXPECT_EQ(self(profile, 0), 50 - 20);
}

TEST(LwpJson, CountsRecordsWithoutLoopCounts) {
  Profile profile =
      readGood("lwp-json", "{\"entries\":[{\"ret\":1,\"id\":0,\"cyc\":0},"
                           "{\"ret\":2,\"id\":1,\"cyc\":10},"
                           "{\"ret\":3,\"id\":1,\"cyc\":14},"
                           "{\"ret\":2,\"id\":1,\"cyc\":20},"
                           "{\"ret\":3,\"id\":1,\"cyc\":27},"
                           "{\"ret\":4,\"id\":0,\"cyc\":50}]}");
  EXPECT_EQ(find(profile, 1)->getCount(), 2u);
  EXPECT_EQ(cycles(profile, 1), 4 + 7);
  EXPECT_EQ(self(profile, 0), 50 - 11);
  EXPECT_EQ(reading::getLoss(profile,
                             "id without a count of its executions (no "
                             "loop_counts): those with a record are counted"),
            2u);
}

TEST(LwpJson, CountsWhatHasNoEnd) {
  Profile profile = readGood("lwp-json", records("1,0,0 2,1,5 3,1,6", "1,1,7"));
  std::map<std::string, uint64_t> losses;
  for (const Loss &loss : profile.runs[0].losses)
    losses[loss.name] = loss.count;
  EXPECT_EQ(losses["record without its end"], 1u);
  EXPECT_EQ(losses["executions of an id without a record"], 7u);
  EXPECT_EQ(cycles(profile, 1), 1);
}

TEST(LwpJson, RefusesOtherThings) {
  auto bad = [](llvm::StringRef text, llvm::StringRef part) {
    EXPECT_TRUE(llvm::StringRef(readBad("lwp-json", text)).contains(part))
        << text.str() << readBad("lwp-json", text);
  };
  bad("", "is not JSON");
  bad("{\"entries\":[", "is not JSON");
  bad("[]", "not have a list \"entries\"");
  bad("{\"entries\":[],\"loop_counts\":{}}", "loop_counts that are not a list");
  bad("{\"entries\":[{}],\"loop_counts\":[]}",
      "entry 0 does not have whole numbers ret");
  bad(records("1,4294967295,0", "1"), "has the id 4294967295");
  bad(records("1,0,-4", "1"), "whole numbers");
  bad(records("1,0,0", "-1"), "not a count");
  EXPECT_FALSE(getImporter("lwp-json").detect("{\"planes\":[]}"));
}

TEST(LwpCsv, ReadsTheTable) {
  Profile profile = readSeed("table.csv");
  EXPECT_EQ(profile.runs[0].producer.format, "lwp-csv");
  EXPECT_EQ(cycles(profile, 1), 400);
  EXPECT_EQ(find(profile, 1)->getCount(), 4u);
  EXPECT_EQ(self(profile, 0), 600);
  EXPECT_EQ(self(profile, 1), 360);
  EXPECT_EQ(profile.programs[0].probes[2].depth, 1u);
  EXPECT_EQ(profile.opKeys[find(profile, 3)->op].op, "a \"quoted\", name");
}

TEST(LwpCsv, TakesDepthsThatSkip) {
  // As written by the original tool: the distance of ids.
  Profile profile = readGood(
      "lwp-csv", "function name,loop/function id,loop depth,start offset,end "
                 "offset,pcycles,parent count\nf,0,-,0x0,0x9,90,1\n"
                 "f,1,0,0x1,0x8,60,1\nf,4,3,0x2,0x3,10,1\nf,6,5,0x4,0x5,5,2\n");
  EXPECT_EQ(profile.programs[0].probes[4].parent, 1u);
  EXPECT_EQ(profile.programs[0].probes[4].depth, 1u);
}

TEST(LwpCsv, RefusesBrokenLines) {
  auto bad = [](llvm::StringRef row, llvm::StringRef part) {
    std::string text = ("function name,loop/function id,loop depth,start "
                        "offset,end offset,pcycles,parent count\n" +
                        row)
                           .str();
    EXPECT_TRUE(llvm::StringRef(readBad("lwp-csv", text)).contains(part))
        << row.str() << readBad("lwp-csv", text);
  };
  bad("f,0,-,0,1,5", "line 2: has 6 columns");
  bad("f,x,-,0,1,5,1", "not a loop id");
  bad("f,9999999,-,0,1,5,1", "not a loop id");
  bad("f,0,x,0,1,5,1", "not a loop depth");
  bad("f,0,-,y,1,5,1", "offset");
  bad("f,0,-,0,1,-5,1", "cycles");
  bad("f,0,-,0,1,5,-2", "not a count");
  bad("f,0,-,0,1,5,1\nf,0,0,0,1,5,1", "line 3");
  bad("\"f,0", "quote");
}

/// main with a parallel loop, whose work two threads share; "thread" is written
/// if `withThreads`.
std::string parallelRecords(bool withThreads) {
  std::string json = "{\"entries\":[";
  uint64_t entries[][4] = {{1, 0, 0, 0},  {2, 1, 10, 0}, {3, 2, 12, 0},
                           {4, 2, 40, 0}, {5, 1, 50, 0}, {6, 0, 60, 0},
                           {3, 2, 11, 1}, {4, 2, 45, 1}};
  for (auto &[address, id, cycle, thread] : entries) {
    json += json.back() == '[' ? "" : ",";
    json += "{\"ret\":" + std::to_string(address) +
            ",\"id\":" + std::to_string(id) +
            ",\"cyc\":" + std::to_string(cycle);
    if (withThreads)
      json += ",\"thread\":" + std::to_string(thread);
    json += "}";
  }
  return json + "],\"loop_counts\":[1,1,2]}";
}

TEST(LwpJson, ReadsThreads) {
  for (bool withThreads : {true, false}) {
    Profile profile = readGood("lwp-json", parallelRecords(withThreads));
    const std::vector<ProgramProbe> &probes = profile.programs[0].probes;
    EXPECT_EQ(probes[0].kind, ProbeKind::Function);
    EXPECT_EQ(probes[1].kind, ProbeKind::Loop);
    EXPECT_EQ(probes[2].kind, ProbeKind::Loop);
    EXPECT_EQ(probes[2].parent, 1u);
    EXPECT_EQ(cycles(profile, 2), 28 + 34);
    // The other thread's work is not within the loop's wall time.
    EXPECT_EQ(self(profile, 1), 40 - 28);
    EXPECT_EQ(self(profile, 0), 60 - 40);
    EXPECT_EQ(profile.runs[0].tracks.size(), 2u);
  }
}

TEST(LwpJson, ReadsInterleavedThreads) {
  Profile profile = readGood("lwp-json",
                             R"({"entries":[{"ret":1,"id":0,"cyc":0,"thread":5},
          {"ret":3,"id":1,"cyc":2,"thread":9},{"ret":2,"id":0,"cyc":9,"thread":5},
          {"ret":4,"id":1,"cyc":20,"thread":9}],"loop_counts":[1,1]})");
  EXPECT_EQ(cycles(profile, 0), 9);
  EXPECT_EQ(self(profile, 0), 9);
  EXPECT_EQ(cycles(profile, 1), 18);
  EXPECT_EQ(profile.programs[0].probes[1].kind, ProbeKind::Loop);
}

} // namespace
