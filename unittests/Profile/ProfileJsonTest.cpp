//===- ProfileJsonTest.cpp - The JSON form of profiles --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProfiles.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/Support/JSON.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

std::string errorOf(llvm::StringRef json) {
  llvm::Expected<Profile> profile = readProfileJson(json, "f.json");
  EXPECT_FALSE(bool(profile)) << json.str();
  return profile ? "" : llvm::toString(profile.takeError());
}

bool contains(llvm::StringRef text, llvm::StringRef part) {
  return text.contains(part);
}

TEST(ProfileJson, GivesTheSameBinaryBack) {
  std::mt19937_64 random(3);
  for (unsigned i = 0; i != 50; ++i) {
    Profile profile = i ? makeRandomProfile(random) : makeFixedProfile();
    std::string json = toJson(profile);
    EXPECT_TRUE(isProfileJson(json));
    llvm::Expected<Profile> again = readProfileJson(json, "f.json");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(toBytes(*again), toBytes(profile));
    EXPECT_EQ(toJson(*again), json);
  }
}

/// The proto3 mapping, read with another parser.
TEST(ProfileJson, FollowsTheMapping) {
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(toJson(makeFixedProfile()));
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &top = *json->getAsObject();
  EXPECT_EQ(top.getString("schema"), "mlir-prof.profile/1");
  const llvm::json::Object &key = *(*top.getArray("opKeys"))[0].getAsObject();
  EXPECT_EQ(key.getString("kind"), "FRAMEWORK_NODE");
  const llvm::json::Object &run = *(*top.getArray("runs"))[0].getAsObject();
  EXPECT_EQ(run.getString("opInflightPs"), "150");
  EXPECT_EQ(run.getObject("clock")->getString("anchorNs"),
            "1700000000000000000");
  EXPECT_EQ(run.getObject("clock")->getBoolean("hasAnchor"), true);
  EXPECT_EQ(run.getObject("machine")->getInteger("threads"), 8);
  // (10^12)^2 + 5^2 = 54210 * 2^64 + 2003764205206896665.
  const llvm::json::Object &total =
      *(*run.getArray("events"))[0].getAsObject()->getObject("total");
  EXPECT_EQ(total.getString("sumSquaresHigh"), "54210");
  EXPECT_EQ(total.getString("sumSquaresLow"), "2003764205206896665");
  EXPECT_EQ(total.getString("sum"), "1000000000005");
  const llvm::json::Object &ir = *(*top.getArray("irModules"))[0].getAsObject();
  EXPECT_EQ(ir.getString("bytecode"), "TUzvUgABAg==");
}

TEST(ProfileJson, TakesNumbersAndProtoNamesToo) {
  llvm::Expected<Profile> profile = readProfileJson(
      R"( { "schema" : "mlir-prof.profile/1", "op_keys": [{"kind": 0,
        "program_id": -5, "has_program_id": true, "op": "x", "kernel": null}], "runs":
        [{"hash": "00112233445566778899aabbccddeeff", "ops": [{"op": "0",
        "firstBeginPs": 9007199254740993, "measurements": [{"quantity":
        "BYTES", "summary": {"count": 1, "histogramCounts": [1]}}]}]}]})",
      "f.json");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  ASSERT_TRUE(profile->opKeys[0].is<HloInstructionKey>());
  EXPECT_EQ(profile->opKeys[0].get<HloInstructionKey>().programId, -5);
  EXPECT_EQ(profile->runs[0].ops[0].firstBeginPs, 9007199254740993);
  EXPECT_EQ(profile->runs[0].ops[0].measurements[0].quantity, Quantity::Bytes);
}

TEST(ProfileJson, SaysWhatIsWrong) {
  EXPECT_TRUE(contains(errorOf(""), "malformed JSON"));
  EXPECT_TRUE(contains(errorOf("[]"), "must be an object"));
  EXPECT_TRUE(contains(errorOf("{}"), "schema"));
  EXPECT_TRUE(
      contains(errorOf(R"({"schema": "mlir-prof.profile/2"})"), "profile/2"));
  std::string head = R"({"schema": "mlir-prof.profile/1", )";
  EXPECT_TRUE(
      contains(errorOf(head + R"("opKeyz": []})"), "opKeyz is unknown"));
  EXPECT_TRUE(contains(errorOf(head + R"("runs": [{"clock": {"name": 1}}]})"),
                       "runs.clock.name must be a string"));
  for (const char *wrong :
       {R"("opKeys": {}})", R"("opKeys": [1]})",
        R"("opKeys": [{"kind": "NONE"}]})", R"("opKeys": [{"kind": 256}]})",
        R"("opKeys": [{"kind": -1}]})", R"("opKeys": [{"programId": 0.5}]})",
        R"("opKeys": [{"programId": "9223372036854775808"}]})",
        R"("opKeys": [{"programId": "1x"}]})",
        R"("opKeys": [{"hasModule": 1}]})", R"("minor": 65536})",
        R"("minor": -1})", R"("strings": [1]})",
        R"("irModules": [{"bytecode": "?"}]})",
        R"("runs": [{"ops": [{"op": 0}]}]})",
        R"("unknownSections": [{"type": 6}]})",
        R"("unknownFields": [{"path": [7, 0], "fields": "/w=="}]})",
        // A known field, and a field of a message that does not exist.
        R"("unknownFields": [{"path": [], "fields": "CgF4"}]})",
        R"("unknownFields": [{"path": [7, 0], "fields": "8gYBeA=="}]})"})
    EXPECT_TRUE(contains(errorOf(head + wrong), "hint: ")) << wrong;
}

TEST(ProfileJson, NoticesTruncationAtEveryByte) {
  std::string json = toJson(makeFixedProfile());
  for (size_t size = 0; size + 2 < json.size(); ++size)
    EXPECT_NE(errorOf(llvm::StringRef(json).take_front(size)), "");
}

TEST(ProfileJson, SurvivesDamage) {
  std::mt19937_64 random(4);
  std::string good = toJson(makeFixedProfile());
  for (unsigned i = 0; i != 5000; ++i) {
    std::string json = good;
    json[random() % json.size()] = "0123456789\",:{}[]-exa"[random() % 21];
    llvm::Expected<Profile> profile = readProfileJson(json, "f.json");
    if (!profile) {
      llvm::consumeError(profile.takeError());
      continue;
    }
    std::string bytes = toBytes(*profile);
    llvm::Expected<Profile> again = readProfile(bytes, "f.mlprof");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(toBytes(*again), bytes);
  }
}

TEST(ProfileJson, RefusesDeepNesting) {
  std::string json =
      R"({"schema": "mlir-prof.profile/1", "hloModules": [{"instructions":)"
      R"( [{"shape": )";
  for (unsigned i = 0; i != 200; ++i)
    json += R"({"tuple": [)";
  for (unsigned i = 0; i != 200; ++i)
    json += "]}";
  EXPECT_TRUE(contains(errorOf(json + "}]}]}"), "nests too deep"));
}

} // namespace
