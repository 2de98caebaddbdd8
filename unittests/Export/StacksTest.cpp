//===- StacksTest.cpp - Formats of stacks ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExportTest.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Lines of folded stacks.
std::map<std::string, int64_t> parseFolded(llvm::StringRef text) {
  std::map<std::string, int64_t> stacks;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    auto [stack, time] = line.rsplit(' ');
    int64_t ps = 0;
    EXPECT_FALSE(time.getAsInteger(10, ps)) << line.str();
    EXPECT_TRUE(stacks.emplace(stack.str(), ps).second) << line.str();
    text = rest;
  }
  return stacks;
}

std::map<std::string, int64_t> fold(const ExportInput &input,
                                    std::optional<StackKind> kind = {}) {
  ExportInput chosen = input;
  chosen.stacks = kind;
  return parseFolded(exportAs("folded", chosen));
}

int64_t sum(const std::map<std::string, int64_t> &stacks) {
  int64_t total = 0;
  for (const auto &[stack, ps] : stacks)
    total += ps;
  return total;
}

using Stacks = std::map<std::string, int64_t>;

TEST(Stacks, ShowPathsOfWhatWasMeasured) {
  Profile profile = makeTrace();
  // An op without time does not have a line; ';' separates frames.
  EXPECT_EQ(fold({profile}), (Stacks{{"a;b;Add", 3000}, {"x,y", 6001}}));
}

TEST(Stacks, SplitAmongOwnersExactly) {
  Profile profile = makeTrace();
  Ownership owners = makeOwners();
  Attribution attribution = attribute(profile, owners);
  ExportInput input{profile, &owners, &attribution};
  // 6001 in shares of 1 to 2: the remainder does not have a single owner.
  Stacks byModule = fold(input);
  EXPECT_EQ(byModule, (Stacks{{"net;b;tosa.add", 3000},
                              {"net;x;tosa.mul", 2000},
                              {"net;y;tosa.exp", 4001}}));
  EXPECT_EQ(sum(byModule), getTotalPs(profile));
  EXPECT_EQ(fold(input, StackKind::Source),
            (Stacks{{"model.py:7;tosa.add", 3000},
                    {"model.py:8;tosa.mul", 2000},
                    {"(no source position);tosa.exp (net/y)", 4001}}));
  EXPECT_EQ(fold(input, StackKind::Level),
            (Stacks{{"tosa.add (net/b);a;b;Add", 3000},
                    {"tosa.mul (net/x);x,y", 2000},
                    {"tosa.exp (net/y);x,y", 4001}}));
  EXPECT_EQ(fold(input, StackKind::Loop),
            (Stacks{{"tosa.add (net/b)", 3000},
                    {"tosa.mul (net/x)", 2000},
                    {"tosa.mul (net/x);tosa.exp (net/y)", 4001}}));
}

TEST(Stacks, ShowCallsOfSources) {
  Profile profile = makeTrace();
  Ownership owners = makeOwners();
  Attribution attribution = attribute(profile, owners);
  SourceChains sources;
  sources.frames = {{"main.py", "main", 3, 1, 0, 0, 0},
                    {"net.py", "call", 9, 1, 0, 0, 1},
                    // A cycle.
                    {"odd.py", "", 1, 1, 0, 0, 3}};
  sources.frameOfOp = {0, 2, 3, 0};
  ExportInput input{profile, &owners, &attribution, &sources};
  Stacks stacks = fold(input, StackKind::Source);
  EXPECT_EQ(stacks["main main.py:3;call net.py:9;tosa.add"], 3000);
  EXPECT_EQ(sum(stacks), getTotalPs(profile));
}

TEST(Stacks, SayWhatTheyNeed) {
  Profile profile = makeTrace();
  auto fails = [&](StackKind kind, llvm::StringRef part) {
    ExportInput input{profile};
    input.stacks = kind;
    std::string text = exportAs("folded", input);
    EXPECT_TRUE(llvm::StringRef(text).contains(part)) << text;
  };
  fails(StackKind::Source, "does not contain positions in the user's program");
  fails(StackKind::Level, "does not contain levels");
  fails(StackKind::Loop, "does not contain the nesting of its ops");
  Profile empty;
  EXPECT_TRUE(llvm::StringRef(exportAs("folded", {empty}))
                  .contains("does not contain the time of any op"));
}

TEST(Stacks, GoByCallsOfAFramework) {
  Profile profile;
  ProfileBuilder builder(profile);
  Track track;
  uint32_t thread = builder.addTrack(track);
  OpKey key("aten::addmm", "gemm",
            FrameworkCallKey{
                {"Net_0", "Linear_1"},
                {"aten::linear"},
                {{"main.py", 1, 0, "main"}, {"net.py", 2, 0, "forward"}}});
  Event event;
  event.track = thread;
  event.name = builder.addName("aten::addmm");
  event.op = builder.addOpKey(key);
  event.endPs = 5;
  builder.event(event);
  builder.finish();
  EXPECT_EQ(fold({profile}),
            (Stacks{{"Net_0;Linear_1;aten::linear;aten::addmm;gemm", 5}}));
  EXPECT_EQ(fold({profile}, StackKind::Source),
            (Stacks{{"main.py(1): main;net.py(2): forward;aten::addmm", 5}}));
}

/// Two levels: main { loop { mul add } }, and both ops as one in code.
Profile makeRecorded() {
  Profile profile;
  Program program;
  program.levels = {"input", "loops"};
  program.strings = {"",           "main",      "scf.for",        "arith.mulf",
                     "arith.addf", "func.func", "linalg.generic", "net/op",
                     "fma"};
  auto add = [&](uint32_t level, NodeKind kind, uint32_t op, uint32_t name,
                 uint32_t container, std::vector<uint32_t> parents) {
    ProgramNode &node = program.nodes.emplace_back();
    node.level = level;
    node.kind = kind;
    node.op = op;
    node.name = name;
    node.container = container;
    node.parents = std::move(parents);
    node.cost = 1;
  };
  add(0, NodeKind::Function, 5, 1, kNone, {});
  add(0, NodeKind::Operation, 6, 7, 0, {});
  add(1, NodeKind::Function, 5, 1, kNone, {0});
  add(1, NodeKind::Loop, 2, 0, 2, {1});
  add(1, NodeKind::Operation, 3, 0, 3, {1});
  add(1, NodeKind::Operation, 4, 0, 3, {1});
  program.instructions = {
      {0, 4, 8, kNone}, {4, 5, 8, kNone}, {8, kNone, 8, kNone}};
  program.fingerprint = fingerprintProgram(program);
  profile.runs.resize(1);
  for (uint32_t i = 0; i < 3; ++i) {
    OpKey key("main+0x" + llvm::utohexstr(i * 4), "",
              CodeKey{program.fingerprint, i});
    OpSummary &op = profile.runs[0].ops.emplace_back();
    op.op = i;
    op.get(Quantity::Execute).add(100 << i);
    op.get(Quantity::Self).add(100 << i);
    profile.opKeys.push_back(key);
  }
  profile.programs.push_back(program);
  return profile;
}

TEST(Stacks, GoDownTheLevels) {
  Profile profile = makeRecorded();
  EXPECT_EQ(fold({profile}, StackKind::Level),
            (Stacks{{"linalg.generic (net/op);arith.mulf;main+0x0 fma", 100},
                    {"linalg.generic (net/op);arith.addf;main+0x4 fma", 200},
                    {"main+0x8", 400}}));
  EXPECT_EQ(fold({profile}, StackKind::Loop),
            (Stacks{{"main;scf.for;arith.mulf", 100},
                    {"main;scf.for;arith.addf", 200},
                    {"main+0x8", 400}}));
}

TEST(Stacks, StandDeepNests) {
  Profile profile = makeTrace();
  Ownership owners = makeOwners();
  owners.ops[2].parent = 1000;
  for (uint32_t i = owners.ops.size(); i <= 1000; ++i) {
    MlirOp &op = owners.ops.emplace_back();
    op.op = "scf.for";
    op.parent = i == 4 ? 0 : i - 1;
  }
  Attribution attribution = attribute(profile, owners);
  Stacks stacks = fold({profile, &owners, &attribution}, StackKind::Loop);
  EXPECT_EQ(sum(stacks), getTotalPs(profile));
  EXPECT_EQ(llvm::count_if(stacks,
                           [](const auto &stack) {
                             return llvm::StringRef(stack.first)
                                 .starts_with("(more around);scf.for;scf.for");
                           }),
            2);
}

TEST(Stacks, LeaveOutNegativeTimesAndSaySo) {
  Profile profile = makeTrace(KeepEvents::Mode::None);
  for (OpSummary &op : profile.runs[0].ops)
    if (op.op == 0)
      op.get(Quantity::Self).sum = -7;
  LossList losses;
  ExportInput input{profile};
  input.losses = &losses;
  EXPECT_EQ(fold(input), (Stacks{{"x,y", 6001}}));
  ASSERT_EQ(losses.list().size(), 1u);
  EXPECT_EQ(losses.list()[0].timePs, -7);
}

TEST(Speedscope, WritesStacksOfSums) {
  Profile profile = makeTrace(KeepEvents::Mode::None);
  std::string text = exportAs("speedscope", {profile});
  EXPECT_TRUE(llvm::StringRef(text).contains("\"type\":\"sampled\"")) << text;
  EXPECT_TRUE(llvm::StringRef(text).contains("\"weights\":[3,6.001]")) << text;
  EXPECT_TRUE(llvm::StringRef(text).contains("\"endValue\":9.001")) << text;
}

TEST(Speedscope, WritesSingleEvents) {
  Profile profile = makeTrace();
  std::string text = exportAs("speedscope", {profile});
  // Events end before others begin; overlapping ones have a separate profile.
  for (const char *part :
       {"\"name\":\"/host:CPU: main\"", "\"name\":\"/host:CPU: worker\"",
        "\"name\":\"/host:CPU: worker (overlapping 1)\"",
        "{\"type\":\"O\",\"frame\":1,\"at\":1.5},\n"
        "{\"type\":\"C\",\"frame\":1,\"at\":4.5},\n"
        "{\"type\":\"O\",\"frame\":3,\"at\":4.5},\n"
        "{\"type\":\"C\",\"frame\":3,\"at\":4.5},\n"
        "{\"type\":\"C\",\"frame\":0,\"at\":10}"})
    EXPECT_TRUE(llvm::StringRef(text).contains(part)) << part << text;
}

TEST(Pprof, IsGzip) {
  Profile profile = makeTrace();
  std::string bytes = exportAs("pprof", {profile});
  ASSERT_TRUE(isGzip(bytes));
  auto plain = gunzip(bytes, "test");
  ASSERT_TRUE(bool(plain)) << llvm::toString(plain.takeError());
  llvm::StringRef content = (*plain)->getBuffer();
  for (const char *text : {"nanoseconds", "picoseconds", "x;y", "Add"})
    EXPECT_TRUE(content.contains(text)) << text;
  EXPECT_EQ(bytes, exportAs("pprof", {profile}));
}

} // namespace
