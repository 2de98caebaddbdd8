//===- OnnxTest.cpp - Matching nodes of ONNX graphs with a module ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against expected.json, which utils/recordings/ort/reference.py computed from
// the same files with the onnx package and torch-mlir's bindings.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/Onnx.h"
#include "Recordings.h"
#include "mlir-prof/Import/Importer.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::importer;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using llvm::StringRef;

namespace {

/// The given models.
enum class Models { None, Original, Both };

struct Joined {
  Profile profile;
  Ownership ownership;
  Attribution times;

  const Match *find(StringRef op) const {
    for (size_t i = 0; i != profile.opKeys.size(); ++i)
      if (profile.opKeys[i].op == op)
        return &ownership.matches[i];
    ADD_FAILURE() << "no op " << op.str();
    return nullptr;
  }
};

Joined join(const std::string &name, Models models,
            StringRef module = "model.generic.mlir",
            StringRef onnx = "model.onnx.gz") {
  Joined joined;
  std::string folder = "ort/" + name;
  auto profile = importProfile(getPath(folder, "trace.json.gz"));
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return joined;
  }
  joined.profile = std::move(*profile);
  if (models != Models::None) {
    auto counts = addOnnxOrigins(
        joined.profile, getPath(folder, onnx),
        models == Models::Both ? getPath(folder, "optimized.onnx.gz") : "");
    if (counts)
      EXPECT_NE(counts->found, 0u);
    else
      ADD_FAILURE() << llvm::toString(counts.takeError());
  }
  LoadedModule loaded = loadModule(getPath(folder, module));
  if (!loaded.root)
    return joined;
  joined.ownership = matchProfile(joined.profile, *loaded.root);
  joined.times = attribute(joined.profile, joined.ownership);
  return joined;
}

class OnnxRecordings : public testing::TestWithParam<const char *> {};

} // namespace

/// With both models each node has exactly the ops that the reference found, and
/// all time has an owner. Positions are in the function's only block, after the
/// module and the function.
TEST_P(OnnxRecordings, SameOps) {
  Joined joined = join(GetParam(), Models::Both);
  llvm::json::Object expected = loadExpected(std::string("ort/") + GetParam());
  const llvm::json::Object *found = expected.getObject("join");
  ASSERT_NE(found, nullptr);
  std::map<std::string, int64_t> times;
  for (const llvm::json::Value &value : *found->getArray("rows")) {
    const llvm::json::Object &row = *value.getAsObject();
    std::string kind = row.getString("kind")->str();
    const Match *match = joined.find(*row.getString("name"));
    ASSERT_NE(match, nullptr);
    std::vector<uint32_t> ops;
    for (const llvm::json::Value &op : *row.getArray("mlir"))
      ops.push_back(uint32_t(*op.getAsInteger()) + 2);
    EXPECT_EQ(match->ops, ops) << row.getString("name")->str();
    EXPECT_EQ(match->matchClass,
              ops.size() == 1 ? MatchClass::Unique : MatchClass::Fused);
    EXPECT_EQ(match->tier, kind == "cluster-helper" ? MatchTier::Neighborhood
                                                    : MatchTier::LocationPath);
    EXPECT_EQ(match->unmatched.size(), 0u);
    times[ops.size() == 1 ? "one" : "set"] +=
        *row.getInteger("total_ns") * 1000;
  }
  const Coverage &coverage = joined.times.coverage;
  EXPECT_EQ(coverage.opTimePs, *expected.getInteger("node_total_ns") * 1000);
  EXPECT_EQ(coverage.uniquePs, times["one"]);
  EXPECT_EQ(coverage.fusedPs, times["set"]);
  EXPECT_EQ(coverage.partialPs + coverage.unmatchedPs + coverage.ambiguousPs,
            0);
}

INSTANTIATE_TEST_SUITE_P(Onnx, OnnxRecordings,
                         testing::Values("mlp-disable", "mlp-basic", "mlp-all",
                                         "cnn-disable", "cnn-basic", "cnn-all",
                                         "encoder-basic"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Without optimization, names suffice.
TEST(Onnx, NamesWithoutModels) {
  for (const char *name : {"mlp-disable", "mlp-basic", "cnn-disable"}) {
    Joined joined = join(name, Models::None);
    EXPECT_EQ(joined.times.coverage.uniquePs, joined.times.coverage.opTimePs);
    for (const Match &match : joined.ownership.matches)
      EXPECT_EQ(match.reason, "");
  }
}

/// An unchanged name may hide a fusion. Nodes that need only weights were
/// computed before.
TEST(Onnx, HiddenFusionsAreWarnedOf) {
  for (Models models : {Models::None, Models::Original}) {
    Joined joined = join("cnn-basic", models);
    EXPECT_EQ(joined.times.coverage.uniquePs, joined.times.coverage.opTimePs);
    std::map<std::string, std::string> reasons;
    for (auto [key, match] :
         llvm::zip(joined.profile.opKeys, joined.ownership.matches))
      if (!match.reason.empty())
        reasons[key.op] = match.reason;
    EXPECT_EQ(reasons.size(), 2u);
    EXPECT_EQ(reasons["/conv1/Conv"],
              "may include the work of /bn1/BatchNormalization, which does "
              "not have its own event; --onnx-optimized shows it");
    EXPECT_NE(reasons["/block2/block2.0/Conv"].find(
                  "/block2/block2.1/BatchNormalization,"),
              std::string::npos);
  }
  for (const Match &match : join("cnn-basic", Models::Both).ownership.matches)
    EXPECT_EQ(match.reason, "");
}

TEST(Onnx, NamesOfTheOptimizerNeedItsModel) {
  Joined joined = join("cnn-all", Models::None);
  const Match *match = joined.find("/Relu_output_0_nchwc");
  EXPECT_EQ(match->matchClass, MatchClass::Unmatched);
  EXPECT_EQ(
      match->reason,
      "the module does not have an op named /Relu_output_0_nchwc, and no model "
      "(--onnx, --onnx-optimized) says what it was made of");
}

/// A fusion's time goes to its nodes by their costs; copies of weights were
/// made before.
TEST(Onnx, FusionsAreSplitByCost) {
  Joined joined = join("cnn-basic", Models::Both);
  const Match *match = joined.find("/conv1/Conv");
  constexpr uint64_t kOut = 4 * 16 * 64 * 64;
  // Two copies, the convolution (3 by 3 of 3 channels), the normalization.
  EXPECT_EQ(match->weights,
            (std::vector<uint64_t>{0, 0, 2 * kOut * 27, 8 * kOut}));
  const Match *gemm = joined.find("/head/Gemm");
  EXPECT_EQ(gemm->weights, (std::vector<uint64_t>{2 * 4 * 10 * 8192}));
  EXPECT_EQ(joined.find("/Flatten")->weights, std::vector<uint64_t>{0});
}

/// The module may be the optimized model's, too.
TEST(Onnx, OntoTheOptimizedModel) {
  for (Models models : {Models::None, Models::Both}) {
    Joined joined = join("cnn-all", models, "optimized.generic.mlir");
    EXPECT_EQ(joined.times.coverage.uniquePs, joined.times.coverage.opTimePs);
    EXPECT_NE(joined.times.coverage.opTimePs, 0);
  }
}

/// A lowered module has several ops for some nodes, and none for others; a
/// fusion has the ops of all its nodes.
TEST(Onnx, OntoALoweredModule) {
  Joined joined = join("cnn-basic", Models::Both, "linalg.mlir");
  const Match *match = joined.find("/conv1/Conv");
  ASSERT_NE(match, nullptr);
  EXPECT_EQ(match->names,
            (std::vector<std::string>{"/bn1/BatchNormalization", "/conv1/Conv",
                                      "Identity_2", "Identity_3"}));
  // The copies of weights were folded when the module was lowered.
  EXPECT_EQ(match->unmatched,
            (std::vector<std::string>{"Identity_2", "Identity_3"}));
  std::map<std::string, uint64_t> ops;
  for (uint32_t op : match->ops)
    ++ops[joined.ownership.ops[op].op];
  EXPECT_EQ(ops["linalg.conv_2d_nchw_fchw"], 1u);
  EXPECT_GT(ops["linalg.generic"], 0u);
  EXPECT_EQ(joined.times.coverage.unmatchedPs, 0);
}

/// Names with any character, nodes without one, and nodes in nodes. Both
/// branches of the If hold an "inner".
TEST(Onnx, OddNames) {
  Joined joined =
      join("odd-names", Models::Original, "model.generic.mlir", "model.onnx");
  auto getOps = [&](StringRef name) { return joined.find(name)->ops; };
  using Ops = std::vector<uint32_t>;
  // The constant of the importer comes first, then ten times Tanh.
  EXPECT_EQ(getOps("plain"), Ops{3});
  EXPECT_EQ(getOps("with \"quotes\""), Ops{4});
  EXPECT_EQ(getOps("new\nline"), Ops{7});
  EXPECT_EQ(getOps("Tanh_8"), Ops{11});
  EXPECT_EQ(joined.find("Tanh_8")->tier, MatchTier::ExecutionOrder);
  EXPECT_EQ(getOps("if"), Ops{14});
  EXPECT_EQ(getOps("if/inner").size(), 2u);
  EXPECT_EQ(joined.find("if/inner")->matchClass, MatchClass::Ambiguous);
  EXPECT_EQ(getOps("loop/inner").size(), 1u);
  EXPECT_EQ(joined.find("loop/inner")->matchClass, MatchClass::Unique);
  EXPECT_EQ(joined.ownership.ops[getOps("loop/inner")[0]].parent,
            getOps("loop")[0]);
  EXPECT_EQ(joined.times.coverage.unmatchedPs, 0);
  // Without the model it is identified as the only nameless Tanh of the module.
  Joined alone = join("odd-names", Models::None);
  EXPECT_EQ(alone.find("Tanh_8")->ops, Ops{11});
  EXPECT_EQ(alone.find("Tanh_8")->tier, MatchTier::ExecutionOrder);
}
