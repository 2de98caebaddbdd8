//===- RecordingsTest.cpp - Real profiles in both forms -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProfiles.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/File.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

class Recordings : public testing::TestWithParam<const char *> {
protected:
  Profile import(KeepEvents keep) {
    ImportOptions options;
    options.keep = std::move(keep);
    llvm::Expected<Profile> profile =
        importProfile(std::string(MLIRPROF_TEST_DIR "/data/recordings/") +
                          GetParam() + "/xplane.pb",
                      options);
    if (profile)
      return std::move(*profile);
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return Profile();
  }
};

TEST_P(Recordings, SurviveBothForms) {
  Profile profile = import({KeepEvents::Mode::All, {}});
  ASSERT_EQ(profile.runs.size(), 1u);
  EXPECT_FALSE(profile.runs[0].kept.empty());
  EXPECT_FALSE(profile.opKeys.empty());
  std::string bytes = toBytes(profile);
  llvm::Expected<Profile> again = readProfile(bytes, "f.mlprof");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(toBytes(*again), bytes);
  EXPECT_EQ(again->runs[0].kept.beginPs, profile.runs[0].kept.beginPs);
  std::vector<OpSummary> before = mergeRuns(profile), after = mergeRuns(*again);
  ASSERT_EQ(after.size(), before.size());
  for (size_t op = 0; op != before.size(); ++op) {
    EXPECT_EQ(after[op].getTimePs(), before[op].getTimePs());
    EXPECT_EQ(after[op].firstBeginPs, before[op].firstBeginPs);
  }
  std::string json = toJson(profile);
  llvm::Expected<Profile> fromJson = readProfileJson(json, "f.json");
  ASSERT_TRUE(bool(fromJson)) << llvm::toString(fromJson.takeError());
  EXPECT_EQ(toBytes(*fromJson), bytes);
}

TEST_P(Recordings, MergeWithThemselvesUnchanged) {
  Profile profile = import({}), detailed = import({KeepEvents::Mode::All, {}});
  llvm::Expected<Profile> merged = mergeProfiles({&profile, &detailed});
  ASSERT_TRUE(bool(merged)) << llvm::toString(merged.takeError());
  llvm::Expected<Profile> alone = mergeProfiles(&detailed);
  ASSERT_TRUE(bool(alone)) << llvm::toString(alone.takeError());
  EXPECT_EQ(toBytes(*merged), toBytes(*alone));
}

INSTANTIATE_TEST_SUITE_P(All, Recordings,
                         testing::Values("jax/cnn", "jax/dp-2dev", "jax/enc",
                                         "jax/loop", "jax/mlp", "jax/train",
                                         "tf/cnn", "tf/enc-xla", "tf/loop",
                                         "tf/loop-xla", "tf/mixed",
                                         "tf/train-xla"));

} // namespace
