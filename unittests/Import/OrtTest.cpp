//===- OrtTest.cpp - ONNX Runtime's profiles ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expected.h"
#include "ReadText.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::reading;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

constexpr int64_t kMicrosecond = 1000000;

const OpKey *findNode(const Profile &profile, llvm::StringRef op) {
  for (const OpKey &key : profile.opKeys)
    if (key.op == op)
      return &key;
  return nullptr;
}

std::string printShapes(const Profile &profile, llvm::StringRef op) {
  return findNode(profile, op)->get<OnnxNodeKey>().shapes.print();
}

/// One event; `rest` follows the times.
std::string event(const char *category, const char *name, int64_t begin,
                  int64_t duration, const std::string &arguments = "{}",
                  const char *thread = "7") {
  return std::string("{\"cat\" : \"") + category +
         "\",\"pid\" :7,\"tid\" :" + thread +
         ",\"dur\" :" + std::to_string(duration) +
         ",\"ts\" :" + std::to_string(begin) + ",\"ph\" : \"X\",\"name\" :\"" +
         name + "\",\"args\" : " + arguments + "}";
}

std::string node(const char *name, const char *type, int64_t begin,
                 int64_t duration) {
  return event("Node", (std::string(name) + "_kernel_time").c_str(), begin,
               duration, std::string("{\"op_name\" : \"") + type + "\"}");
}

std::string list(std::initializer_list<std::string> events) {
  std::string text;
  for (const std::string &one : events)
    text += (text.empty() ? "[\n" : ",\n") + one;
  return text + "\n]\n";
}

Profile importRecording(const std::string &name) {
  llvm::Expected<Profile> profile =
      importProfile(recordingPath("ort/" + name, "trace.json.gz"));
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return {};
}

class OrtRecordings : public testing::TestWithParam<const char *> {};

} // namespace

//===----------------------------------------------------------------------===//
// Recordings
//===----------------------------------------------------------------------===//

/// Counts and times are those of expected.json, found by Python's json.
TEST_P(OrtRecordings, Numbers) {
  Profile profile = importRecording(GetParam());
  ASSERT_EQ(profile.runs.size(), 1u);
  const profile::Run &run = profile.runs.front();
  Json expected = loadExpected(std::string("ort/") + GetParam());
  EXPECT_EQ(run.producer.format, "onnxruntime");
  EXPECT_EQ(run.producer.name, "ONNX Runtime");
  EXPECT_FALSE(run.clock.hasAnchor);
  EXPECT_TRUE(run.losses.empty());
  uint64_t events = 0;
  for (const TrackInfo &track : run.tracks) {
    events += track.events;
    EXPECT_EQ(track.partialOverlaps, 0u);
  }
  EXPECT_EQ(int64_t(events), expected["n_events"].integer());

  int64_t totalNs = 0;
  auto nodes = expected["nodes"].members();
  EXPECT_FALSE(nodes.empty());
  for (const auto &[name, values] : nodes) {
    OpTotal total = getTotal(profile, name);
    EXPECT_EQ(int64_t(total.count), values["count"].integer()) << name;
    EXPECT_EQ(total.executePs, values["total_ns"].integer() * 1000) << name;
    EXPECT_EQ(total.selfPs, total.executePs) << name;
    const OpKey *key = findNode(profile, name);
    ASSERT_NE(key, nullptr) << name;
    EXPECT_EQ(key->kernel, values["op"].string());
    EXPECT_TRUE(key->get<OnnxNodeKey>().callers.empty());
    totalNs += total.executePs / 1000;
  }
  EXPECT_EQ(totalNs, expected["node_total_ns"].integer());
  EXPECT_EQ(profile.opKeys.size(), nodes.size());
  // Nodes run one after another.
  EXPECT_EQ(run.opBusyPs, totalNs * 1000);
}

TEST_P(OrtRecordings, Steps) {
  Profile profile = importRecording(GetParam());
  std::vector<Json> runs =
      loadExpected(std::string("ort/") + GetParam())["runs"].list();
  const std::vector<Step> &steps = profile.runs.front().steps;
  ASSERT_EQ(steps.size(), 5u);
  ASSERT_EQ(runs.size(), 5u);
  for (size_t i = 0; i != steps.size(); ++i) {
    EXPECT_EQ(steps[i].number, int64_t(i));
    EXPECT_EQ(steps[i].durationPs, runs[i]["dur_ns"].integer() * 1000);
    EXPECT_EQ(steps[i].beginPs - steps[0].beginPs,
              (runs[i]["ts_ns"].integer() - runs[0]["ts_ns"].integer()) * 1000);
    EXPECT_EQ(steps[i].opBusyPs, runs[i]["node_ns"].integer() * 1000);
  }
}

INSTANTIATE_TEST_SUITE_P(Ort, OrtRecordings,
                         testing::Values("mlp-disable", "mlp-basic", "mlp-all",
                                         "cnn-disable", "cnn-basic", "cnn-all",
                                         "encoder-basic"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Names with quotes, tabs and none; nodes of If and Loop under theirs.
TEST(Ort, OddNames) {
  Profile profile = importRecording("odd-names");
  std::vector<Json> nodes = loadExpected("ort/odd-names")["nodes"].list();
  ASSERT_EQ(nodes.size(), 17u);
  const llvm::StringRef suffix = "_kernel_time";
  for (const Json &node : nodes) {
    std::string inside = node["inside"].string();
    std::string name =
        llvm::StringRef(node["name"].string()).drop_back(suffix.size()).str();
    if (!inside.empty()) {
      inside.resize(inside.size() - suffix.size());
      name = inside + "/" + name;
    }
    EXPECT_EQ(int64_t(getTotal(profile, name).count), node["count"].integer())
        << name;
    const OpKey *key = findNode(profile, name);
    ASSERT_NE(key, nullptr) << name;
    ASSERT_TRUE(key->is<OnnxNodeKey>());
    EXPECT_EQ(key->kernel, node["op"].string());
    EXPECT_EQ(key->get<OnnxNodeKey>().callers,
              inside.empty() ? std::vector<std::string>()
                             : std::vector<std::string>{inside});
  }
  EXPECT_EQ(printShapes(profile, "plain"), "[[64,64]]");
  EXPECT_EQ(printShapes(profile, "loop"), "[[],[],[64,64]]");
}

//===----------------------------------------------------------------------===//
// Files by hand
//===----------------------------------------------------------------------===//

TEST(Ort, NestedNodesHaveTheirOwnTime) {
  // As the runtime writes them: each when it has ended.
  Profile profile =
      readGood("onnxruntime",
               list({node("a", "Add", 10, 0), node("x", "Mul", 12, 3),
                     event("Session", "SequentialExecutor::Execute", 11, 8),
                     node("if", "If", 10, 10), node("b", "Add", 20, 0),
                     event("Session", "model_run", 9, 12)}));
  EXPECT_EQ(getTotal(profile, "if/x").executePs, 3 * kMicrosecond);
  EXPECT_EQ(getTotal(profile, "if").executePs, 10 * kMicrosecond);
  EXPECT_EQ(getTotal(profile, "if").selfPs, 7 * kMicrosecond);
  // A node without duration that begins or ends with another one is not in it.
  EXPECT_EQ(getTotal(profile, "a").count, 1u);
  EXPECT_EQ(getTotal(profile, "b").count, 1u);
  ASSERT_EQ(profile.runs[0].steps.size(), 1u);
  EXPECT_EQ(profile.runs[0].steps[0].durationPs, 12 * kMicrosecond);
}

TEST(Ort, PackedWeightsHaveTheShapeThatTheResultTells) {
  auto shaped = [](int64_t begin, const char *name, const char *type,
                   const char *inputs, const char *outputs) {
    return event("Node", name, begin, 2,
                 std::string("{\"input_type_shape\" : ") + inputs +
                     ",\"output_type_shape\" : " + outputs +
                     ",\"op_name\" : \"" + type + "\"}");
  };
  const char *left = "[{\"float\":[2,1,64]}]";
  Profile profile =
      readGood("onnxruntime",
               list({shaped(1, "packed_kernel_time", "MatMul", left,
                            "[{\"float\":[2,1,256]}]"),
                     // A Gemm without a bias, and one with.
                     shaped(16, "gemm_kernel_time", "FusedGemm",
                            "[{\"float\":[3,64]}]", "[{\"float\":[3,8]}]"),
                     shaped(19, "bias_kernel_time", "Gemm",
                            "[{\"float\":[3,64]},{\"float\":[8]}]",
                            "[{\"float\":[3,8]}]"),
                     // Nothing is missing.
                     shaped(4, "both_kernel_time", "MatMul",
                            "[{\"float\":[1,64]},{\"float\":[64,8]}]",
                            "[{\"float\":[1,8]}]"),
                     // Transposed; not a product; without a result.
                     shaped(7, "other_kernel_time", "FusedMatMul", left,
                            "[{\"float\":[2,64,256]}]"),
                     shaped(10, "tanh_kernel_time", "Tanh", left, left),
                     shaped(13, "none_kernel_time", "MatMul", left, "\"\"")}));
  EXPECT_EQ(printShapes(profile, "packed"), "[[2,1,64],[64,256]]");
  EXPECT_EQ(printShapes(profile, "gemm"), "[[3,64],[64,8]]");
  EXPECT_EQ(printShapes(profile, "bias"), "[[3,64],[8]]");
  EXPECT_EQ(printShapes(profile, "both"), "[[1,64],[64,8]]");
  for (const char *name : {"other", "tanh", "none"})
    EXPECT_EQ(printShapes(profile, name), "[[2,1,64]]");
}

TEST(Ort, ShapesTellCallsApart) {
  auto shaped = [](int64_t begin, const char *shapes) {
    return event("Node", "m_kernel_time", begin, 2,
                 std::string("{\"input_type_shape\" : ") + shapes +
                     ",\"op_name\" : \"MatMul\"}");
  };
  Profile profile = readGood(
      "onnxruntime", list({shaped(1, "[{\"float\":[2,3]},{\"int64_2\":[]}]"),
                           shaped(5, "[{\"float\":[4,3]},{\"int64_2\":[]}]"),
                           shaped(9, "[{\"float\":[2,3]},{\"int64_2\":[]}]"),
                           shaped(13, "\"\"")}));
  EXPECT_EQ(profile.opKeys.size(), 3u);
  EXPECT_EQ(printShapes(profile, "m"), "[[2,3],[]]");
  EXPECT_EQ(getTotal(profile, "m").count, 4u);
}

/// Older releases also wrote events around a node, and did not escape.
TEST(Ort, OldFiles) {
  Profile profile =
      readGood("onnxruntime",
               list({event("Session", "model_loading_uri", 1, 4),
                     event("Node", "a \"b\"_fence_before", 5, 0),
                     event("Node", "a \"b\"_kernel_time", 6, 4,
                           "{\"op_name\" : \"Add\",\"provider\" : \"CPU\"}"),
                     event("Node", "a \"b\"_fence_after", 10, 0)}));
  EXPECT_EQ(profile.opKeys.size(), 1u);
  EXPECT_EQ(getTotal(profile, "a \"b\"").executePs, 4 * kMicrosecond);
  uint64_t events = 0;
  for (const EventSummary &summary : profile.runs[0].events)
    events += summary.total.count;
  EXPECT_EQ(events, 4u);
}

TEST(Ort, KernelsOfADevice) {
  Profile profile = readGood(
      "onnxruntime",
      list({node("conv", "Conv", 10, 5),
            event("Kernel", "sgemm", 11, 40, "{\"op_name\" : \"Conv\"}", "0"),
            event("Kernel", "copy", 60, 2, "{\"op_name\" : \"Other\"}", "0"),
            node("relu", "Relu", 15, 5)}));
  // The device's clock differs: nothing nests in the host's events.
  EXPECT_EQ(getTotal(profile, "conv").executePs, 45 * kMicrosecond);
  EXPECT_EQ(getTotal(profile, "conv").selfPs, 45 * kMicrosecond);
  EXPECT_EQ(getTotal(profile, "conv").keys, 2u);
  EXPECT_EQ(getTotal(profile, "relu").keys, 1u);
  EXPECT_EQ(profile.opKeys.size(), 3u);
  EXPECT_EQ(profile.runs[0].tracks.size(), 2u);
}

/// Values of one event are not taken for the next one's.
TEST(Ort, EventsWithoutArguments) {
  std::string bare = node("b", "Add", 5, 2);
  bare = bare.substr(0, bare.find(",\"args\"")) + "}";
  Profile profile =
      readGood("onnxruntime", list({node("a", "Mul", 1, 2), bare}));
  EXPECT_EQ(findNode(profile, "a")->kernel, "Mul");
  EXPECT_EQ(findNode(profile, "b")->kernel, "");
}

TEST(Ort, AFullRecordingSaysSo) {
  std::string text = "[\n";
  std::string one = event("Node", "n_kernel_time", 1, 1) + ",\n";
  for (int i = 0; i < 1000000; ++i)
    text += one;
  text += event("Session", "model_run", 1, 1) + "\n]";
  Profile profile = readGood("onnxruntime", text);
  EXPECT_EQ(getTotal(profile, "n").count, 1000000u);
  EXPECT_EQ(
      getLoss(
          profile,
          "the recorder stops at 1,000,000 events, later events are missing"),
      1u);
}

TEST(Ort, AFileThatWasCutOff) {
  std::string text = list({node("a", "Add", 1, 2), node("b", "Add", 4, 2)});
  Profile profile = readGood("onnxruntime", text.substr(0, text.size() - 20));
  EXPECT_EQ(getTotal(profile, "a").count, 1u);
  EXPECT_EQ(getTotal(profile, "b").count, 0u);
  EXPECT_FALSE(profile.runs[0].losses.empty());
}

TEST(Ort, IsDetected) {
  auto detect = getImporter("onnxruntime").detect;
  EXPECT_TRUE(detect(list({node("a", "Add", 1, 2)})));
  EXPECT_TRUE(detect(list({event("Session", "model_loading_uri", 1, 4),
                           event("Session", "session_initialization", 5, 4)})));
  EXPECT_FALSE(detect(list({event("Session", "model_run", 1, 4)})));
  EXPECT_FALSE(detect("[]"));
  EXPECT_FALSE(detect(""));
}
