//===- PathTest.cpp - Names, paths and hostile modules --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Match/Hlo/OpNames.h"
#include "../../lib/Match/Hlo/PathTier.h"
#include "Recordings.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

std::vector<std::string> expand(StringRef name) {
  auto names = expandOpName(name);
  return {names.begin(), names.end()};
}

using Names = std::vector<std::string>;

TEST(OpNamesTest, SplitsAndExpands) {
  EXPECT_EQ(expand("jit(f)/add"), Names{"jit(f)/add"});
  EXPECT_EQ(expand("a;b;a"), (Names{"a", "b"}));
  EXPECT_EQ(expand("p/(x:y)"), (Names{"p/x", "p/y"}));
  EXPECT_EQ(expand("jit(f)/(x/(a:b):jvp(y:z))"),
            (Names{"jit(f)/x/(a:b)", "jit(f)/jvp(y:z)"}));
  EXPECT_EQ(expand("jit(f:g)"), Names{"jit(f:g)"});
  EXPECT_EQ(expand("(a:b)"), (Names{"a", "b"}));
  EXPECT_EQ(expand(""), Names());
  EXPECT_EQ(expand("))(("), Names{"))(("});
  EXPECT_EQ(expand("a:b)"), Names{"a:b)"});
  EXPECT_EQ(expand("grüße/層;🔥"), (Names{"grüße/層", "🔥"}));
}

std::vector<uint32_t> resolve(mlir::Operation *root, StringRef name,
                              PathStyle style,
                              PathScope scope = PathScope::Full) {
  ModuleIndex index(root);
  PathResolver resolver(index);
  std::vector<uint32_t> ops;
  for (const OwnerCandidate &candidate : resolver.resolve(name, style, scope))
    if (ops.empty() || ops.back() != candidate.op)
      ops.push_back(candidate.op);
  return ops;
}

const char *const kCalls = R"(
module {
  func.func @main() {
    call @f() : () -> () loc("a")
    call @f() : () -> () loc("b/c")
    "tf.While"() {body = @g, cond = @g} : () -> () loc("w")
    return
  }
  func.func private @f() {
    "x.y"() : () -> () loc("op \"1\"@__inference")
    return
  }
  func.func private @g() {
    "x.z"() : () -> () loc("op2")
    return
  }
})";

TEST(PathTest, GoesThroughCallsAndLoops) {
  LoadedModule module = parseText(kCalls);
  ASSERT_TRUE(module.root);
  using Ops = std::vector<uint32_t>;
  // 0 module, 1 main, 2..4 calls, 5 return, 6 f, 7 x.y, 9 g, 10 x.z.
  mlir::Operation *root = *module.root;
  EXPECT_EQ(resolve(root, "a", PathStyle::Graph), Ops{2});
  EXPECT_EQ(resolve(root, "a/op \"1\"", PathStyle::Graph), Ops{7});
  EXPECT_EQ(resolve(root, "b/c/op \"1\"", PathStyle::Xla), Ops{7});
  EXPECT_EQ(resolve(root, "op \"1\"", PathStyle::Xla), Ops{});
  EXPECT_EQ(resolve(root, "op \"1\"", PathStyle::Xla, PathScope::FullThenOwn),
            Ops{7});
  EXPECT_EQ(resolve(root, "w/body/_17/op2", PathStyle::Graph), Ops{10});
  EXPECT_EQ(resolve(root, "w/cond/_0/op2", PathStyle::Graph), Ops{10});
  EXPECT_EQ(resolve(root, "w/body/_x/op2", PathStyle::Graph), Ops{});
  EXPECT_EQ(resolve(root, "op2", PathStyle::Xla), Ops{10});
  EXPECT_EQ(resolve(root, "op2", PathStyle::Graph), Ops{});
  EXPECT_EQ(resolve(root, "", PathStyle::Graph), Ops{});
  EXPECT_EQ(resolve(root, "///", PathStyle::Graph), Ops{});
}

/// 60 functions that call the next one twice: 2^60 paths.
TEST(PathTest, CallsInCirclesAndManyPaths) {
  std::string text = "module {\n";
  for (int i = 0; i < 60; ++i) {
    std::string call =
        "call @f" + std::to_string(i + 1) + "() : () -> () loc(\"a\")\n";
    text += "func.func " + std::string(i ? "private " : "") + "@f" +
            std::to_string(i) + "() {\n" + call + call + "return\n}\n";
  }
  text += "func.func private @f60() {\n\"x.y\"() : () -> () loc(\"z\")\n"
          "call @f60() : () -> () loc(\"a\")\n"
          "call @f59() : () -> () loc(\"a\")\nreturn\n}\n}\n";
  LoadedModule module = parseText(text);
  ASSERT_TRUE(module.root);
  std::string name;
  for (int i = 0; i < 60; ++i)
    name += "a/";
  EXPECT_EQ(resolve(*module.root, name + "z", PathStyle::Graph).size(), 1u);
  EXPECT_EQ(resolve(*module.root, name + "a/a/a/z", PathStyle::Graph).size(),
            1u);
  EXPECT_EQ(resolve(*module.root, name + "y", PathStyle::Graph).size(), 0u);
  Profile profile;
  Ownership ownership = matchProfile(profile, *module.root);
  EXPECT_EQ(ownership.ops.back().op, "func.return");
}

/// Functions that only call themselves do not have other callers.
TEST(PathTest, OnlyCircles) {
  LoadedModule module = parseText(
      "module { func.func @f() { call @f() : () -> () loc(\"a\")\n return } }");
  ASSERT_TRUE(module.root);
  EXPECT_EQ(resolve(*module.root, "a/a/a", PathStyle::Graph).size(), 0u);
  EXPECT_EQ(
      resolve(*module.root, "a", PathStyle::Xla, PathScope::FullThenOwn).size(),
      1u);
}

/// A program whose fusions call each other.
TEST(HostileTest, CyclicHlo) {
  Profile profile;
  HloModule hlo;
  hlo.name = "m";
  for (int i = 0; i < 2; ++i) {
    HloInstruction instruction;
    instruction.name = "fusion." + std::to_string(i);
    instruction.opcode = "fusion";
    instruction.id = i;
    instruction.computation = uint32_t(i);
    // Numbers that hash tables reserve are valid ids.
    constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
    instruction.operandIds = {i, 1 - i, 77, kMin, kMax};
    instruction.calledComputationIds = {1 - i, i, 99, kMin, kMax};
    instruction.parameterNumber = kMin;
    instruction.frame = 12345;
    hlo.instructions.push_back(instruction);
    HloComputation computation;
    computation.id = i;
    computation.rootId = i;
    computation.firstInstruction = uint32_t(i);
    computation.size = 1000000;
    hlo.computations.push_back(computation);
    profile.opKeys.emplace_back(instruction.name, "",
                                HloInstructionKey{"m", {}});
  }
  profile.hloModules.push_back(hlo);
  profile.opKeys.push_back(profile.opKeys[0]);
  profile.opKeys.back().op = "missing";
  profile.opKeys.push_back(profile.opKeys[0]);
  profile.opKeys.back().get<HloInstructionKey>().module = "other";
  LoadedModule module = parseText(kCalls);
  ASSERT_TRUE(module.root);
  for (MatchRule rule : {MatchRule::Best, MatchRule::Reference}) {
    Ownership ownership = matchProfile(profile, *module.root, {rule});
    ASSERT_EQ(ownership.matches.size(), 4u);
    for (const Match &match : ownership.matches) {
      EXPECT_EQ(match.matchClass, MatchClass::Unmatched);
      EXPECT_FALSE(match.reason.empty());
    }
    EXPECT_EQ(ownership.matches[2].reason,
              "HLO module m does not have instruction missing");
    EXPECT_EQ(ownership.matches[3].reason,
              "the profile does not have HLO module other");
  }
}

HloInstruction makeInstruction(int64_t id, StringRef opcode, StringRef name) {
  HloInstruction instruction;
  instruction.id = id;
  instruction.name = ("i" + llvm::Twine(id)).str();
  instruction.opcode = opcode.str();
  instruction.opName = name.str();
  instruction.shape = {11, {4}, {}};
  return instruction;
}

/// Two ops that only their order distinguishes, and as many instructions.
TEST(TierTest, OrderOfExecution) {
  LoadedModule module = parseText(R"(
module {
  func.func @main() {
    %0 = "x.a"() : () -> tensor<4xf32>
    %1 = "stablehlo.tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("t")
    "x.use"(%1) : (tensor<4xf32>) -> ()
    %2 = "x.b"() : () -> tensor<4xf32>
    %3 = "stablehlo.tanh"(%2) : (tensor<4xf32>) -> tensor<4xf32> loc("t")
    "x.use"(%3) : (tensor<4xf32>) -> ()
    return
  }
})");
  ASSERT_TRUE(module.root);
  Profile profile;
  HloModule hlo;
  hlo.name = "m";
  hlo.computations.push_back({"main", 0, 1, false, 0, 2});
  hlo.instructions = {makeInstruction(0, "tanh", "t"),
                      makeInstruction(1, "tanh", "t")};
  profile.hloModules.push_back(hlo);
  for (const HloInstruction &instruction : hlo.instructions)
    profile.opKeys.emplace_back(instruction.name, "",
                                HloInstructionKey{"m", {}});
  Ownership best = matchProfile(profile, *module.root);
  EXPECT_EQ(best.matches[0].ops, std::vector<uint32_t>{3});
  EXPECT_EQ(best.matches[1].ops, std::vector<uint32_t>{6});
  EXPECT_EQ(best.matches[0].tier, MatchTier::ExecutionOrder);
  Ownership reference =
      matchProfile(profile, *module.root, {MatchRule::Reference});
  EXPECT_EQ(reference.matches[0].ops, (std::vector<uint32_t>{3, 6}));
  EXPECT_EQ(reference.matches[0].matchClass, MatchClass::Ambiguous);
}

} // namespace
