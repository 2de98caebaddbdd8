//===- KinetoTest.cpp - PyTorch's recordings, to the nanosecond -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expected.h"
#include "mlir-prof/Import/Importer.h"

#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

struct Sums {
  int64_t count = 0;
  int64_t totalPs = 0;
  int64_t selfPs = 0;

  void add(uint64_t events, int64_t total, int64_t self) {
    count += int64_t(events);
    totalPs += total;
    selfPs += self;
  }
};

std::string torchPath(llvm::StringRef name, llvm::StringRef file) {
  return recordingPath(("torch/" + name).str(), file);
}

Profile load(llvm::StringRef name) {
  llvm::Expected<Profile> profile =
      importProfile(torchPath(name, "trace.json.gz"));
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return Profile();
}

bool isAnnotations(const Track &track) {
  return llvm::StringRef(track.name).ends_with("annotations");
}

class Kineto : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    profile = load(GetParam());
    ASSERT_EQ(profile.runs.size(), 1u);
    expected = test::loadExpected(std::string("torch/") + GetParam());
    for (const EventSummary &event : run().events)
      (isAnnotations(run().tracks[event.track])
           ? annotations
           : events)[profile.strings[event.name]]
          .add(event.total.count, event.total.sum, event.self.sum);
  }
  const profile::Run &run() const { return profile.runs.front(); }

  Profile profile;
  Json expected;
  std::map<std::string, Sums> events;
  std::map<std::string, Sums> annotations;
};

/// Self times are those of torch's own key_averages(), which were compared with
/// "self_minus_python_ns" when expected.json was made.
TEST_P(Kineto, CountsAndTimesOfOps) {
  for (const auto &[name, row] : expected["ops"].members()) {
    EXPECT_EQ(events[name].count, row["count"].integer()) << name;
    EXPECT_EQ(events[name].totalPs, row["total_ns"].integer() * 1000) << name;
    EXPECT_EQ(events[name].selfPs, row["self_minus_python_ns"].integer() * 1000)
        << name;
  }
}

TEST_P(Kineto, CountsAndTimesOfAnnotationsAndFunctions) {
  for (const auto &[name, row] : expected["annotations"].members()) {
    EXPECT_EQ(annotations[name].count, row["count"].integer()) << name;
    EXPECT_EQ(annotations[name].totalPs, row["total_ns"].integer() * 1000);
    EXPECT_EQ(annotations[name].selfPs, row["self_ns"].integer() * 1000)
        << name;
  }
  for (const auto &[name, row] :
       expected["python_functions"]["top"].members()) {
    EXPECT_EQ(events[name].count, row["count"].integer()) << name;
    EXPECT_EQ(events[name].totalPs, row["total_ns"].integer() * 1000) << name;
    EXPECT_EQ(events[name].selfPs, row["self_ns"].integer() * 1000) << name;
  }
}

TEST_P(Kineto, OpKeysAddUpToTheOps) {
  std::map<std::string, Sums> ops;
  for (const OpSummary &op : run().ops) {
    const OpKey &key = profile.opKeys[op.op];
    EXPECT_TRUE(key.is<FrameworkCallKey>());
    ops[key.op].add(op.getCount(), op.getSum(Quantity::Execute),
                    op.getSum(Quantity::Self));
  }
  std::vector<std::pair<std::string, Json>> rows = expected["ops"].members();
  EXPECT_EQ(ops.size(), rows.size());
  for (const auto &[name, row] : rows) {
    EXPECT_EQ(ops[name].count, row["count"].integer()) << name;
    EXPECT_EQ(ops[name].totalPs, row["total_ns"].integer() * 1000) << name;
    EXPECT_EQ(ops[name].selfPs, row["self_ns"].integer() * 1000) << name;
  }
}

TEST_P(Kineto, Steps) {
  std::vector<Json> steps = expected["steps"].list();
  ASSERT_EQ(run().steps.size(), steps.size());
  ASSERT_TRUE(run().clock.hasAnchor);
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &step = run().steps[i];
    EXPECT_EQ("ProfilerStep#" + std::to_string(step.number),
              steps[i]["name"].string());
    EXPECT_EQ(step.beginPs,
              (steps[i]["begin_ns"].integer() - run().clock.anchorNs) * 1000);
    EXPECT_EQ(step.durationPs, steps[i]["dur_ns"].integer() * 1000);
  }
}

TEST_P(Kineto, RepetitionsShareTheirKeys) {
  // Every op runs as often as the model: three steps.
  if (llvm::StringRef(GetParam()) != "encoder-eager")
    return;
  EXPECT_EQ(run().ops.size(), size_t(918 / 3));
  for (const OpSummary &op : run().ops)
    EXPECT_EQ(op.getCount(), 3u);
}

INSTANTIATE_TEST_SUITE_P(All, Kineto,
                         testing::Values("mlp-eager", "mlp-noise", "cnn-eager",
                                         "cnn-fxnode", "encoder-eager",
                                         "train-eager", "mlp-compile",
                                         "cnn-compile"),
                         [](const auto &info) {
                           std::string name = info.param;
                           for (char &c : name)
                             c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(KinetoOdd, NamesThatAreNotEscaped) {
  Profile profile = load("odd-names");
  Json expected = test::loadExpected("torch/odd-names");
  const profile::Run &run = profile.runs.front();
  std::map<std::string, int64_t> names;
  for (const EventSummary &event : run.events)
    if (isAnnotations(run.tracks[event.track]))
      names[profile.strings[event.name]] += int64_t(event.total.count);
  std::map<std::string, int64_t> wanted;
  for (const Json &name : expected["user_annotation_names_in_order"].list())
    ++wanted[name.string()];
  EXPECT_EQ(names, wanted);
  // One event, the two quotes in its name.
  ASSERT_EQ(run.losses.size(), 2u);
  EXPECT_EQ(run.losses[0].count, 1u);
  EXPECT_EQ(run.losses[1].name, "quote in a name that was not escaped, mended");
  EXPECT_EQ(run.losses[1].count, 2u);
}

//===----------------------------------------------------------------------===//
// Forms that the recordings here lack: devices, and earlier forms. Written from
// their documentation.
//===----------------------------------------------------------------------===//

Profile read(llvm::StringRef text) {
  Profile profile;
  ProfileBuilder builder(profile);
  for (const Importer &importer : getImporters()) {
    if (importer.name != "kineto")
      continue;
    EXPECT_TRUE(importer.detect(text));
    llvm::Error error = importer.read({text, "synthetic"}, builder);
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
  }
  builder.finish();
  return profile;
}

const OpSummary *findKernel(const Profile &profile, llvm::StringRef kernel) {
  for (const OpSummary &op : profile.runs.front().ops)
    if (profile.opKeys[op.op].kernel == kernel)
      return &op;
  return nullptr;
}

TEST(KinetoSynthetic, KernelsBelongToTheOpThatLaunchedThem) {
  Profile profile = read(R"({"schemaVersion": 1, "deviceProperties": [],
    "baseTimeNanoseconds": 1000000000000000000, "traceEvents": [
    {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":30.500,"dur":8,
     "args":{"correlation":11,"stream":7}},
    {"ph":"X","cat":"kernel","name":"lost","pid":0,"tid":7,"ts":40,"dur":2,
     "args":{"correlation":12}},
    {"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":2,"ts":10,
     "dur":12,"args":{"External id":1}},
    {"ph":"X","cat":"cpu_op","name":"aten::addmm","pid":1,"tid":2,"ts":11,
     "dur":10,"args":{"External id":2,"Input Dims":[[4], [2, 3]]}},
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,
     "ts":15,"dur":3,"args":{"External id":2,"correlation":11}},
    {"ph":"f","cat":"ac2g","name":"ac2g","pid":0,"tid":7,"ts":30.5,"id":11}
    ]})");
  const OpSummary *gemm = findKernel(profile, "gemm");
  ASSERT_NE(gemm, nullptr);
  const OpKey &key = profile.opKeys[gemm->op];
  EXPECT_EQ(key.op, "aten::addmm");
  const auto &call = key.get<FrameworkCallKey>();
  EXPECT_EQ(call.callers, std::vector<std::string>{"aten::linear"});
  EXPECT_EQ(call.shapes.print(), "[[4],[2,3]]");
  EXPECT_EQ(gemm->getSum(Quantity::Execute), 8000000);
  // Begins count from the first event.
  EXPECT_EQ(gemm->firstBeginPs, 20500000);
  EXPECT_EQ(profile.runs[0].clock.anchorNs, 1000000000000010000);
  const OpSummary *lost = findKernel(profile, "lost");
  ASSERT_NE(lost, nullptr);
  EXPECT_EQ(profile.opKeys[lost->op].op, "");
  const std::vector<Loss> &losses = profile.runs[0].losses;
  // The arrow says what the correlation says.
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].name, "device work whose launch was not recorded");
  EXPECT_EQ(losses[0].timePs, 2000000);
}

TEST(KinetoSynthetic, FormOf2021) {
  Profile profile = read(R"({"schemaVersion": 1, "traceEvents": [
    {"ph":"X","cat":"Operator","name":"ProfilerStep#2","pid":1,"tid":"9",
     "ts":1609459200000000,"dur":50},
    {"ph":"X","cat":"Operator","name":"aten::mm","pid":1,"tid":"9",
     "ts":1609459200000010,"dur":20,"args":{"External id":2,
     "Input dims":[[2,2],[2,2]]}},
    {"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":1,"tid":9,
     "ts":1609459200000012,"dur":5,"args":{"correlation":3,"external id":2}},
    {"ph":"X","cat":"Kernel","name":"sgemm","pid":0,"tid":"stream 7",
     "ts":1609459200000020,"dur":9,"args":{"correlation":3,"external id":2}}]})");
  const profile::Run &run = profile.runs[0];
  ASSERT_EQ(run.steps.size(), 1u);
  EXPECT_EQ(run.steps[0].number, 2);
  EXPECT_EQ(run.clock.anchorNs, 1609459200000000000);
  const OpSummary *sgemm = findKernel(profile, "sgemm");
  ASSERT_NE(sgemm, nullptr);
  EXPECT_EQ(profile.opKeys[sgemm->op].op, "aten::mm");
  EXPECT_TRUE(run.losses.empty());
}

TEST(KinetoSynthetic, ExporterBeforeKineto) {
  Profile profile = read(R"([
    {"name":"aten::mm","ph":"X","ts":3.5,"dur":2.25,"tid":1,
     "pid":"CPU functions","args":{}},
    {"name":"aten::add","ph":"X","ts":1,"dur":2,"tid":1,
     "pid":"CPU functions","args":{}})");
  const profile::Run &run = profile.runs[0];
  EXPECT_FALSE(run.clock.hasAnchor);
  ASSERT_EQ(run.ops.size(), 2u);
  EXPECT_EQ(profile.opKeys[run.ops[0].op].op, "aten::add");
  EXPECT_EQ(run.ops[1].getSum(Quantity::Self), 2250000);
  EXPECT_TRUE(run.losses.empty());
}

} // namespace
