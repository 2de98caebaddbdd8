//===- LoweredTest.cpp - Recorded calls and their lowered ops -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Match/Torch/LoweredCalls.h"
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

using Ops = std::vector<uint32_t>;

void addKey(Profile &profile, OpKey key) {
  if (profile.runs.empty())
    profile.runs.emplace_back();
  OpSummary &summary = profile.runs.front().ops.emplace_back();
  summary.op = uint32_t(profile.opKeys.size());
  summary.firstBeginPs = summary.op;
  profile.opKeys.push_back(std::move(key));
}

void addCall(Profile &profile, const std::string &name,
             const std::string &shapes = "") {
  FrameworkCallKey call;
  call.shapes = InputShapes::parse(shapes);
  addKey(profile, OpKey(name, "", std::move(call)));
}

FrameworkCallKey &getCall(OpKey &key) { return key.get<FrameworkCallKey>(); }

Profile makeCalls(llvm::ArrayRef<std::string> names) {
  Profile profile;
  for (const std::string &name : names)
    addCall(profile, name);
  return profile;
}

/// A function of one op after another: the module and the function stand before
/// them.
std::string makeChain(llvm::ArrayRef<std::string> ops, StringRef location) {
  std::string text = "func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {\n";
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string line = std::to_string(i + 1);
    text += "%" + line + " = tosa." + ops[i] + " %" + std::to_string(i) +
            " : (tensor<4xf32>) -> tensor<4xf32> loc(";
    text += location.empty() ? "\"m.py\":" + line + ":1" : location.str();
    text += ")\n";
  }
  return text + "return %" + std::to_string(ops.size()) +
         " : tensor<4xf32>\n}\n";
}

/// The same of PyTorch's dialect.
std::string makeTorchChain(llvm::ArrayRef<std::string> ops,
                           StringRef location = "unknown") {
  std::string type = "!torch.vtensor<[8,8],f32>";
  std::string text =
      "\"builtin.module\"() ({\n\"func.func\"() "
      "<{function_type = (" +
      type + ") -> (), sym_name = \"main\"}> ({\n^bb0(%0: " + type + "):\n";
  for (size_t i = 0; i < ops.size(); ++i)
    text += "%" + std::to_string(i + 1) + " = \"torch." + ops[i] + "\"(%" +
            std::to_string(i) + ") : (" + type + ") -> " + type + " loc(" +
            location.str() + ")\n";
  return text + "\"func.return\"() : () -> ()\n}) : () -> ()\n}) : () -> "
                "()\n";
}

std::vector<LoweredCalls::Share>
share(const Profile &profile, const std::string &text, LoweredLimits limits) {
  LoadedModule module = parseText(text);
  ModuleIndex index(*module.root);
  FrameworkCalls calls(profile);
  std::vector<ModuleCall> runs = findLoweredCalls(index, {});
  LoweredCalls lowered(index, runs, calls, limits);
  return lowered.share(calls.getRoots(), /*knowsPlaces=*/true);
}

std::vector<Match> matchAll(const Profile &profile, const std::string &text) {
  LoadedModule module = parseText(text);
  return module.root ? matchProfile(profile, *module.root).matches
                     : std::vector<Match>(profile.opKeys.size());
}

Match matchFirst(const Profile &profile, const std::string &text) {
  return matchAll(profile, text).front();
}

LoweredLimits withCells(uint64_t cells) {
  LoweredLimits limits;
  limits.cells = cells;
  return limits;
}

TEST(Lowered, StaysJoinedInParts) {
  // 2,358 calls and 2,357 ops are three times 2,359 * 2,358 cells.
  constexpr uint32_t kSame = 2355;
  std::vector<std::string> names(kSame, "aten::tanh");
  names.insert(names.end(), {"aten::exp", "mylib::frobnicate", "aten::exp"});
  std::vector<std::string> ops(kSame, "tanh");
  ops.insert(ops.end(), {"exp", "exp"});
  for (uint64_t cells : {16687566, 16687565, 1 << 20}) {
    auto shares = share(makeCalls(names), makeChain(ops, ""), withCells(cells));
    ASSERT_EQ(shares.size(), names.size());
    for (uint32_t i = 0; i <= kSame; ++i)
      EXPECT_EQ(shares[i].ops, Ops{i + 2});
    EXPECT_EQ(shares[kSame + 1].ops, Ops());
    EXPECT_EQ(shares[kSame + 2].ops, Ops{kSame + 3});
  }
}

TEST(Lowered, SaysWhatIsTooMuch) {
  Profile profile = makeCalls(std::vector<std::string>(20, "aten::tanh"));
  std::string text = makeChain(std::vector<std::string>(20, "tanh"), "unknown");
  for (const LoweredCalls::Share &left : share(profile, text, withCells(100))) {
    EXPECT_EQ(left.reason,
              "more calls and ops in one place than are compared (100 cells)");
    EXPECT_EQ(left.ops, Ops());
  }
  LoweredLimits limits;
  limits.evidence = 1;
  for (const LoweredCalls::Share &left : share(profile, text, limits)) {
    EXPECT_EQ(left.reason, "more kinds of calls and ops, or places of these, "
                           "than are compared (1 pairs)");
    EXPECT_EQ(left.ops, Ops());
  }
  for (const LoweredCalls::Share &left : share(profile, text, {}))
    EXPECT_EQ(left.ops.size() + left.reason.size(), 1u);
  // Beyond the limit for all pairs.
  EXPECT_EQ(
      matchFirst(makeCalls(std::vector<std::string>(2400, "aten::tanh")),
                 makeChain(std::vector<std::string>(2400, "tanh"), "unknown"))
          .reason,
      "more calls and ops in one place than are compared (16777216 cells)");
}

TEST(Lowered, WhatIsTooMuchIsInNoLine) {
  Profile profile = makeCalls(std::vector<std::string>(4, "aten::tanh"));
  const char *const frames[] = {"m.py(5): f", "n.py(1): f", "n.py(2): f",
                                "m.py(5): f"};
  for (auto [key, frame] : llvm::zip_equal(profile.opKeys, frames))
    getCall(key).frames = {parseFrame(frame)};
  // Large enough for one chain of functions, but not for all three.
  LoweredLimits limits;
  limits.evidence = 2;
  auto shares =
      share(profile, makeChain({"tanh", "tanh"}, "\"m.py\":7:1"), limits);
  EXPECT_EQ(shares[0].ops, Ops{2});
  EXPECT_NE(shares[2].reason, "");
  EXPECT_EQ(shares[2].run, kNone);
  EXPECT_EQ(shares[3].ops, Ops{3});
}

TEST(Lowered, DecomposedWhereNoNameIsLeft) {
  Match match = matchFirst(makeCalls({std::string("aten::silu")}),
                           makeTorchChain({"aten.sigmoid", "aten.mul.Tensor"}));
  EXPECT_EQ(match.ops, (Ops{2, 3}));
}

TEST(Lowered, OnlyNeighborsInALineAreOfOneCall) {
  Profile profile = makeCalls({std::string("aten::tanh")});
  std::vector<std::string> ops = {"tanh", "exp", "reciprocal", "log"};
  EXPECT_EQ(matchFirst(profile, makeChain(ops, "unknown")).ops, Ops{2});
  EXPECT_EQ(matchFirst(profile, makeChain(ops, "\"m.py\":7:1")).ops,
            (Ops{2, 3, 4, 5}));
  auto filled = share(profile, makeChain(ops, "\"m.py\":7:1"), {});
  EXPECT_EQ(filled[0].numOwn, 1u);
}

TEST(Lowered, ALineOfTwoFunctionsIsTwo) {
  auto makeFunction = [](StringRef name, StringRef op) {
    return ("func.func @" + name +
            "(%x: tensor<4xf32>) -> tensor<4xf32> {\n%0 = tosa." + op +
            " %x : (tensor<4xf32>) -> tensor<4xf32> loc(\"m.py\":7:1)\n"
            "return %0 : tensor<4xf32>\n}\n")
        .str();
  };
  EXPECT_EQ(matchFirst(makeCalls({std::string("aten::tanh")}),
                       makeFunction("a", "tanh") + makeFunction("b", "exp"))
                .ops,
            Ops{2});
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// A function with a product of `left` and an 8x8 matrix, and one of two
/// dimensions, so that two ops may belong to the kernel.
std::string makeProducts(StringRef left) {
  std::string matrix = "!torch.vtensor<[8,8],f32>",
              first = ("!torch.vtensor<" + left + ",f32>").str(),
              second = "!torch.vtensor<[2,8],f32>";
  std::string both = first + ", " + second + ", " + matrix;
  return "\"builtin.module\"() ({\n\"func.func\"() <{function_type = (" + both +
         ") -> " + first + ", sym_name = \"main\"}> ({\n^bb0(%x: " + first +
         ", %y: " + second + ", %w: " + matrix +
         "):\n%0 = \"torch.aten.mm\"(%x, %w) : (" + first + ", " + matrix +
         ") -> " + first + "\n%1 = \"torch.aten.mm\"(%y, %w) : (" + second +
         ", " + matrix + ") -> " + second + "\n\"func.return\"(%0) : (" +
         first +
         ") -> ()\n}) : () -> ()\n}) : "
         "() -> ()\n";
}

TEST(Lowered, OpenSizesTellNoProducts) {
  auto matchProduct = [](const std::string &shapes, StringRef left) {
    Profile profile;
    addCall(profile, "aten::mm", shapes);
    addCall(profile, "graph_0_cpp_fused_relu_0");
    return matchFirst(profile, makeProducts(left)).ops;
  };
  EXPECT_EQ(matchProduct("[[1,8],[8,8]]", "[1,8]"), Ops{2});
  EXPECT_EQ(matchProduct("[[2,8],[8,8]]", "[1,8]"), Ops{3});
  // (-1) * (-1) rows are not one row.
  EXPECT_EQ(matchProduct("[[1,8],[8,8]]", "[?,?,8]"), Ops());
  EXPECT_EQ(matchProduct("[[2,8],[8,8]]", "[?,8]"), Ops());
  // Nor are 2^64 + 1.
  EXPECT_EQ(matchProduct("[[1,8],[8,8]]", "[274177,67280421310721,8]"), Ops());
}

TEST(Lowered, CopiesAreWorkOfKernels) {
  Profile profile;
  addCall(profile, "graph_0_cpp_fused_relu_repeat_0");
  Match match = matchFirst(profile, R"("builtin.module"() ({
"func.func"() <{function_type = (!torch.vtensor<[4,8],f32>, !torch.list<int>) -> (), sym_name = "main"}> ({
^bb0(%x: !torch.vtensor<[4,8],f32>, %l: !torch.list<int>):
  %0 = "torch.aten.relu"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.aten.repeat"(%0, %l) : (!torch.vtensor<[4,8],f32>, !torch.list<int>) -> !torch.vtensor<[8,8],f32>
  %2 = "torch.aten.repeat"(%1, %l) : (!torch.vtensor<[8,8],f32>, !torch.list<int>) -> !torch.vtensor<[16,8],f32>
  "func.return"() : () -> ()
}) : () -> ()
}) : () -> ()
)");
  EXPECT_EQ(match.matchClass, MatchClass::Partial);
  EXPECT_EQ(match.unmatched, std::vector<std::string>{"repeat"});
}

TEST(Lowered, NodesStayMatchedInWhatIsNot) {
  Profile profile = makeCalls({"Torch-Compiled Region: 0/0", "aten::mm",
                               "aten::mm", "graph_0_cpp_fused_relu_0"});
  for (OpKey *key : {&profile.opKeys[1], &profile.opKeys[2]})
    getCall(*key).callers = {profile.opKeys[0].op};
  getCall(profile.opKeys[1]).graphNode = "mm_1";
  std::vector<Match> matches =
      matchAll(profile, makeTorchChain({"aten.mm"}, "\"mm_1\""));
  EXPECT_EQ(matches[1].tier, MatchTier::LocationPath);
  EXPECT_EQ(matches[1].ops, Ops{2});
  EXPECT_EQ(matches[2].ops, Ops());
}

TEST(Lowered, KernelsAreCountedWhereTheyAreMatched) {
  Profile profile =
      makeCalls({"aten::linear", "aten::addmm", "graph_0_cpp_fused_relu_0"});
  getCall(profile.opKeys[1]).callers = {"aten::linear"};
  EXPECT_EQ(matchAll(profile, makeTorchChain({"aten.addmm"}))[1].ops, Ops{2});
}

//===----------------------------------------------------------------------===//
// Nodes without a name
//===----------------------------------------------------------------------===//

TEST(Lowered, NamedNodesAreNotThoseWithout) {
  auto matchNode = [](StringRef attributes) {
    Profile profile;
    addKey(profile, OpKey("Tanh_0", "Tanh", OnnxNodeKey()));
    return matchFirst(
               profile,
               ("\"builtin.module\"() ({\n\"func.func\"() <{function_type = "
                "(tensor<4xf32>) -> (), sym_name = \"main\"}> ({\n^bb0(%x: "
                "tensor<4xf32>):\n%0 = \"onnx.Tanh\"(%x) " +
                attributes +
                " : (tensor<4xf32>) -> tensor<4xf32> loc(unknown)\n"
                "\"func.return\"() : () -> ()\n}) : () -> ()\n}) : () -> "
                "()\n")
                   .str())
        .ops;
  };
  EXPECT_EQ(matchNode("{onnx_node_name = \"first\"}"), Ops());
  EXPECT_EQ(matchNode("{onnx_node_name = \"\"}"), Ops{2});
  EXPECT_EQ(matchNode(""), Ops{2});
}

} // namespace
