//===- IreeTest.cpp - Matching dispatches of IREE with a module -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against expected.json, which utils/recordings/iree/record.py computed with
// IREE's own bindings, from a module that still has the body of each dispatch.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/Iree.h"
#include "Recordings.h"
#include "mlir-prof/Import/Importer.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::importer;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

Profile loadDispatches(const std::string &recording) {
  auto profile = importProfile(getPath("iree/" + recording, "profile.jsonl"));
  if (!profile) {
    ADD_FAILURE() << getMessage(profile.takeError());
    return {};
  }
  return std::move(*profile);
}

/// The ops of a module that do work, in order, as numbered by expected.json.
std::vector<uint32_t> getWorkOps(const Ownership &ownership) {
  std::vector<uint32_t> ops;
  for (uint32_t op = 0; op < ownership.ops.size(); ++op) {
    StringRef name = ownership.ops[op].op;
    if (name.starts_with("linalg.") && name != "linalg.fill" &&
        name != "linalg.yield" && name != "linalg.index")
      ops.push_back(op);
  }
  return ops;
}

class IreeRecordings : public testing::TestWithParam<const char *> {};

TEST_P(IreeRecordings, EachDispatchOwnsItsOps) {
  std::string recording = GetParam();
  Profile profile = loadDispatches(recording);
  auto counts =
      addDispatchSites(profile, getPath("iree/" + recording, "stream.mlir.gz"));
  ASSERT_TRUE(bool(counts)) << getMessage(counts.takeError());
  EXPECT_EQ(counts->found, counts->measured);
  EXPECT_EQ(counts->inTurn, 0u);
  LoadedModule module = loadModule(getPath("iree/" + recording, "model.mlir"));
  Ownership ownership = matchProfile(profile, module.root.get());
  std::vector<uint32_t> work = getWorkOps(ownership);

  llvm::json::Object expected = loadExpected("iree/" + recording);
  const llvm::json::Array &dispatches = *expected.getArray("dispatches");
  EXPECT_EQ(counts->measured, dispatches.size());
  int64_t seen = 0;
  for (const OpSummary &summary : profile.runs[0].ops) {
    const OpKey &key = profile.opKeys[summary.op];
    ASSERT_TRUE(key.is<DispatchKey>());
    const auto &dispatch = key.get<DispatchKey>();
    for (const llvm::json::Value &value : dispatches) {
      const llvm::json::Object &row = *value.getAsObject();
      if (row.getInteger("buffer") != dispatch.commandBuffer ||
          row.getInteger("place") != dispatch.ordinal)
        continue;
      ++seen;
      SCOPED_TRACE(key.op + " at " + row.getString("name")->str());
      EXPECT_EQ(key.op, *row.getString("function"));
      EXPECT_EQ(summary.getTimePs(), *row.getInteger("total_ns") * 1000);
      std::vector<int64_t> wanted, found;
      for (const llvm::json::Value &op : *row.getArray("ops"))
        wanted.push_back(*op.getAsInteger());
      for (uint32_t op : ownership.matches[summary.op].ops)
        for (size_t number = 0; number < work.size(); ++number)
          if (work[number] == op)
            found.push_back(int64_t(number));
      EXPECT_EQ(found, wanted);
      EXPECT_EQ(ownership.matches[summary.op].unmatched,
                std::vector<std::string>());
    }
  }
  EXPECT_EQ(seen, int64_t(dispatches.size()));
  Attribution times = attribute(profile, ownership);
  EXPECT_EQ(times.coverage.opTimePs, *expected.getInteger("total_ns") * 1000);
  EXPECT_EQ(times.coverage.unmatchedPs + times.coverage.partialPs, 0);
}

INSTANTIATE_TEST_SUITE_P(All, IreeRecordings,
                         testing::Values("layers", "loop", "alike", "sync",
                                         "transformer"),
                         [](const auto &info) { return info.param; });

/// The rest if only the second of two similar dispatches was measured.
TEST(IreeMatch, OtherPlaceWasNotMeasured) {
  Profile profile = loadDispatches("layers");
  auto counts =
      addDispatchSites(profile, getPath("iree/layers", "stream.mlir.gz"));
  ASSERT_TRUE(bool(counts)) << getMessage(counts.takeError());
  LoadedModule module = loadModule(getPath("iree/layers", "model.mlir"));
  for (OpKey &key : profile.opKeys)
    if (key.get<DispatchKey>().ordinal == 0)
      key.op = "another";
  Ownership ownership = matchProfile(profile, module.root.get());
  for (const auto &[number, key] : llvm::enumerate(profile.opKeys)) {
    const auto &dispatch = key.get<DispatchKey>();
    if (dispatch.ordinal != 1 || !dispatch.commandBuffer)
      continue;
    const Match &found = ownership.matches[number];
    ASSERT_EQ(found.ops.size(), 1u);
    EXPECT_EQ(ownership.ops[found.ops[0]].op, "linalg.matmul");
    EXPECT_EQ(ownership.ops[found.ops[0]].line, 17u);
    EXPECT_NE(found.reason.find("what was fused to it is not known"),
              std::string::npos);
  }
}

TEST(IreeMatch, AnotherModule) {
  Profile profile = loadDispatches("loop");
  auto counts =
      addDispatchSites(profile, getPath("iree/layers", "stream.mlir.gz"));
  ASSERT_FALSE(bool(counts));
  EXPECT_NE(getMessage(counts.takeError()).find("dispatches other functions"),
            std::string::npos);
}

} // namespace
