//===- CallsTest.cpp - PyTorch's ops onto the module ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against expected.json, which test/recordings/torch/reference.py computed from
// the same files with Python's json and torch-mlir's bindings.
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "mlir-prof/Import/Importer.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::test;

namespace {

struct Joined {
  Profile profile;
  Ownership ownership;
  Attribution times;
  llvm::json::Object join;
};

Joined join(const std::string &name, llvm::StringRef module) {
  Joined joined;
  std::string folder = "torch/" + name;
  llvm::Expected<Profile> profile =
      importProfile(getPath(folder, "trace.json.gz"));
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return joined;
  }
  joined.profile = std::move(*profile);
  LoadedModule loaded = loadModule(getPath(folder, module));
  if (!loaded.root)
    return joined;
  joined.ownership = match(joined.profile, *loaded.root);
  joined.times = attribute(joined.profile, joined.ownership);
  llvm::json::Object expected = loadExpected(folder);
  if (const llvm::json::Object *found = expected.getObject("join"))
    joined.join = *found;
  return joined;
}

/// Each op of the torch dialect has exactly the time of the calls that the
/// reference found for it. Positions are in the function's only block: the
/// module and the function stand before it.
void expectSameOps(const Joined &joined) {
  const llvm::json::Array *rows = joined.join.getArray("pre");
  ASSERT_NE(rows, nullptr);
  int64_t joinedPs = 0;
  std::map<size_t, int64_t> expected;
  for (const llvm::json::Value &row : *rows) {
    size_t op = size_t(*row.getAsObject()->getInteger("index")) + 2;
    ASSERT_LT(op, joined.ownership.ops.size());
    EXPECT_EQ(joined.ownership.ops[op].op, *row.getAsObject()->getString("op"));
    expected[op] = *row.getAsObject()->getInteger("total_ns") * 1000;
    joinedPs += expected[op];
  }
  for (size_t op = 0; op < joined.times.ops.size(); ++op)
    EXPECT_EQ(joined.times.ops[op].solePs, expected[op]) << op;
  const Coverage &coverage = joined.times.coverage;
  EXPECT_EQ(coverage.uniquePs, joinedPs);
  EXPECT_EQ(coverage.opTimePs,
            *joined.join.getInteger("cpu_op_self_ns") * 1000);
  EXPECT_EQ(coverage.unmatchedPs, coverage.opTimePs - joinedPs);
}

TEST(Calls, Eager) {
  for (const char *name :
       {"mlp-eager", "cnn-eager", "encoder-eager", "mlp-noise"}) {
    SCOPED_TRACE(name);
    expectSameOps(join(name, "model.generic.mlir"));
  }
}

TEST(Calls, Training) {
  expectSameOps(join("train-eager", "model.generic.mlir"));
}

TEST(Calls, NamesOfNodesAreExact) {
  Joined joined = join("cnn-fxnode", "model.named.generic.mlir");
  expectSameOps(joined);
  for (size_t i = 0; i < joined.profile.opKeys.size(); ++i) {
    EXPECT_FALSE(joined.profile.opKeys[i].call.graphNode.empty());
    EXPECT_EQ(joined.ownership.matches[i].tier, MatchTier::LocationPath);
  }
  // Without names order says the same.
  expectSameOps(join("cnn-fxnode", "model.generic.mlir"));
}

TEST(Calls, SaysByWhatEvidence) {
  // Nothing but order tells two equal blocks apart; shapes tell convolutions.
  Joined encoder = join("encoder-eager", "model.generic.mlir");
  int64_t byOrder = 0;
  for (const OpSummary &op : encoder.profile.runs[0].ops)
    if (encoder.ownership.matches[op.op].tier == MatchTier::ExecutionOrder)
      byOrder += op.getTimePs();
  EXPECT_EQ(byOrder, encoder.times.coverage.opTimePs);
  Joined cnn = join("cnn-eager", "model.generic.mlir");
  for (const Match &match : cnn.ownership.matches)
    EXPECT_NE(match.tier, MatchTier::ExecutionOrder);
}

/// Kernels of torch.compile, by the reference through inductor's own
/// provenance.
void expectSameKernels(const Joined &joined) {
  const llvm::json::Array *rows = joined.join.getArray("kernels");
  ASSERT_NE(rows, nullptr);
  // Of a kernel, the ops together.
  std::map<std::vector<uint32_t>, int64_t> expected, found;
  for (const llvm::json::Value &row : *rows) {
    std::vector<uint32_t> ops;
    for (const llvm::json::Value &op : *row.getAsObject()->getArray("pre"))
      ops.push_back(uint32_t(*op.getAsInteger()) + 2);
    expected[ops] += *row.getAsObject()->getInteger("total_ns") * 1000;
  }
  std::vector<OpSummary> measured = mergeRuns(joined.profile);
  for (size_t i = 0; i < measured.size(); ++i)
    if (!joined.ownership.matches[i].ops.empty())
      found[joined.ownership.matches[i].ops] += measured[i].getTimePs();
  EXPECT_EQ(found, expected);
}

TEST(Calls, CompiledKernels) {
  expectSameKernels(join("mlp-compile", "model.generic.mlir"));
  expectSameKernels(join("cnn-compile", "model.generic.mlir"));
}

/// On linalg of the same export: what the ops of one line of the source have
/// together is what its calls took.
void expectSameLines(const Joined &joined) {
  std::map<int64_t, int64_t> expected, found;
  for (const llvm::json::Value &row : *joined.join.getArray("pre")) {
    const llvm::json::Array &frames = *row.getAsObject()->getArray("loc");
    int64_t line = *(*frames.back().getAsArray())[1].getAsInteger();
    expected[line] += *row.getAsObject()->getInteger("total_ns") * 1000;
  }
  for (size_t op = 0; op < joined.times.ops.size(); ++op)
    if (int64_t total = joined.times.ops[op].totalPs())
      found[joined.ownership.ops[op].line] += total;
  EXPECT_EQ(found, expected);
  EXPECT_EQ(joined.times.coverage.unmatchedPs, 0);
}

/// On the module after torch-mlir's default decompositions: a call has exactly
/// the ops that its node of the graph was taken apart into.
void expectSameGroups(const Joined &joined) {
  const llvm::json::Array *groups = joined.join.getArray("default_groups");
  ASSERT_NE(groups, nullptr);
  std::map<std::vector<uint32_t>, int64_t> expected, found;
  for (const llvm::json::Value &group : *groups) {
    std::vector<uint32_t> ops;
    for (const llvm::json::Value &op :
         *group.getAsObject()->getArray("members"))
      ops.push_back(uint32_t(*op.getAsInteger()) + 2);
    expected[ops] += *group.getAsObject()->getInteger("total_ns") * 1000;
  }
  std::vector<OpSummary> measured = mergeRuns(joined.profile);
  for (size_t i = 0; i < measured.size(); ++i)
    found[joined.ownership.matches[i].ops] += measured[i].getTimePs();
  EXPECT_EQ(found, expected);
}

TEST(Calls, Decomposed) {
  for (const char *name : {"mlp-eager", "cnn-eager", "encoder-eager"}) {
    SCOPED_TRACE(name);
    expectSameGroups(join(name, "decomposed.generic.mlir"));
  }
}

TEST(Calls, Linalg) { expectSameLines(join("mlp-eager", "linalg.mlir")); }

TEST(Calls, LinalgNeedsWorkOfTheKind) {
  Joined joined = join("cnn-eager", "linalg.mlir");
  const Coverage &coverage = joined.times.coverage;
  // flatten moves nothing: no op of linalg is left of it.
  EXPECT_LT(coverage.unmatchedPs * 500, coverage.opTimePs);
  for (size_t i = 0; i < joined.profile.opKeys.size(); ++i)
    if (joined.ownership.matches[i].ops.empty())
      EXPECT_EQ(joined.profile.opKeys[i].call.callers.empty()
                    ? joined.profile.opKeys[i].op
                    : joined.profile.opKeys[i].call.callers.front(),
                "aten::flatten");
}

} // namespace
