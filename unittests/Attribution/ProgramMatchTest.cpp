//===- ProgramMatchTest.cpp - Ops that own machine code -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/ProgramMatch.h"
#include "../Profile/TestProfiles.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Creates strings as needed.
uint32_t addString(Program &program, const std::string &text) {
  if (program.strings.empty())
    program.strings.push_back("");
  for (uint32_t i = 0; i != program.strings.size(); ++i)
    if (program.strings[i] == text)
      return i;
  program.strings.push_back(text);
  return uint32_t(program.strings.size() - 1);
}

uint32_t addNode(Program &program, uint32_t level, const std::string &op,
                 std::vector<uint32_t> parents, uint64_t cost = 1) {
  ProgramNode node;
  node.level = level;
  node.op = addString(program, op);
  node.name = addString(program, op + std::to_string(program.nodes.size()));
  node.parents = std::move(parents);
  node.cost = cost;
  node.position = uint32_t(program.nodes.size() + 1);
  program.nodes.push_back(node);
  return uint32_t(program.nodes.size() - 1);
}

void addCode(Program &program, uint32_t node, uint32_t loop,
             const std::string &text) {
  program.instructions.push_back(
      {program.instructions.size() * 4, node, addString(program, text), loop});
}

/// Adds `key` with a name of its own and `timePs` of it.
void addKey(Profile &profile, OpKey key, int64_t timePs) {
  key.op = "key" + std::to_string(profile.opKeys.size());
  profile.opKeys.push_back(std::move(key));
  OpSummary op;
  op.op = uint32_t(profile.opKeys.size() - 1);
  op.get(Quantity::Self).add(timePs);
  profile.runs[0].ops.push_back(op);
}

void addCode(Profile &profile, uint32_t instruction, int64_t timePs,
             const std::string &kernel = "") {
  addKey(
      profile,
      OpKey("", kernel, CodeKey{profile.programs[0].fingerprint, instruction}),
      timePs);
}

void addProbe(Profile &profile, uint32_t probe, int64_t timePs) {
  addKey(profile,
         OpKey("", "", ProbeKey{profile.programs[0].fingerprint, probe}),
         timePs);
}

void addOutside(Profile &profile, int64_t timePs, OutsideKind kind) {
  addKey(profile, makeOutsideKey("", kind), timePs);
}

/// matmul and relu, both called by main; their code shares the loop 1 of three
/// fused instructions, one of which came from both.
Profile makeModel() {
  Profile profile;
  profile.runs.emplace_back();
  Program &program = profile.programs.emplace_back();
  program.levels = {"input", "llvm"};
  uint32_t main = addNode(program, 0, "func.func", {}, 0);
  program.nodes[main].kind = NodeKind::Function;
  uint32_t matmul = addNode(program, 0, "linalg.matmul", {}, 30);
  uint32_t relu = addNode(program, 0, "linalg.relu", {}, 10);
  program.nodes[matmul].container = program.nodes[relu].container = main;
  uint32_t fma = addNode(program, 1, "llvm.fma", {matmul});
  uint32_t max = addNode(program, 1, "llvm.fmax", {relu});
  uint32_t store = addNode(program, 1, "llvm.store", {matmul, relu});
  program.functions = {{"main", 0, 36}, {"empty", 36, 36}};
  program.loops = {{0, 12, true}, {12, 36, false}};
  addCode(program, fma, 0, "vfmadd231ps %zmm0, %zmm1"); // 0: loop 0.
  addCode(program, max, 0, "call expf");                // 1
  addCode(program, kNone, 0, "jmp 0");                  // 2
  addCode(program, fma, 1, "vfmadd231ps %zmm0, %zmm1"); // 3: loop 1.
  addCode(program, fma, 1, "vfmadd231ps %zmm2, %zmm1"); // 4
  addCode(program, max, 1, "vmaxps\t%zmm2");            // 5
  addCode(program, store, 1, "vmovups");                // 6
  addCode(program, kNone, 1, "jmp 12");                 // 7
  addCode(program, kNone, kNone, "ret");                // 8
  addCode(program, store, kNone, "nop");                // 9
  program.fingerprint = fingerprintProgram(program);
  return profile;
}

/// Row of the first op with that name.
uint32_t findRow(const Ownership &ownership, llvm::StringRef op) {
  for (uint32_t i = 0; i != ownership.ops.size(); ++i)
    if (ownership.ops[i].op == op)
      return i;
  return kNone;
}

int64_t sumOf(const Coverage &coverage) {
  return coverage.uniquePs + coverage.ambiguousPs + coverage.fusedPs +
         coverage.partialPs + coverage.unmatchedPs;
}

TEST(ProgramMatch, ListsTheLevels) {
  Profile profile = makeModel();
  EXPECT_EQ(getLevels(profile),
            (std::vector<std::string>{"input", "llvm", "asm"}));
  EXPECT_EQ(findLevel(profile.programs[0], "llvm"), 1u);
  EXPECT_EQ(findLevel(profile.programs[0], "asm"), 2u);
  EXPECT_EQ(findLevel(profile.programs[0], "loops"), kNone);
  EXPECT_EQ(getLevels(Profile()), std::vector<std::string>());
  profile.programs[0].instructions.clear();
  EXPECT_EQ(findLevel(profile.programs[0], "asm"), kNone);
}

TEST(ProgramMatch, DivisionsRunBesideOtherInstructions) {
  Profile profile = makeModel();
  Program &program = profile.programs[0];
  // The one instruction that belongs to relu alone; another one belongs to
  // both.
  auto relu = llvm::find_if(program.instructions, [&](const Instruction &i) {
    return i.loop == 1 && program.strings[i.text] == "vmaxps\t%zmm2";
  });
  ASSERT_NE(relu, program.instructions.end());
  program.strings[relu->text] = "vdivps %zmm2, %zmm1";
  addCode(profile, 4, 22);
  Ownership ownership = matchProgramRows(profile, "input").ownership;
  Attribution times = attribute(profile, ownership);
  // 4 instructions in parallel to 8 of the divider take 8.94; without the
  // matmul's 2.5 8.14, without the other 2.5: 0.80 against 6.44.
  EXPECT_EQ(times.ops[findRow(ownership, "linalg.matmul")].estimatedPs, 2);
  EXPECT_EQ(times.ops[findRow(ownership, "linalg.relu")].estimatedPs, 20);
}

TEST(ProgramMatch, BodiesAreOfTheOpThatHoldsThem) {
  Profile profile = makeModel();
  Program &program = profile.programs[0];
  // A multiplication in a branch in the body of the matmul.
  uint32_t matmul = 1;
  uint32_t branch = addNode(program, 0, "scf.if", {});
  uint32_t multiply = addNode(program, 0, "arith.mulf", {});
  program.nodes[branch].kind = program.nodes[multiply].kind = NodeKind::Body;
  program.nodes[branch].container = matmul;
  program.nodes[multiply].container = branch;
  // The fma came from it and from the matmul: one owner, not two.
  program.nodes[3].parents = {matmul, multiply};
  program.fingerprint = fingerprintProgram(program);
  EXPECT_EQ(getWholeOp(program, multiply), matmul);
  EXPECT_EQ(getWholeOp(program, 2), 2u);
  addCode(profile, 0, 100);
  Ownership ownership = matchProgram(profile, "input");
  Attribution times = attribute(profile, ownership);
  EXPECT_EQ(times.ops[findRow(ownership, "linalg.matmul")].solePs, 100);
  EXPECT_EQ(times.ops[findRow(ownership, "arith.mulf")].totalPs(), 0);
  EXPECT_EQ(times.coverage.uniquePs, 100);
}

TEST(ProgramMatch, CountsWhereTheSampleWasTakenOutsideOfSharedLoops) {
  Profile profile = makeModel();
  addCode(profile, 0, 100);
  addCode(profile, 1, 20, "libm.so.6:expf");
  addCode(profile, 2, 3);
  addCode(profile, 8, 4, "libc.so.6:memcpy");
  addCode(profile, 9, 40);
  addOutside(profile, 5, OutsideKind::Waiting);
  addOutside(profile, 6, OutsideKind::Outside);
  Ownership ownership = matchProgram(profile, "input");
  Attribution times = attribute(profile, ownership);
  const OpTime &matmul = times.ops[findRow(ownership, "linalg.matmul")];
  const OpTime &relu = times.ops[findRow(ownership, "linalg.relu")];
  EXPECT_EQ(matmul.solePs, 100);
  EXPECT_EQ(relu.solePs, 20);
  // 40 of the store of both, by static cost 30 : 10.
  EXPECT_EQ(matmul.sharedPs, 40);
  EXPECT_EQ(matmul.estimatedPs, 30);
  EXPECT_EQ(relu.estimatedPs, 10);
  EXPECT_EQ(times.coverage.unmatchedPs, 3 + 4 + 5 + 6);
  EXPECT_EQ(times.coverage.opTimePs, 178);
  std::map<std::string, int64_t> reasons;
  for (const UnmatchedReason &reason : times.unmatched)
    reasons[reason.reason] = reason.timePs;
  EXPECT_EQ(reasons,
            (std::map<std::string, int64_t>{
                {"instruction without an identity", 3},
                {"library called from an instruction without an identity", 4},
                {"waiting for other threads", 5},
                {"outside the model", 6}}));
}

TEST(ProgramMatch, SplitsLoopsOfSeveralOpsByTheirInstructions) {
  Profile profile = makeModel();
  // All at the end of the dependence chain, as processors report it.
  addCode(profile, 6, 700);
  addCode(profile, 5, 70);
  addCode(profile, 7, 7);
  // A page fault counts for the instruction where it happened.
  addCode(profile, 3, 1000, "kernel");
  ProgramMatch match = matchProgramRows(profile, "input");
  // 2 fma and half a store of matmul; a max and half a store of relu.
  EXPECT_EQ(match.ownership.matches[0].weights, (std::vector<uint64_t>{5, 3}));
  EXPECT_EQ(match.ownership.matches[0].matchClass, MatchClass::Fused);
  EXPECT_EQ(match.ownership.matches[0].tier, MatchTier::Identity);
  EXPECT_EQ(match.ownership.matches[2].matchClass, MatchClass::Fused);
  EXPECT_EQ(match.ownership.matches[2].tier, MatchTier::Neighborhood);
  Attribution times = attribute(profile, match.ownership);
  uint32_t matmul = findRow(match.ownership, "linalg.matmul");
  uint32_t relu = findRow(match.ownership, "linalg.relu");
  // 437.5 + 43.75 + 4.375; ties go to the first.
  EXPECT_EQ(times.ops[matmul].estimatedPs, 438 + 44 + 4);
  EXPECT_EQ(times.ops[relu].estimatedPs, 262 + 26 + 3);
  EXPECT_EQ(times.ops[matmul].solePs, 1000);

  std::vector<LoopSplit> splits = splitLoops(profile, "input", match);
  ASSERT_EQ(splits.size(), 1u);
  EXPECT_EQ(splits[0].loop, 1u);
  EXPECT_EQ(splits[0].timePs, 777);
  EXPECT_EQ(splits[0].count, 3u);
  EXPECT_EQ(splits[0].unidentifiedPs, 7);
  EXPECT_EQ(splits[0].unit, 2u);
  ASSERT_EQ(splits[0].parts.size(), 2u);
  EXPECT_EQ(splits[0].parts[0].row, matmul);
  EXPECT_EQ(splits[0].parts[0].estimatedPs, 486);
  EXPECT_EQ(splits[0].parts[0].rawPs, 525); // 700 * 30 / 40.
  EXPECT_EQ(splits[0].parts[1].estimatedPs, 291);
  EXPECT_EQ(splits[0].parts[1].rawPs, 245); // 175 + 70.
  EXPECT_EQ(times.ops[matmul].totalPs(), 1486);
}

TEST(ProgramMatch, ALoopOfOneOpTakesItsUnidentifiedCode) {
  Profile profile = makeModel();
  Program &program = profile.programs[0];
  program.instructions[5].node = program.instructions[6].node = kNone;
  addCode(profile, 4, 10);
  addCode(profile, 5, 20);
  Ownership ownership = matchProgram(profile, "input");
  EXPECT_EQ(ownership.matches[0].matchClass, MatchClass::Unique);
  EXPECT_EQ(ownership.matches[0].tier, MatchTier::Identity);
  EXPECT_EQ(ownership.matches[1].matchClass, MatchClass::Unique);
  EXPECT_EQ(ownership.matches[1].tier, MatchTier::Neighborhood);
  EXPECT_EQ(ownership.matches[1].ops, ownership.matches[0].ops);
}

TEST(ProgramMatch, ListsInstructionsAtTheLevelAsm) {
  Profile profile = makeModel();
  addCode(profile, 5, 20);
  addCode(profile, 9, 30);
  Ownership ownership = matchProgram(profile, "asm");
  uint32_t row = findRow(ownership, "vmaxps");
  EXPECT_EQ(ownership.ops[row].path, "main+0x14");
  EXPECT_EQ(ownership.ops[ownership.ops[row].parent].path, "main");
  EXPECT_EQ(ownership.ops[ownership.ops[row].parent].op, "function");
  // After the last function.
  EXPECT_EQ(ownership.ops[findRow(ownership, "nop")].location, "text+0x24");
  EXPECT_EQ(ownership.ops.size(), 1u + 2u + 10u);
  Attribution times = attribute(profile, ownership);
  EXPECT_EQ(times.ops[row].solePs, 20);
  EXPECT_EQ(times.coverage.uniquePs, 50);
}

TEST(ProgramMatch, GivesProbesToOriginsAndToWhatCameFromThem) {
  Profile profile;
  profile.runs.emplace_back();
  Program &program = profile.programs.emplace_back();
  program.levels = {"input", "loops", "llvm"};
  uint32_t matmul = addNode(program, 0, "linalg.matmul", {});
  uint32_t loop = addNode(program, 1, "scf.for", {matmul});
  uint32_t lonely = addNode(program, 1, "scf.if", {});
  uint32_t mul = addNode(program, 2, "llvm.fmul", {loop}, 3);
  uint32_t add = addNode(program, 2, "llvm.fadd", {loop}, 1);
  addCode(program, mul, kNone, "mul");
  addCode(program, add, kNone, "add");
  addCode(program, add, kNone, "add2");
  program.probes = {{ProbeKind::Loop, loop, kNone, 0, 0},
                    {ProbeKind::Operation, lonely, kNone, 0, 0},
                    {ProbeKind::Operation, kNone, kNone, 0, 0}};
  program.fingerprint = "p";
  addProbe(profile, 0, 40);
  addProbe(profile, 1, 7);
  addProbe(profile, 2, 5);
  auto total = [&](llvm::StringRef level, llvm::StringRef op) {
    Ownership ownership = matchProgram(profile, level);
    Attribution times = attribute(profile, ownership);
    EXPECT_EQ(times.coverage.opTimePs, 52);
    EXPECT_EQ(sumOf(times.coverage), 52);
    return times.ops[findRow(ownership, op)].totalPs();
  };
  EXPECT_EQ(total("input", "linalg.matmul"), 40);
  EXPECT_EQ(total("loops", "scf.for"), 40);
  EXPECT_EQ(total("loops", "scf.if"), 7);
  EXPECT_EQ(total("llvm", "llvm.fmul"), 30);
  EXPECT_EQ(total("llvm", "llvm.fadd"), 10);
  EXPECT_EQ(total("asm", "mul"), 14); // 40 / 3, the remainder to the first.
  EXPECT_EQ(total("asm", "add2"), 13);
}

TEST(ProgramMatch, SaysWhyThereIsNoLevelOrProgram) {
  Profile profile = makeModel();
  addCode(profile, 0, 1);
  addCode(profile, 0, 1);
  profile.opKeys[1].get<CodeKey>().program = "other";
  Ownership ownership = matchProgram(profile, "loops");
  EXPECT_EQ(ownership.ops.size(), 1u);
  EXPECT_EQ(ownership.matches[0].reason,
            "the program does not have the level loops");
  EXPECT_EQ(ownership.matches[1].reason,
            "of a program that the profile does not contain");
}

TEST(ProgramMatch, FollowsCallsThroughLevels) {
  Program program;
  program.levels = {"input", "a", "b"};
  uint32_t inner = addNode(program, 0, "add", {});
  uint32_t callInner = addNode(program, 0, "call", {});
  uint32_t callOuter = addNode(program, 0, "call", {});
  uint32_t function = addNode(program, 1, "func.func", {});
  program.nodes[function].kind = NodeKind::Function;
  uint32_t outerLater = addNode(program, 1, "call", {callOuter});
  // f was inlined into g before "a", g into main before "b".
  uint32_t middle = addNode(program, 1, "add", {inner});
  program.nodes[middle].callers = {callInner};
  program.nodes[middle].container = function;
  uint32_t last = addNode(program, 2, "add", {middle});
  program.nodes[last].callers = {outerLater};
  addCode(program, last, kNone, "add");
  addCode(program, kNone, kNone, "ret");
  EXPECT_EQ(getInlinedCalls(program, last),
            (std::vector<uint32_t>{callInner, outerLater}));
  EXPECT_EQ(getInlinedCalls(program, inner), std::vector<uint32_t>());
  EXPECT_EQ(getFunction(program, middle), function);
  EXPECT_EQ(getFunction(program, last), kNone);
  EXPECT_EQ(getChain(program, 0),
            (std::vector<std::vector<uint32_t>>{{inner}, {middle}, {last}}));
  EXPECT_EQ(getChain(program, 1),
            (std::vector<std::vector<uint32_t>>{{}, {}, {}}));
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

Profile makeRandomModel(std::mt19937_64 &random) {
  auto below = [&](uint64_t limit) { return uint32_t(random() % limit); };
  Profile profile;
  profile.runs.emplace_back();
  profile.runs[0].hash = std::string(32, '1');
  Program &program = profile.programs.emplace_back();
  for (uint32_t level = 0, n = 1 + below(4); level != n; ++level) {
    program.levels.push_back("level" + std::to_string(level));
    uint32_t before = uint32_t(program.nodes.size());
    for (uint32_t i = 0, size = 1 + below(8); i != size; ++i) {
      std::set<uint32_t> parents;
      // Some skip a level, some come from nothing.
      for (uint32_t p = before ? below(4) : 0; p != 0; --p)
        parents.insert(below(before));
      addNode(program, level, "op", {parents.begin(), parents.end()}, below(5));
    }
  }
  for (uint32_t i = 0, n = below(4); i != n; ++i)
    program.loops.push_back({0, 0, below(2) == 0});
  uint32_t last = uint32_t(program.levels.size() - 1);
  for (uint32_t i = 0, n = 1 + below(30); i != n; ++i) {
    uint32_t node = below(uint32_t(program.nodes.size()));
    addCode(program, program.nodes[node].level == last ? node : kNone,
            program.loops.empty() || below(2)
                ? kNone
                : below(uint32_t(program.loops.size())),
            "mov");
  }
  for (uint32_t i = 0, n = below(4); i != n; ++i)
    program.probes.push_back(
        {ProbeKind::Loop, below(uint32_t(program.nodes.size())), kNone, 0, 0});
  program.fingerprint = fingerprintProgram(program);
  for (uint32_t i = 0, n = 1 + below(40); i != n; ++i) {
    uint32_t kind = below(10);
    int64_t timePs = int64_t(random() >> (below(40) + 4));
    if (kind == 0)
      addOutside(profile, timePs, OutsideKind::Waiting);
    else if (kind < 3 && !program.probes.empty())
      addProbe(profile, below(program.probes.size()), timePs);
    else
      addCode(profile, below(program.instructions.size()), timePs,
              below(4) ? "" : "lib");
  }
  return profile;
}

/// An independent computation of a node's origins.
std::set<uint32_t> findAncestors(const Program &program, uint32_t node,
                                 uint32_t level) {
  if (program.nodes[node].level == level)
    return {node};
  std::set<uint32_t> all;
  if (program.nodes[node].level > level)
    for (uint32_t parent : program.nodes[node].parents)
      for (uint32_t ancestor : findAncestors(program, parent, level))
        all.insert(ancestor);
  return all;
}

/// Every level has all of the time, whatever the program.
TEST(ProgramMatch, TotalsOfAllLevelsAreEqual) {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round != 500; ++round) {
    Profile profile = makeRandomModel(random);
    int64_t total = 0;
    for (const OpSummary &op : profile.runs[0].ops)
      total += op.getTimePs();
    for (const std::string &level : getLevels(profile)) {
      ProgramMatch match = matchProgramRows(profile, level);
      Attribution times = attribute(profile, match.ownership);
      EXPECT_EQ(times.coverage.opTimePs, total) << level;
      EXPECT_EQ(sumOf(times.coverage), total) << level;
      // Ops have exactly the time with owners, to the last picosecond.
      int64_t owned = 0;
      for (const OpTime &op : times.ops)
        owned += op.totalPs();
      EXPECT_EQ(owned, total - times.coverage.unmatchedPs) << level;
    }
  }
}

TEST(ProgramMatch, FindsAllAncestorsAndSplitsAsDocumented) {
  std::mt19937_64 random(8);
  for (unsigned round = 0; round != 300; ++round) {
    Profile profile = makeRandomModel(random);
    const Program &program = profile.programs[0];
    for (uint32_t level = 0; level != program.levels.size(); ++level) {
      AncestorTable table(program, level);
      for (uint32_t node = 0; node != program.nodes.size(); ++node) {
        std::set<uint32_t> expected = findAncestors(program, node, level);
        EXPECT_TRUE(llvm::equal(table.get(node), expected));
      }
      ProgramMatch match = matchProgramRows(profile, program.levels[level]);
      for (auto [key, found] :
           llvm::zip_equal(profile.opKeys, match.ownership.matches)) {
        const auto *code = key.getIf<CodeKey>();
        if (!code)
          continue;
        const Instruction &at = program.instructions[code->instruction];
        std::map<uint32_t, double> expected;
        if (at.node != kNone)
          for (uint32_t node : findAncestors(program, at.node, level))
            expected[node] = double(program.nodes[node].cost);
        std::map<uint32_t, double> ofLoop;
        if (at.loop != kNone && !program.loops[at.loop].calls &&
            key.kernel.empty())
          for (const Instruction &other : program.instructions)
            if (other.loop == at.loop && other.node != kNone) {
              auto nodes = findAncestors(program, other.node, level);
              for (uint32_t node : nodes)
                ofLoop[node] += 1.0 / double(nodes.size());
            }
        if (ofLoop.size() > 1 || at.node == kNone)
          expected = ofLoop;
        double wanted = 0, got = 0;
        for (auto &[node, weight] : expected)
          wanted += weight;
        for (uint64_t weight : found.weights)
          got += double(weight);
        ASSERT_EQ(found.ops.size(), expected.size());
        for (size_t i = 0; i != found.ops.size(); ++i) {
          uint32_t node = match.rows[found.ops[i]].node;
          ASSERT_TRUE(expected.count(node));
          // Proportions count.
          EXPECT_NEAR(double(found.weights[i]) * wanted, expected[node] * got,
                      1e-9 * (1 + wanted * got));
        }
      }
    }
  }
}

TEST(ProgramMatch, RandomProgramsSurviveTheirFiles) {
  std::mt19937_64 random(9);
  for (unsigned round = 0; round != 50; ++round) {
    Profile profile = makeRandomModel(random);
    const Program &program = profile.programs[0];
    std::string bytes = serializeProgram(program);
    llvm::Expected<Program> again = parseProgram(bytes);
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(serializeProgram(*again), bytes);
    EXPECT_EQ(fingerprintProgram(*again), program.fingerprint);
    again->nodes[0].cost += 1;
    EXPECT_NE(fingerprintProgram(*again), program.fingerprint);
    std::string whole = test::toBytes(profile);
    llvm::Expected<Profile> read = readProfile(whole, "f");
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(test::toBytes(*read), whole);
    llvm::Expected<Profile> json = readProfileJson(test::toJson(profile), "f");
    ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
    EXPECT_EQ(test::toBytes(*json), whole);
  }
  EXPECT_EQ(llvm::toString(parseProgram("\x52").takeError()).empty(), false);
}

/// Sets that would exhaust the memory are dropped.
TEST(ProgramMatch, BoundsWhatDamagedProgramsAskFor) {
  Profile profile;
  profile.runs.emplace_back();
  Program &program = profile.programs.emplace_back();
  program.levels = {"input", "llvm"};
  program.fingerprint = "p";
  std::vector<uint32_t> all;
  ProgramNode node;
  program.strings = {""};
  for (uint32_t i = 0; i != 5000; ++i) {
    all.push_back(i);
    program.nodes.push_back(node);
  }
  node.level = 1;
  node.parents = all;
  program.nodes.push_back(node);
  program.instructions = {{0, 5000, 0, kNone}};
  addCode(profile, 0, 9);
  Ownership ownership = matchProgram(profile, "input");
  EXPECT_EQ(ownership.matches[0].matchClass, MatchClass::Unmatched);
  EXPECT_EQ(ownership.matches[0].reason, "more ops than can be distinguished");
}

} // namespace
