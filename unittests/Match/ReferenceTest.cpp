//===- ReferenceTest.cpp - The reference rule on all recordings -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

class ReferenceTest : public testing::TestWithParam<std::string> {};

/// Sole and shared time by op, of ops that have any.
using Times = std::map<uint32_t, std::pair<int64_t, int64_t>>;

Times getExpectedTimes(const llvm::json::Object &expected) {
  Times times;
  for (const llvm::json::Value &value :
       *expected.getObject("mlir")->getArray("by_op")) {
    const llvm::json::Object &op = *value.getAsObject();
    times[uint32_t(*op.getInteger("id"))] = {*op.getInteger("exclusive_ps"),
                                             *op.getInteger("shared_ps")};
  }
  return times;
}

Times getTimes(const Attribution &attribution, const Ownership &ownership) {
  std::set<uint32_t> joined;
  for (const Match &match : ownership.matches)
    joined.insert(match.ops.begin(), match.ops.end());
  Times times;
  for (uint32_t op : joined)
    times[op] = {attribution.ops[op].solePs, attribution.ops[op].sharedPs};
  return times;
}

std::map<std::string, int64_t>
getExpectedCoverage(const llvm::json::Object &expected) {
  std::map<std::string, int64_t> result;
  for (const auto &[name, value] :
       *expected.getObject("coverage")->getObject("by_class_ps"))
    if (*value.getAsInteger() != 0)
      result[name.str()] = *value.getAsInteger();
  return result;
}

std::map<std::string, int64_t> getCoverage(const Coverage &coverage) {
  std::map<std::string, int64_t> result;
  auto add = [&](const char *name, int64_t time) {
    if (time != 0)
      result[name] = time;
  };
  add("one", coverage.uniquePs);
  add("one_name", coverage.ambiguousPs);
  add("set", coverage.fusedPs);
  add("partial", coverage.partialPs);
  add("none", coverage.unmatchedPs);
  return result;
}

std::set<uint32_t> getIds(const llvm::json::Object &row) {
  std::set<uint32_t> ids;
  if (const llvm::json::Array *ops = row.getArray("mlir_ops"))
    for (const llvm::json::Value &op : *ops)
      ids.insert(uint32_t(*op.getAsInteger()));
  return ids;
}

std::string getText(const llvm::json::Object &row, StringRef key) {
  return row.getString(key).value_or("").str();
}

/// Position of an op key, or kNone.
uint32_t findKey(const Profile &profile, StringRef module, StringRef op,
                 std::optional<int64_t> program, StringRef kernel) {
  for (uint32_t i = 0; i < profile.opKeys.size(); ++i) {
    const OpKey &key = profile.opKeys[i];
    KeyTraits traits = getKeyTraits(key);
    if (key.op == op && traits.module.value_or("") == module &&
        key.kernel == kernel && traits.programId == program)
      return i;
  }
  return kNone;
}

/// The name of a class in expected.json.
StringRef getExpectedName(MatchClass matchClass) {
  switch (matchClass) {
  case MatchClass::Unique:
    return "one";
  case MatchClass::Ambiguous:
    return "one_name";
  case MatchClass::Fused:
    return "set";
  case MatchClass::Partial:
    return "partial";
  case MatchClass::Unmatched:
    return "none";
  }
  return "";
}

void expectJoin(const llvm::json::Object &row, const Match &match) {
  EXPECT_EQ(getExpectedName(match.matchClass), getText(row, "join"));
  EXPECT_EQ(std::set<uint32_t>(match.ops.begin(), match.ops.end()),
            getIds(row));
}

TEST_P(ReferenceTest, TimesAndCoverageAreExact) {
  Profile profile = loadProfile(GetParam());
  llvm::json::Object expected = loadExpected(GetParam());
  LoadedModule module = loadModule(getPath(GetParam(), "model.generic.mlir"));
  ASSERT_TRUE(module.root);
  Ownership ownership =
      matchProfile(profile, *module.root, {MatchRule::Reference});
  Attribution attribution = attribute(profile, ownership);
  EXPECT_EQ(int64_t(ownership.ops.size()),
            *expected.getObject("mlir")->getInteger("ops"));
  EXPECT_EQ(getTimes(attribution, ownership), getExpectedTimes(expected));
  EXPECT_EQ(getCoverage(attribution.coverage), getExpectedCoverage(expected));
  EXPECT_EQ(attribution.coverage.opTimePs,
            *expected.getObject("coverage")->getInteger("op_time_ps"));
}

TEST_P(ReferenceTest, JoinsAreExact) {
  Profile profile = loadProfile(GetParam());
  llvm::json::Object expected = loadExpected(GetParam());
  LoadedModule module = loadModule(getPath(GetParam(), "model.generic.mlir"));
  ASSERT_TRUE(module.root);
  Ownership ownership =
      matchProfile(profile, *module.root, {MatchRule::Reference});
  if (const llvm::json::Array *rows = expected.getArray("framework_ops"))
    for (const llvm::json::Value &value : *rows) {
      const llvm::json::Object &row = *value.getAsObject();
      SCOPED_TRACE(getText(row, "node"));
      uint32_t key = findKey(profile, "", getText(row, "node"), std::nullopt,
                             getText(row, "kernel"));
      ASSERT_NE(key, kNone);
      expectJoin(row, ownership.matches[key]);
      std::vector<std::string> members;
      for (const llvm::json::Value &member : *row.getArray("members"))
        members.push_back(member.getAsString()->str());
      EXPECT_EQ(ownership.matches[key].names, members);
    }
  if (const llvm::json::Array *rows = expected.getArray("hlo"))
    for (const llvm::json::Value &value : *rows) {
      const llvm::json::Object &row = *value.getAsObject();
      SCOPED_TRACE(getText(row, "instr"));
      uint32_t key =
          findKey(profile, getText(row, "module"), getText(row, "instr"),
                  row.getInteger("program_id"), getText(row, "kernel"));
      ASSERT_NE(key, kNone);
      expectJoin(row, ownership.matches[key]);
    }
}

std::string getTestName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Recordings, ReferenceTest,
                         testing::ValuesIn(getRecordings()), getTestName);

} // namespace
