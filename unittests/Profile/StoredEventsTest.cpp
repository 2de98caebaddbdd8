//===- StoredEventsTest.cpp - Reading profiles without events -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProfiles.h"
#include "mlir-prof/Profile/ProfileFile.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

std::string writeError(const Profile &profile) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::Error error = writeProfile(profile, os);
  return error ? llvm::toString(std::move(error)) : "";
}

TEST(StoredEvents, AreLeftOutOnRequest) {
  Profile profile = makeFixedProfile();
  ASSERT_EQ(profile.runs[0].kept.size(), 3u);
  std::string bytes = toBytes(profile);
  auto read = readProfile(bytes, "f", StoredEvents::LeaveOut);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_TRUE(read->runs[0].kept.empty());
  EXPECT_TRUE(leavesOutEvents(*read));
  EXPECT_TRUE(hasKeptEvents(*read));
  EXPECT_EQ(read->runs[0].ops.size(), profile.runs[0].ops.size());
  EXPECT_EQ(read->strings, profile.strings);
  // Nothing may be lost by writing it.
  EXPECT_NE(writeError(*read), "");

  auto whole = readProfile(bytes, "f");
  ASSERT_TRUE(bool(whole)) << llvm::toString(whole.takeError());
  EXPECT_FALSE(leavesOutEvents(*whole));
  EXPECT_TRUE(hasKeptEvents(*whole));
  dropEvents(*whole);
  EXPECT_TRUE(leavesOutEvents(*whole));
  EXPECT_NE(writeError(*whole), "");
}

TEST(StoredEvents, AreNotMissedWithoutAny) {
  Profile profile = makeFixedProfile();
  for (auto &run : profile.runs)
    run.kept = {};
  auto read = readProfile(toBytes(profile), "f", StoredEvents::LeaveOut);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_FALSE(hasKeptEvents(*read));
  EXPECT_EQ(toBytes(*read), toBytes(profile));
  dropEvents(*read);
  EXPECT_FALSE(leavesOutEvents(*read));
}

TEST(StoredEvents, AreCheckedByTheirChecksum) {
  Profile profile = makeFixedProfile();
  std::vector<RawSection> sections = parseFile(toBytes(profile));
  size_t before = 0;
  for (const RawSection &section : sections) {
    if (section.type == 7)
      break;
    before += section.payload.size() + 24;
  }
  std::string bytes = toBytes(profile);
  // Within the payload of the section of events, after the file's header.
  bytes[12 + before + 16] ^= 1;
  auto read = readProfile(bytes, "f", StoredEvents::LeaveOut);
  ASSERT_FALSE(bool(read));
  EXPECT_NE(llvm::toString(read.takeError()).find("checksum"),
            std::string::npos);
}

} // namespace
