//===- XPlaneGpuTest.cpp - Devices of recordings by JAX -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expected.h"
#include "mlir-prof/Import/Importer.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

std::vector<std::string> getGpuRecordings() {
  std::vector<std::string> names;
  for (std::string &name : recordings())
    if (llvm::StringRef(name).starts_with("gpu/"))
      names.push_back(std::move(name));
  return names;
}

/// The work of a GPU, against numbers from the same file by other means.
class XPlaneGpu : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    expected = loadExpected(GetParam());
    auto imported = importProfile(recordingPath(GetParam(), "xplane.pb"));
    ASSERT_TRUE(bool(imported)) << llvm::toString(imported.takeError());
    profile = std::move(*imported);
  }
  const profile::Run &run() const { return profile.runs.front(); }
  const OpKey &key(const OpSummary &op) const { return profile.opKeys[op.op]; }

  Json expected;
  Profile profile;
};

void expectSummary(const Summary &found, const Json &expected) {
  EXPECT_EQ(int64_t(found.count), expected["count"].integer());
  EXPECT_EQ(found.sum, expected["total_ps"].integer());
  if (found.count) {
    EXPECT_EQ(found.min, expected["min_ps"].integer());
    EXPECT_EQ(found.max, expected["max_ps"].integer());
  }
}

TEST_P(XPlaneGpu, Devices) {
  std::vector<Json> devices = expected["devices"].list();
  ASSERT_EQ(run().devices.size(), devices.size());
  for (size_t i = 0; i != devices.size(); ++i) {
    const DeviceInfo &found = run().devices[i];
    const Json &device = devices[i];
    EXPECT_EQ("/device:GPU:" + std::to_string(found.number),
              device["name"].string());
    Json facts = device["facts"];
    EXPECT_EQ(found.name, facts["gpu_device_name"].string());
    EXPECT_EQ(int64_t(found.memoryBytes), facts["memory_size"].integer());
    EXPECT_EQ(int64_t(found.processors), facts["core_count"].integer());
    ASSERT_EQ(found.peaks.size(), 1u);
    EXPECT_EQ(int64_t(found.peaks.front().perSecond),
              facts["memory_bandwidth"].integer());
    EXPECT_EQ(found.busyPs, device["busy_ps"].integer());
    EXPECT_EQ(found.kernelBusyPs, device["kernel_busy_ps"].integer());
    EXPECT_EQ(found.copyBusyPs, device["copy_busy_ps"].integer());
    expectSummary(found.idle, device["idle"]);
  }
}

TEST_P(XPlaneGpu, Streams) {
  std::map<std::string, const TrackInfo *> found;
  for (const TrackInfo &track : run().tracks)
    if (track.device != kNone)
      found[track.name] = &track;
  for (const Json &stream : expected["streams"].list()) {
    const TrackInfo *track = found[stream["name"].string()];
    ASSERT_NE(track, nullptr);
    EXPECT_EQ(track->plane, stream["device"].string());
    EXPECT_EQ(int64_t(track->events), stream["events"].integer());
    EXPECT_EQ(track->busyPs, stream["busy_ps"].integer());
    EXPECT_TRUE(llvm::StringRef(track->name)
                    .starts_with("Stream #" + std::to_string(track->id)));
  }
  EXPECT_EQ(found.size(), expected["streams"].list().size());
}

TEST_P(XPlaneGpu, Kernels) {
  std::map<std::string, Summary> found;
  for (const OpSummary &op : run().ops) {
    if (key(op).work == profile::DeviceWork::None)
      continue;
    bool isOutside = key(op).is<OutsideKey>();
    found[isOutside ? key(op).op : key(op).kernel].merge(
        *op.find(Quantity::Execute));
  }
  for (const Json &kernel : expected["kernels"].list()) {
    SCOPED_TRACE(kernel["name"].string());
    expectSummary(found[kernel["name"].string()], kernel);
  }
  EXPECT_EQ(found.size(), expected["kernels"].list().size());
}

profile::DeviceWork getWork(llvm::StringRef direction) {
  return llvm::StringSwitch<profile::DeviceWork>(direction)
      .Case("MemcpyH2D", profile::DeviceWork::CopyToDevice)
      .Case("MemcpyD2H", profile::DeviceWork::CopyToHost)
      .Case("MemcpyD2D", profile::DeviceWork::CopyOnDevice)
      .Default(profile::DeviceWork::Other);
}

TEST_P(XPlaneGpu, Copies) {
  std::map<profile::DeviceWork, std::pair<Summary, Summary>> found;
  for (const OpSummary &op : run().ops)
    if (isCopy(key(op).work)) {
      found[key(op).work].first.merge(*op.find(Quantity::Execute));
      ASSERT_NE(op.find(Quantity::Bytes), nullptr);
      found[key(op).work].second.merge(*op.find(Quantity::Bytes));
    }
  for (const Json &copy : expected["copies"].list()) {
    const auto &[times, bytes] = found[getWork(copy["direction"].string())];
    EXPECT_EQ(int64_t(times.count), copy["count"].integer());
    EXPECT_EQ(times.sum, copy["total_ps"].integer());
    EXPECT_EQ(bytes.sum, copy["bytes"].integer());
  }
  EXPECT_EQ(found.size(), expected["copies"].list().size());
}

TEST_P(XPlaneGpu, Launches) {
  Summary latency, queue;
  for (const OpSummary &op : run().ops) {
    if (const Summary *own = op.find(Quantity::Launch))
      latency.merge(*own);
    if (const Summary *own = op.find(Quantity::Queue))
      queue.merge(*own);
  }
  expectSummary(latency, expected["launches"]["latency"]);
  expectSummary(queue, expected["launches"]["queue"]);
}

/// With and without a command buffer, the same instructions run the same
/// kernels.
TEST(XPlaneGpuPeers, CommandBuffersRunTheSameKernels) {
  auto read = [](llvm::StringRef recording) {
    std::set<std::pair<std::string, std::string>> keys;
    Profile profile =
        llvm::cantFail(importProfile(recordingPath(recording, "xplane.pb")));
    for (const OpKey &key : profile.opKeys)
      keys.emplace(key.op, key.kernel);
    return keys;
  };
  EXPECT_EQ(read("gpu/jax/enc"), read("gpu/jax/enc-kernels"));
}

INSTANTIATE_TEST_SUITE_P(Recordings, XPlaneGpu,
                         testing::ValuesIn(getGpuRecordings()),
                         [](const auto &info) {
                           std::string name = info.param;
                           for (char &c : name)
                             c = c == '-' || c == '/' ? '_' : c;
                           return name;
                         });

} // namespace
