//===- ShortRunTest.cpp - Tests of runs that end before a sample ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Compile/CacheFolder.h"
#include "mlir-prof/Session/Record.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;

static constexpr llvm::StringLiteral kModel = R"mlir(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
)mlir";

/// A run without samples.
static Profile recordModel() {
  int descriptor;
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("model", "mlir", descriptor, path))
    return Profile();
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << kModel;
  RecordRequest request = getDefaultRecordRequest();
  request.run.iterations = 1;
  request.run.sampler = SamplerKind::None;
  request.measurePeak = false;
  auto profile = mlirprof::recordModel(path, request);
  llvm::sys::fs::remove(path);
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return Profile();
}

/// Adds a sample to the time of `key`.
static void addSample(Profile &profile, OpKey key) {
  Run &run = profile.runs.front();
  OpSummary &op = run.ops.emplace_back();
  op.op = uint32_t(profile.opKeys.size());
  profile.opKeys.push_back(std::move(key));
  op.get(Quantity::Self).add(1000000000);
}

static std::string open(Profile profile, std::string &notes) {
  OpenOptions options;
  options.onNote = [&](llvm::StringRef text) { notes += text.str(); };
  return llvm::toString(
      matchModule(std::move(profile), "short.mlprof", options).takeError());
}

TEST(ShortRunTest, OnlySampleIsOutsideTheModel) {
  test::CacheFolder cache;
  Profile profile = recordModel();
  ASSERT_EQ(profile.programs.size(), 1u);
  addSample(profile, makeOutsideKey("libc", OutsideKind::Outside));
  std::string notes;
  EXPECT_EQ(open(std::move(profile), notes), "");
  EXPECT_NE(notes.find("ended before the first sample in the model"),
            std::string::npos)
      << notes;
}

TEST(ShortRunTest, SamplesOfOtherCodeDoNotBelong) {
  test::CacheFolder cache;
  Profile profile = recordModel();
  ASSERT_EQ(profile.programs.size(), 1u);
  OpKey key;
  key.op = "other";
  addSample(profile, std::move(key));
  std::string notes;
  EXPECT_NE(open(std::move(profile), notes).find("does not belong"),
            std::string::npos);
}
