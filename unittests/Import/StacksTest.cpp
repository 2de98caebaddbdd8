//===- StacksTest.cpp - Reading samples of stacks -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "SpaceWriter.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;
using reading::getTotal;
using reading::readBad;
using reading::readGood;
using reading::readSeed;

namespace {

int64_t sum(const Profile &profile, Quantity quantity) {
  int64_t total = 0;
  for (const OpSummary &op : profile.runs[0].ops)
    total += op.getSum(quantity);
  return total;
}

/// Sum of a quantity of the op with that stack, "main;run;multiply".
int64_t sumOf(const Profile &profile, llvm::StringRef stack,
              Quantity quantity) {
  for (const OpSummary &op : profile.runs[0].ops) {
    const OpKey &key = profile.opKeys[op.op];
    std::string text;
    for (const std::string &name : getKeyTraits(key).scope)
      text += name + ";";
    if (text + key.op == stack)
      return op.getSum(quantity);
  }
  return -1;
}

TEST(Folded, SumsByStack) {
  Profile profile = readGood("folded", "# comment\nmain;f x;g 3\nmain 4\n\n"
                                       "main;f x;g 5\r\nmain;;h 1\n 2");
  EXPECT_EQ(sum(profile, Quantity::Samples), 15);
  EXPECT_EQ(sumOf(profile, "(no stack)", Quantity::Samples), 2);
  EXPECT_EQ(sumOf(profile, "main;f x;g", Quantity::Samples), 8);
  EXPECT_EQ(sumOf(profile, "main", Quantity::Samples), 4);
  EXPECT_EQ(sumOf(profile, "main;;h", Quantity::Samples), 1);
  EXPECT_NE(readBad("folded", "main 4\nmain;f x\n").find("line 2"),
            std::string::npos);
}

TEST(Folded, OfPySpy) {
  Profile profile = readSeed("folded", "folded/py-spy.folded");
  EXPECT_EQ(sum(profile, Quantity::Samples), 2 + 72 + 18 + 33 + 4);
}

TEST(Pprof, OfNode) {
  // The content of the profile, according to node's own library.
  Profile profile = readSeed("pprof", "pprof/node.pb");
  EXPECT_EQ(sum(profile, Quantity::Samples), 56);
  EXPECT_EQ(sum(profile, Quantity::Self), 224000000000);
  EXPECT_EQ(profile.runs[0].samplePeriodPs, 4000000000);
  EXPECT_GT(getTotal(profile, "multiply").selfPs, 0);
}

/// A profile with three types of samples, two functions of which one is
/// inlined, and a location without symbols.
Message smallPprof() {
  Message profile;
  auto type = [](int64_t name, int64_t unit) {
    return Message().integer(1, name).integer(2, unit);
  };
  profile.message(1, type(1, 2)).message(1, type(3, 4)).message(1, type(5, 6));
  Message line = Message().integer(1, 1);
  Message caller = Message().integer(1, 2);
  profile.message(4,
                  Message().integer(1, 1).message(4, line).message(4, caller));
  profile.message(4, Message().integer(1, 2).integer(2, 1).integer(3, 0x4a0));
  profile.message(3, Message().integer(1, 1).integer(5, 9));
  profile.message(5, Message().integer(1, 1).integer(2, 7));
  profile.message(5, Message().integer(1, 2).integer(2, 8));
  Message packed;
  packed.text(1, llvm::StringRef("\1\2", 2)).text(2, "\3\4\5");
  Message plain;
  plain.integer(1, 2).integer(2, 1).integer(2, 2).integer(2, 3);
  Message labeled = plain;
  labeled.message(3, Message().integer(1, 1));
  profile.message(2, packed).message(2, plain).message(2, labeled);
  for (llvm::StringRef text : {"", "samples", "count", "cpu", "microseconds",
                               "alloc", "bytes", "inner", "outer", "/lib/l.so"})
    profile.text(6, text);
  return profile;
}

TEST(Pprof, UnitsInlinedFramesAndLabels) {
  Profile profile = readOk(smallPprof().bytes, "pprof");
  std::string stack = "l.so 0x4a0;outer;inner";
  EXPECT_EQ(sumOf(profile, stack, Quantity::Samples), 3);
  EXPECT_EQ(sumOf(profile, stack, Quantity::Self), 4000000);
  EXPECT_EQ(sumOf(profile, stack, Quantity::Bytes), 5);
  EXPECT_EQ(sumOf(profile, "l.so 0x4a0", Quantity::Samples), 2);
  EXPECT_EQ(sumOf(profile, "l.so 0x4a0", Quantity::Execute), 4000000);
  EXPECT_EQ(lossCount(profile, "labels are not kept"), 1u);
}

TEST(Pprof, CutAndDamagedFiles) {
  std::string bytes = smallPprof().bytes;
  for (size_t size = 0; size != bytes.size(); ++size) {
    auto profile = read(llvm::StringRef(bytes).take_front(size), "pprof");
    if (!profile)
      llvm::consumeError(profile.takeError());
  }
  Message dangling = smallPprof();
  dangling.message(
      2, Message().integer(1, 99).integer(2, -1).integer(2, 1).integer(2, 1));
  dangling.message(2, Message().integer(1, 99).integer(2, 1));
  Profile profile = readOk(dangling.bytes, "pprof");
  EXPECT_EQ(lossCount(profile, "negative value"), 1u);
  EXPECT_EQ(lossCount(profile, "do not fit the sample types"), 1u);
  EXPECT_EQ(lossCount(profile, "reference to a missing entry"), 1u);
}

TEST(Speedscope, OfPySpy) {
  Profile profile = readSeed("speedscope", "speedscope/py-spy.speedscope.json");
  std::string layer = "<module>;model;layer";
  EXPECT_EQ(sum(profile, Quantity::Self), 605000000000);
  EXPECT_EQ(sumOf(profile, layer, Quantity::Self), 5000000000);
  EXPECT_EQ(sumOf(profile, layer + ";multiply", Quantity::Self), 180000000000);
}

TEST(Speedscope, OfPyinstrument) {
  Profile profile =
      readSeed("speedscope", "speedscope/pyinstrument.speedscope.json");
  EXPECT_EQ(getTotal(profile, "multiply").executePs, 601566525002);
  EXPECT_EQ(getTotal(profile, "multiply").selfPs, 386414849003);
  EXPECT_EQ(getTotal(profile, "<genexpr>").count, 21u);
  EXPECT_EQ(getTotal(profile, "<genexpr>").executePs, 185177362997);
  EXPECT_TRUE(profile.runs[0].losses.empty());
}

TEST(Speedscope, ValuesThatAreNoTimesAndTroubles) {
  Profile profile = readGood("speedscope", R"({
    "profiles": [
      {"type": "evented", "unit": "none", "events": [
        {"type": "O", "frame": 0, "at": 2}, {"type": "O", "frame": 1, "at": 5},
        {"type": "C", "frame": 1, "at": 9}, {"type": "C", "frame": 0, "at": 9}]},
      {"type": "sampled", "samples": [[0], [0, 7]], "weights": [4, 6, 9],
       "unit": "bytes"},
      {"type": "other"}],
    "shared": {"frames": [{"name": "a"}, {"name": "b"}]}})");
  EXPECT_EQ(sumOf(profile, "a", Quantity::Samples), 3);
  EXPECT_EQ(sumOf(profile, "a;b", Quantity::Samples), 4);
  EXPECT_EQ(sumOf(profile, "a", Quantity::Bytes), 4);
  EXPECT_EQ(lossCount(profile, "frame that is not in the file"), 1u);
  EXPECT_EQ(lossCount(profile, "weight without a sample"), 1u);
  EXPECT_EQ(lossCount(profile, "profile of an unknown type"), 1u);
  EXPECT_NE(readBad("speedscope", R"({"shared": {"frames": []}, "profiles": [)")
                .find("not a speedscope file"),
            std::string::npos);
}

TEST(Speedscope, DamagedWithin) {
  // Members are not read in file order, and members skipped on the way to the
  // first need not have been JSON.
  std::string message = readBad(
      "speedscope", R"({"": "", "profiles": [{"type": "sampled", "": [[]], )"
                    R"("weights": [, []], "": []}], "": [{""}]}""})");
  EXPECT_NE(message.find("not a speedscope file"), std::string::npos);
}

TEST(PerfScript, OfAModel) {
  // 174 samples of 2 ms, 170 of them in the model's process.
  Profile profile = readSeed("perf-script", "perf-script/mlp.txt");
  EXPECT_EQ(sum(profile, Quantity::Samples), 174);
  EXPECT_EQ(sum(profile, Quantity::Self), 348000000000);
  EXPECT_EQ(profile.runs[0].samplePeriodPs, 2000000000);
  EXPECT_EQ(getTotal(profile, "mlp/fc1/matmul").count, 10u);
  EXPECT_EQ(getTotal(profile, "mlp/fc2/matmul").count, 1u);
  for (const OpKey &key : profile.opKeys)
    if (key.op == "mlp/fc1/matmul")
      EXPECT_EQ(key.kernel, "linalg.matmul");
}

TEST(PerfScript, FormsOfHeaders) {
  Profile profile =
      readGood("perf-script",
               "# comment\n"
               "my prog 12/34 [001] 1.000100:  1000 cycles:u: \n"
               "\t 10 f(int, char)+0x4 (/usr/bin/a b)\n"
               "\t 20 [unknown] (/usr/lib/l.so)\n"
               "\t file.c:12\n\n"
               "prog 12 1.000200: 500 instructions: 30 main+0x1 (/usr/bin/a)\n"
               "prog 12 1.000300: cpu-clock: 30 g (/usr/bin/a)\n");
  EXPECT_EQ(sumOf(profile, "[unknown] in l.so;f(int, char)", Quantity::Cycles),
            1000);
  EXPECT_EQ(sumOf(profile, "main", Quantity::Samples), 1);
  EXPECT_EQ(sumOf(profile, "g", Quantity::Samples), 1);
  EXPECT_EQ(lossCount(profile, "periods of instructions"), 1u);
  EXPECT_EQ(lossCount(profile, "without a period"), 1u);
  EXPECT_EQ(lossCount(profile, "no frame"), 1u);
  EXPECT_NE(readBad("perf-script", "what is this\n").find("line 1"),
            std::string::npos);
}

TEST(PerfScript, BracketsInFrames) {
  Profile profile = readGood(
      "perf-script",
      "p 1 1.000100: 1000 cpu-clock: 10 f(void (*)(int))+0x4 (/not/a "
      "(b)/l.so)\n"
      "p 1 1.000200: 1000 cpu-clock: 20 g(void (*)(int))\n"
      "p 1 1.000300: 1000 cpu-clock: 30 h() (/not/a(b/l.so)\n"
      "p 1 1.000400: 1000 cpu-clock: 40 [unknown] (/not/x.so (deleted)+0x8)\n"
      // A file that exists only in memory cannot be here.
      "p 1 1.000500: 1000 cpu-clock: 50 [unknown] (/memfd:code (deleted))\n");
  for (const char *name : {"f(void (*)(int))", "g(void (*)(int))", "h()",
                           "[unknown] in x.so", "[unknown] in memfd:code"})
    EXPECT_EQ(sumOf(profile, name, Quantity::Samples), 1) << name;
  EXPECT_EQ(lossCount(profile, "in an object that is not here"), 3u);
}

TEST(PerfScript, RowsOfProcesses) {
  Profile profile = readGood(
      "perf-script",
      "swapper 0 [000] 0.000000: PERF_RECORD_MMAP -1/0: "
      "[0xffffffff81000000(0x1000) @ 0xffffffff81000000]: x [kernel]_text\n"
      "prog 7 1.000000: PERF_RECORD_COMM exec: prog:7/7\n"
      "prog 7 1.000000: PERF_RECORD_MMAP2 7/7: [0x400000(0x2000) @ 0 "
      "<00112233>]: r-xp /not/there/a.out\n"
      // The accessed address comes before the frames.
      "prog 7 1.000100: 1000 cpu-clock: 7fff0010 \n"
      "\t 401000 f+0x4 (/not/there/a.out+0x1000)\n\n"
      // Only addresses: the rows determine the object.
      "prog 7 1.000200: 1000 cpu-clock: 401004\n"
      "prog 7 1.000300: 1000 cpu-clock: 7fff0000\n");
  EXPECT_EQ(sumOf(profile, "f", Quantity::Samples), 1);
  EXPECT_EQ(sumOf(profile, "[unknown] in a.out", Quantity::Samples), 1);
  EXPECT_EQ(sumOf(profile, "[unknown]", Quantity::Samples), 1);
  EXPECT_EQ(lossCount(profile, "in an object that is not here"), 2u);
  EXPECT_EQ(lossCount(profile, "no frame"), 0u);
}

} // namespace
