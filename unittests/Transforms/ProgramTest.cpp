//===- ProgramTest.cpp - Tests of programs on modules ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Transforms/AuditReport.h"
#include "mlir-prof/Transforms/DeferredLevels.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;

namespace {

class ProgramTest : public testing::Test {
protected:
  ProgramTest() {
    context.loadDialect<func::FuncDialect, arith::ArithDialect>();
    // Errors are expected; other tests check their texts.
    context.getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
  }
  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }
  /// A module whose program is `attribute`.
  OwningOpRef<ModuleOp> withProgram(StringRef attribute) {
    return parse(
        ("module attributes {prof.program = " + attribute + "} {}").str());
  }

  MLIRContext context;
};

constexpr char kModule[] = R"(
  func.func @f(%x: f32) -> f32 {
    %c = arith.constant 1.0 : f32
    %0 = arith.addf %x, %c : f32 loc("net/add"("net.py":4:2))
    return %0 : f32
  })";

TEST_F(ProgramTest, SnapshotsWithNumbersAsIdentities) {
  OwningOpRef<ModuleOp> module = parse(kModule);
  auto count = [&] {
    size_t marked = 0;
    module->walk(
        [&](Operation *op) { marked += prof::hasIdentity(op->getLoc()); });
    return marked;
  };
  std::vector<size_t> bare;
  auto note = [&] { bare.push_back(count()); };
  std::shared_ptr<LocationTexts> texts = makeLocationTexts();
  for (StringRef level : {"input", "loops"})
    ASSERT_TRUE(succeeded(snapshotLevel(
        *module, level, {prof::IdentityForm::Number, note, texts.get()})));
  EXPECT_EQ(bare, std::vector<size_t>({0, 0}));
  EXPECT_EQ(count(), 3u);
  // Text does not have them.
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo());
  EXPECT_EQ(text.find("{prof ="), std::string::npos);
  Program program = getProgram(*module);
  ASSERT_EQ(program.nodes.size(), 6u);
  EXPECT_EQ(program.nodes[4].parents, std::vector<uint32_t>({1}));
  EXPECT_EQ(program.strings[program.nodes[4].location], "net/add (net.py:4:2)");
}

/// The program of levels that are described later, after an op between the
/// levels is gone, is that of snapshots.
TEST_F(ProgramTest, DescribesLevelsLater) {
  constexpr StringLiteral kLevels[] = {"input", "loops"};
  auto change = [](ModuleOp module, StringRef level) {
    if (level == "loops")
      module.walk([](arith::AddFOp op) {
        op.replaceAllUsesWith(op.getLhs());
        op.erase();
      });
  };
  OwningOpRef<ModuleOp> module = parse(kModule), other = module->clone();
  DeferredLevels levels(&context);
  std::vector<OwningOpRef<ModuleOp>> copies;
  std::vector<uint32_t> firsts;
  for (StringRef level : kLevels) {
    change(*module, level);
    change(*other, level);
    ASSERT_TRUE(
        succeeded(snapshotLevel(*module, level, {prof::IdentityForm::Number})));
    copies.push_back(other->clone());
    FailureOr<uint32_t> first = levels.identify(*other, level);
    ASSERT_TRUE(succeeded(first));
    firsts.push_back(*first);
  }
  EXPECT_TRUE(failed(levels.identify(*other, "loops")));
  EXPECT_EQ(firsts, std::vector<uint32_t>({0, 3}));
  for (size_t i = 0; i < copies.size(); ++i) {
    levels.describe(*copies[i], kLevels[i], firsts[i]);
    copies[i]->walk(
        [](Operation *op) { EXPECT_FALSE(prof::hasIdentity(op->getLoc())); });
  }
  Program program = levels.take();
  EXPECT_EQ(program.nodes.size(), 5u);
  EXPECT_EQ(fingerprintProgram(program),
            fingerprintProgram(getProgram(*module)));
  EXPECT_TRUE(OperationEquivalence::isEquivalentTo(module->lookupSymbol("f"),
                                                   other->lookupSymbol("f"),
                                                   OperationEquivalence::None));
}

TEST_F(ProgramTest, WarnsOfLevelsThatWereDescribedLater) {
  OwningOpRef<ModuleOp> module = parse(kModule);
  DeferredLevels levels(&context);
  for (StringRef level : {"input", "loops"}) {
    // Nothing can be traced from the second level to the first.
    stripIdentities(*module);
    OwningOpRef<ModuleOp> copy = module->clone();
    FailureOr<uint32_t> first = levels.identify(*module, level);
    ASSERT_TRUE(succeeded(first));
    levels.describe(*copy, level, *first);
  }
  std::vector<std::string> warnings;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    warnings.push_back(diagnostic.str());
    return success();
  });
  levels.warn(*module);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings.front().find("level 'loops': no op has an identity"), 0u);
}

TEST_F(ProgramTest, Snapshots) {
  OwningOpRef<ModuleOp> module = parse(kModule);
  ASSERT_TRUE(succeeded(snapshotLevel(*module, "input")));
  ASSERT_TRUE(succeeded(snapshotLevel(*module, "loops")));
  EXPECT_TRUE(failed(snapshotLevel(*module, "loops")));
  Program program = getProgram(*module);
  EXPECT_EQ(program.levels, std::vector<std::string>({"input", "loops"}));
  ASSERT_EQ(program.nodes.size(), 6u);
  const ProgramNode &add = program.nodes[1];
  EXPECT_EQ(program.strings[add.op], "arith.addf");
  EXPECT_EQ(program.strings[add.name], "net/add");
  EXPECT_EQ(program.strings[add.location], "net/add (net.py:4:2)");
  EXPECT_EQ(program.strings[add.file], "net.py");
  EXPECT_EQ(add.line, 4u);
  EXPECT_EQ(add.container, 0u);
  EXPECT_EQ(add.position, 3u);
  EXPECT_GE(add.cost, 1u);
  EXPECT_EQ(program.strings[program.nodes[0].name], "f");
  EXPECT_EQ(program.nodes[0].kind, NodeKind::Function);
  EXPECT_EQ(program.nodes[4].level, 1u);
  EXPECT_EQ(program.nodes[4].parents, std::vector<uint32_t>({1}));
  EXPECT_EQ(program.nodes[4].container, 3u);
  // All of it goes.
  EXPECT_EQ(stripIdentities(*module), 3u);
  EXPECT_TRUE(getProgram(*module).levels.empty());
  module->walk(
      [](Operation *op) { EXPECT_FALSE(prof::hasIdentity(op->getLoc())); });
}

TEST_F(ProgramTest, SetAndGet) {
  Program program;
  program.fingerprint = "abc";
  program.entry = "main";
  program.strings = {"", "op", "a \"name\"\n\xff"};
  program.levels = {"input", "llvm"};
  program.nodes.resize(3);
  program.nodes[0].op = 1;
  program.nodes[0].cost = 5;
  program.nodes[0].trips = 8;
  program.nodes[0].kind = NodeKind::Loop;
  program.nodes[1].level = 1;
  program.nodes[1].name = 2;
  program.nodes[1].parents = {0};
  program.nodes[1].callers = {0, 0};
  program.nodes[2].level = 1;
  program.nodes[2].container = 1;
  program.probes.resize(2);
  program.probes[1].kind = ProbeKind::Work;
  program.probes[1].node = 2;
  program.probes[1].parent = 0;
  program.probes[1].height = 3;
  program.sites = {{ValueKind::Trips, 2, {"trips"}}};
  program.instances = {{2, 1, {{1, 0}, {2, 0}}}, {2, 1, {}}};
  OwningOpRef<ModuleOp> module = parse("module {}");
  setProgram(*module, program);
  Program read;
  ASSERT_TRUE(succeeded(readProgram(*module, read)));
  EXPECT_EQ(read.fingerprint, "abc");
  EXPECT_EQ(read.entry, "main");
  EXPECT_EQ(read.strings, program.strings);
  EXPECT_EQ(read.levels, program.levels);
  ASSERT_EQ(read.nodes.size(), 3u);
  EXPECT_EQ(read.nodes[0].trips, 8);
  EXPECT_EQ(read.nodes[0].cost, 5u);
  EXPECT_EQ(read.nodes[0].container, kNone);
  EXPECT_EQ(read.nodes[1].parents, program.nodes[1].parents);
  EXPECT_EQ(read.nodes[1].callers, program.nodes[1].callers);
  EXPECT_EQ(read.nodes[2].container, 1u);
  ASSERT_EQ(read.probes.size(), 2u);
  EXPECT_EQ(read.probes[0].node, kNone);
  EXPECT_EQ(read.probes[1].kind, ProbeKind::Work);
  EXPECT_EQ(read.probes[1].height, 3u);
  ASSERT_EQ(read.sites.size(), 1u);
  EXPECT_EQ(read.sites[0].names, std::vector<std::string>({"trips"}));
  ASSERT_EQ(read.instances.size(), 2u);
  EXPECT_EQ(read.instances[0].node, 2u);
  EXPECT_EQ(read.instances[0].kernel, 1u);
  EXPECT_EQ(read.instances[0].origins, program.instances[0].origins);
  EXPECT_TRUE(read.instances[1].origins.empty());
  // A level that is appended keeps the rest.
  ASSERT_TRUE(succeeded(snapshotLevel(*module, "more")));
  Program more = getProgram(*module);
  EXPECT_EQ(more.levels.size(), 3u);
  EXPECT_EQ(more.probes.size(), 2u);
  EXPECT_EQ(more.instances.size(), 2u);
  EXPECT_EQ(more.entry, "main");
}

/// A level of one node, with all columns in order except those that `change`
/// replaces.
std::string makeProgram(StringRef from, StringRef to) {
  std::string text =
      "{version = 1 : i32, strings = [\"\", \"x\"], levels = [{level = \"a\", "
      "kind = array<i8: 0, 0>, op = array<i32: 1, 1>, name = array<i32: 0, 0>, "
      "location = array<i32: 0, 0>, file = array<i32: 0, 0>, line = array<i32: "
      "0, 0>, container = array<i32: -1, 0>, position = array<i32: 1, 2>, cost "
      "= array<i64: 1, 1>, trips = array<i64: -1, -1>}]}";
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to.str());
}

TEST_F(ProgramTest, Hostile) {
  auto isGood = [&](StringRef from, StringRef to) {
    OwningOpRef<ModuleOp> module = withProgram(makeProgram(from, to));
    EXPECT_TRUE(module) << to.str();
    Program program;
    bool good = module && succeeded(readProgram(*module, program));
    // A malformed program does not leave anything behind.
    EXPECT_EQ(good, program.nodes.size() == 2);
    EXPECT_EQ(good, !getProgram(*module).levels.empty());
    return good;
  };
  EXPECT_TRUE(isGood("x", "x"));
  const std::pair<StringRef, StringRef> changes[] = {
      {"version = 1", "version = 2"},
      {"version = 1 : i32", "version = \"1\""},
      {"strings = [\"\", \"x\"]", "strings = []"},
      {"strings = [\"\", \"x\"]", "strings = [\"x\", \"\"]"},
      {"strings = [\"\", \"x\"]", "strings = [\"\", 7]"},
      {"level = \"a\"", "level = \"\""},
      {"level = \"a\"", "level = 3"},
      {"kind = array<i8: 0, 0>", "kind = array<i8: 0, 6>"},
      {"kind = array<i8: 0, 0>", "kind = array<i8: -1, 0>"},
      {"kind = array<i8: 0, 0>", "kind = array<i8: 0>"},
      {"kind = array<i8: 0, 0>", "kind = array<i32: 0, 0>"},
      {"op = array<i32: 1, 1>", "op = array<i32: 1, 2>"},
      {"op = array<i32: 1, 1>", "op = array<i32: 1, -1>"},
      {"op = array<i32: 1, 1>", "op = array<i32: 1, 1, 1>"},
      {"op = array<i32: 1, 1>", "op = [1, 1]"},
      {"container = array<i32: -1, 0>", "container = array<i32: -1, 1>"},
      {"container = array<i32: -1, 0>", "container = array<i32: 1, -1>"},
      {"container = array<i32: -1, 0>", "container = array<i32: -1, -2>"},
      {", trips = array<i64: -1, -1>", ""},
      // Parents of the same level, lists that do not add up.
      {"level = \"a\"", "level = \"a\", parents = array<i32: 0>, parent_counts "
                        "= array<i32: 0, 1>"},
      {"level = \"a\"", "level = \"a\", parents = array<i32>, parent_counts = "
                        "array<i32: 0, 2147483647>"},
      {"level = \"a\"", "level = \"a\", parents = array<i32>, parent_counts = "
                        "array<i32: 0, -1>"},
      {"level = \"a\"", "level = \"a\", callers = array<i32: 0>"},
      {"levels = [", "levels = [7, "},
      {"levels = [", "probes = {kind = array<i8: 0>}, levels = ["},
      {"levels = [", "probes = {kind = array<i8: 0>, node = array<i32: 2>, "
                     "parent = array<i32: -1>, depth = array<i32: 0>, height = "
                     "array<i32: 0>}, levels = ["},
      {"levels = [", "sites = [{}], levels = ["},
      {"levels = [", "sites = [{kind = 0 : i8, node = 2 : i32, names = []}], "
                     "levels = ["},
  };
  for (auto [from, to] : changes)
    EXPECT_FALSE(isGood(from, to)) << to.str();
}

TEST_F(ProgramTest, ManyOpsAreLinear) {
  // Each snapshot only appends; what they append to is not read again.
  std::string text = "func.func @f(%x: f32) {\n";
  for (int i = 0; i < 10000; ++i)
    text += "  %" + std::to_string(i) + " = arith.addf %x, %x : f32\n";
  OwningOpRef<ModuleOp> module = parse(text + "  return\n}\n");
  ASSERT_TRUE(module);
  for (int i = 0; i < 8; ++i)
    ASSERT_TRUE(succeeded(snapshotLevel(*module, "l" + std::to_string(i))));
  Program program = getProgram(*module);
  ASSERT_EQ(program.nodes.size(), 8u * 10002u);
  EXPECT_EQ(program.nodes.back().parents,
            std::vector<uint32_t>({7u * 10002u - 1}));
}

TEST(AuditReportTest, TimesOfALoss) {
  Program program;
  program.levels = {"input"};
  program.nodes.resize(4);
  AuditLog log;
  PassAudit clean;
  clean.pass = "cse";
  clean.anchor = "func.func @main";
  clean.opsBefore = clean.opsAfter = 9;
  clean.gone = {3};
  PassAudit careless = clean;
  careless.pass = "drop";
  careless.gone.clear();
  careless.lostByOp = {{"a.op", 2}, {"b.op", 1}};
  careless.lostNodesByOp = {{0}, {1, 2}};
  careless.lostNodes = {0, 1, 2};
  careless.repaired = 3;
  log.passes = {clean, careless, careless};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeAudit(log, program, {1000, 2000, 3000, 4000}, AuditFormat::Text, os);
  EXPECT_EQ(text, R"(Identities, pass by pass
pass  on               ops before  after  lost  repaired  gone  invented  lost time   share
cse   func.func @main           9      9     0         0     1         0       0 ps   0.0 %
drop  func.func @main           9      9     3         3     0         0   6.000 ns  60.0 %
drop  func.func @main           9      9     3         3     0         0   6.000 ns  60.0 %

Lost, by pass and kind of op
pass  kind of op  lost  lost time   share
drop  b.op           2   5.000 ns  50.0 %
drop  a.op           4   1.000 ns  10.0 %
)");
  text.clear();
  writeAudit(log, program, {}, AuditFormat::Json, os);
  EXPECT_NE(text.find("{\"pass\":\"drop\",\"op\":\"a.op\",\"lost\":4}"),
            std::string::npos);
  EXPECT_EQ(text.find("_ps"), std::string::npos);
}

} // namespace
