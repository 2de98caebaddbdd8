//===- LwpTest.cpp - Writing light-weight profiling -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

std::string write(llvm::StringRef format, const Profile &profile) {
  llvm::Expected<const Exporter *> exporter = findExporter(format);
  if (!exporter)
    return llvm::toString(exporter.takeError());
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = (*exporter)->write({profile}, os))
    return llvm::toString(std::move(error));
  return text;
}

std::string seed(const char *name) {
  return std::string(MLIRPROF_TEST_DIR "/data/fuzz/lwp/") + name;
}

Profile readSeed(const char *name) {
  llvm::Expected<Profile> profile = importProfile(seed(name));
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return {};
}

Profile readText(llvm::StringRef format, llvm::StringRef text) {
  Profile profile;
  ProfileBuilder builder(profile);
  for (const Importer &importer : getImporters())
    if (importer.name == format)
      if (llvm::Error error = importer.read({text, "test"}, builder))
        ADD_FAILURE() << llvm::toString(std::move(error));
  builder.finish();
  return profile;
}

std::string withoutReturns(std::string text) {
  llvm::erase(text, '\r');
  return text;
}

TEST(Export, FindsFormats) {
  EXPECT_FALSE(llvm::errorToBool(findExporter("lwp-csv").takeError()));
  std::string text = llvm::toString(findExporter("lwp").takeError());
  EXPECT_TRUE(llvm::StringRef(text).contains("lwp-json, lwp-csv"));
}

TEST(LwpCsv, WritesWhatItRead) {
  auto file = llvm::MemoryBuffer::getFile(seed("table.csv"));
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(withoutReturns(write("lwp-csv", readSeed("table.csv"))),
            (*file)->getBuffer());
}

TEST(LwpJson, WritesWhatItRead) {
  Profile first = readSeed("calls.json");
  Profile second = readText("lwp-json", write("lwp-json", first));
  ASSERT_EQ(second.runs[0].ops.size(), first.runs[0].ops.size());
  for (size_t i = 0; i < first.runs[0].ops.size(); ++i)
    for (Quantity quantity :
         {Quantity::Execute, Quantity::Self, Quantity::Cycles}) {
      const Summary *before = first.runs[0].ops[i].find(quantity);
      const Summary *after = second.runs[0].ops[i].find(quantity);
      EXPECT_EQ(before->count, after->count) << i;
      EXPECT_EQ(before->sum, after->sum) << i;
    }
  EXPECT_EQ(first.runs[0].kept.beginPs, second.runs[0].kept.beginPs);
  EXPECT_EQ(first.programs[0].fingerprint, second.programs[0].fingerprint);
}

/// main { loop 1 { loop 2 } } and callee, lowered to one level of llvm.
Program makeProgram() {
  Program program;
  program.levels = {"loops", "llvm"};
  program.strings = {"", "main", "callee"};
  auto add = [&](uint32_t level, NodeKind kind, uint32_t container,
                 std::vector<uint32_t> parents, uint32_t name = 0) {
    ProgramNode &node = program.nodes.emplace_back();
    node.level = level;
    node.kind = kind;
    node.container = container;
    node.parents = std::move(parents);
    node.name = name;
    node.cost = 1;
  };
  add(0, NodeKind::Function, kNone, {}, 1);
  add(0, NodeKind::Loop, 0, {});
  add(0, NodeKind::Loop, 1, {});
  add(0, NodeKind::Operation, 2, {});
  add(0, NodeKind::Function, kNone, {}, 2);
  add(1, NodeKind::Function, kNone, {0}, 1);
  add(1, NodeKind::Operation, 5, {1});
  add(1, NodeKind::Operation, 5, {3});
  add(1, NodeKind::Function, kNone, {4}, 2);
  add(1, NodeKind::Operation, 8, {4});
  for (auto [address, node] :
       std::vector<std::pair<uint64_t, uint32_t>>{{0x0, 5},
                                                  {0x10, 6},
                                                  {0x14, 7},
                                                  {0x18, 7},
                                                  {0x1c, 6},
                                                  {0x20, 5},
                                                  {0x40, 9},
                                                  {0x44, kNone}})
    program.instructions.push_back({address, node, 0, kNone});
  return program;
}

template <typename Key>
void addOp(Profile &profile, uint32_t node,
           llvm::ArrayRef<std::pair<Quantity, int64_t>> sums, uint64_t count) {
  OpKey key("", "", Key{profile.programs[0].fingerprint, node});
  OpSummary &summary = profile.runs[0].ops.emplace_back();
  summary.op = uint32_t(profile.opKeys.size());
  profile.opKeys.push_back(key);
  for (auto [quantity, sum] : sums) {
    Summary &one = summary.get(quantity);
    one.add(sum);
    one.count = count;
  }
}

constexpr llvm::StringLiteral kHeader =
    "function name,loop/function id,loop depth,start offset,end offset,"
    "pcycles,parent count\n";

TEST(LwpCsv, TakesDepthsAndCodeFromTheProgram) {
  Profile profile;
  Program program = makeProgram();
  for (auto [kind, node, parent] :
       std::vector<std::tuple<ProbeKind, uint32_t, uint32_t>>{
           {ProbeKind::Function, 0, kNone},
           {ProbeKind::Loop, 1, 0},
           {ProbeKind::Loop, 2, 1},
           {ProbeKind::Function, 4, kNone}}) {
    ProgramProbe &probe = program.probes.emplace_back();
    probe.kind = kind;
    probe.node = node;
    probe.parent = parent;
    probe.depth = node == 2;
  }
  program.fingerprint = fingerprintProgram(program);
  profile.programs.push_back(program);
  profile.runs.resize(1);
  addOp<ProbeKey>(profile, 0, {{Quantity::Cycles, 1000}}, 2);
  addOp<ProbeKey>(profile, 1, {{Quantity::Cycles, 800}}, 20);
  addOp<ProbeKey>(profile, 2, {{Quantity::Cycles, 700}}, 2000);
  // Not executed: 3.
  EXPECT_EQ(withoutReturns(write("lwp-csv", profile)),
            (kHeader + "main,0,-,0x0,0x40,1000,2\n"
                       "main,1,0,0x10,0x20,800,20\n"
                       "main,2,1,0x14,0x1c,700,2000\n")
                .str());
  EXPECT_TRUE(llvm::StringRef(write("lwp-json", profile)).contains("2000"));
}

TEST(LwpCsv, TakesTimesFromSamples) {
  Profile profile;
  Program program = makeProgram();
  program.fingerprint = fingerprintProgram(program);
  profile.programs.push_back(program);
  profile.runs.resize(1);
  // By instruction: main itself, loop 1, twice the op in loop 2, callee.
  for (auto [instruction, ns] : std::vector<std::pair<uint32_t, int64_t>>{
           {0, 5}, {1, 10}, {2, 300}, {3, 400}, {6, 50}})
    addOp<CodeKey>(
        profile, instruction,
        {{Quantity::Execute, ns * 1000}, {Quantity::Self, ns * 1000}}, 1);
  EXPECT_EQ(withoutReturns(write("lwp-csv", profile)),
            (kHeader + "main,0,-,0x0,0x40,715,-\n"
                       "main,1,0,0x10,0x20,710,-\n"
                       "main,2,1,0x14,0x1c,700,-\n"
                       "callee,3,-,0x40,0x44,50,-\n")
                .str());
  EXPECT_TRUE(llvm::StringRef(write("lwp-json", profile)).contains("sampled"));
}

TEST(Lwp, RefusesProfilesWithoutLoops) {
  Profile profile;
  EXPECT_TRUE(
      llvm::StringRef(write("lwp-csv", profile)).contains("not contain times"));
}

TEST(LwpCsv, CountsLoopsNotProbes) {
  Profile profile;
  Program program = makeProgram();
  // A parallel loop with its work, and a loop whose outer loop does not have a
  // probe.
  for (auto [kind, node, parent, depth] :
       std::vector<std::tuple<ProbeKind, uint32_t, uint32_t, uint32_t>>{
           {ProbeKind::Function, 0, kNone, 0},
           {ProbeKind::Parallel, 1, 0, 0},
           {ProbeKind::Work, 1, 1, 0},
           {ProbeKind::Loop, 2, 2, 1},
           {ProbeKind::Loop, 2, 0, 3}}) {
    ProgramProbe &probe = program.probes.emplace_back();
    probe.kind = kind;
    probe.node = node;
    probe.parent = parent;
    probe.depth = depth;
  }
  program.fingerprint = fingerprintProgram(program);
  profile.programs.push_back(program);
  profile.runs.resize(1);
  for (uint32_t probe = 0; probe < 5; ++probe)
    addOp<ProbeKey>(profile, probe, {{Quantity::Cycles, 9}}, 1);
  std::string text = write("lwp-csv", profile);
  for (const char *row :
       {"main,0,-,", "main,1,0,", "main,2,0,", "main,3,1,", "main,4,3,"})
    EXPECT_TRUE(llvm::StringRef(text).contains(row)) << row << text;
}

TEST(LwpCsv, KeepsNeighborsApart) {
  Profile profile;
  Program program;
  program.levels = {"llvm"};
  program.strings = {"", "main"};
  auto add = [&](NodeKind kind, uint32_t container) {
    ProgramNode &node = program.nodes.emplace_back();
    node.kind = kind;
    node.container = container;
    node.cost = 1;
  };
  add(NodeKind::Function, kNone);
  add(NodeKind::Loop, 0);
  add(NodeKind::Loop, 0);
  program.nodes[0].name = 1;
  // Code hoisted out of loop 2 comes before loop 1, whose cold code is last.
  uint32_t nodes[] = {0, 2, 1, 1, kNone, 1, 2, 2, 2, 0, 1};
  for (auto [i, node] : llvm::enumerate(nodes))
    program.instructions.push_back({i * 4, node, 0, kNone});
  for (uint32_t node = 0; node < 3; ++node) {
    ProgramProbe &probe = program.probes.emplace_back();
    probe.kind = node ? ProbeKind::Loop : ProbeKind::Function;
    probe.node = node;
    probe.parent = node ? 0 : kNone;
  }
  program.fingerprint = fingerprintProgram(program);
  profile.programs.push_back(program);
  profile.runs.resize(1);
  for (uint32_t probe = 0; probe < 3; ++probe)
    addOp<ProbeKey>(profile, probe, {{Quantity::Cycles, 9}}, 1);
  EXPECT_EQ(withoutReturns(write("lwp-csv", profile)),
            (kHeader + "main,0,-,0x0,0x29,9,1\n"
                       "main,1,0,0x8,0x18,9,1\n"
                       "main,2,0,0x18,0x24,9,1\n")
                .str());
}

} // namespace
