//===- ChromeTest.cpp - Trace events, whole and damaged -------------------===//
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
using namespace mlirprof::trace;

namespace {

Profile read(llvm::StringRef text) {
  Profile profile;
  ProfileBuilder builder(profile, {KeepEvents::Mode::All, {}});
  for (const Importer &importer : getImporters()) {
    if (importer.name != "chrome-json")
      continue;
    EXPECT_TRUE(importer.detect(text));
    llvm::Error error = importer.read({text, "text"}, builder);
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
  }
  builder.finish();
  return profile;
}

/// "plane/track/name begin+duration", in order.
std::vector<std::string> list(const Profile &profile) {
  const profile::Run &run = profile.runs.front();
  std::vector<std::string> lines;
  for (size_t i = 0; i < run.kept.size(); ++i) {
    const Track &track = run.tracks[run.kept.track[i]];
    lines.push_back(track.plane + "/" + track.name + "/" +
                    profile.strings[run.kept.name[i]] + " " +
                    std::to_string(run.kept.beginPs[i]) + "+" +
                    std::to_string(run.kept.durationPs[i]));
  }
  return lines;
}

std::map<std::string, Loss> losses(const Profile &profile) {
  std::map<std::string, Loss> found;
  for (const Loss &loss : profile.runs.front().losses)
    found[loss.name] = loss;
  return found;
}

using Lines = std::vector<std::string>;

TEST(Chrome, CompleteEventsInAnyOrder) {
  Profile profile = read(R"({"displayTimeUnit":"ns","traceEvents":[
    {"ph":"X","name":"late","pid":1,"tid":2,"ts":2.5,"dur":1},
    {"ph":"X","name":"inner","pid":1,"tid":2,"ts":1,"dur":0.25},
    {"ph":"X","name":"outer","pid":1,"tid":2,"ts":1,"dur":1.000001},
    {"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}},
    {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"t"}},
    {}]})");
  EXPECT_EQ(list(profile), (Lines{"p/t/outer 0+1000001", "p/t/inner 0+250000",
                                  "p/t/late 1500000+1000000"}));
  EXPECT_TRUE(losses(profile).empty());
}

TEST(Chrome, BeginsAndEnds) {
  Profile profile = read(R"([
    {"ph":"B","name":"a","pid":1,"tid":1,"ts":0},
    {"ph":"B","name":"b","pid":1,"tid":1,"ts":2},
    {"ph":"B","name":"other","pid":1,"tid":2,"ts":2},
    {"ph":"E","pid":1,"tid":1,"ts":5},
    {"ph":"E","name":"a","pid":1,"tid":1,"ts":9},
    {"ph":"E","pid":1,"tid":1,"ts":9})");
  EXPECT_EQ(list(profile), (Lines{"process 1/1/a 0+9000000",
                                  "process 1/1/b 2000000+3000000"}));
  std::map<std::string, Loss> lost = losses(profile);
  EXPECT_EQ(lost["end of an event without its begin"].count, 1u);
  // From its begin to the end of the recording.
  EXPECT_EQ(lost["begin of an event without its end"].timePs, 7000000);
  EXPECT_EQ(lost.size(), 2u);
}

TEST(Chrome, AsynchronousEventsOverlap) {
  Profile profile = read(R"([
    {"ph":"b","cat":"io","id":1,"name":"read","pid":1,"tid":1,"ts":0},
    {"ph":"b","cat":"io","id":"2","name":"read","pid":1,"tid":3,"ts":1},
    {"ph":"n","cat":"io","id":1,"name":"half","pid":1,"tid":1,"ts":1.5},
    {"ph":"e","cat":"io","id":"1","name":"read","pid":1,"tid":9,"ts":2},
    {"ph":"e","cat":"io","id":2,"name":"read","pid":1,"tid":3,"ts":3}])");
  EXPECT_EQ(list(profile),
            (Lines{"process 1/asynchronous io/read 0+2000000",
                   "process 1/asynchronous io (2)/read 1000000+2000000",
                   "process 1/1/half 1500000+0"}));
  EXPECT_TRUE(losses(profile).empty());
}

/// "from -> to" of all arrows, in order of their ends.
Lines listArrows(const Profile &profile) {
  const EventColumns &kept = profile.runs.front().kept;
  Lines lines;
  for (size_t i = 0; i < kept.launch.size(); ++i)
    if (kept.launch[i] != kNone)
      lines.push_back(profile.strings[kept.name[kept.launch[i]]] + " -> " +
                      profile.strings[kept.name[i]]);
  return lines;
}

TEST(Chrome, ArrowsLeadFromInnermostEventToInnermostEvent) {
  Profile profile = read(R"([
    {"ph":"f","cat":"a","id":1,"pid":2,"tid":7,"ts":30,"bp":"e"},
    {"ph":"s","cat":"a","id":1,"pid":1,"tid":1,"ts":12},
    {"ph":"t","cat":"b","id":1,"pid":2,"tid":7,"ts":40},
    {"ph":"s","cat":"b","id":1,"pid":1,"tid":1,"ts":20},
    {"ph":"f","cat":"b","id":1,"pid":1,"tid":1,"ts":51},
    {"ph":"X","name":"outer","pid":1,"tid":1,"ts":10,"dur":10},
    {"ph":"X","name":"inner","pid":1,"tid":1,"ts":12,"dur":3},
    {"ph":"X","name":"later","pid":1,"tid":1,"ts":50,"dur":5},
    {"ph":"X","name":"first","pid":2,"tid":7,"ts":30,"dur":5},
    {"ph":"X","name":"second","pid":2,"tid":7,"ts":38,"dur":5}])");
  EXPECT_EQ(listArrows(profile),
            (Lines{"inner -> first", "outer -> second", "second -> later"}));
  EXPECT_TRUE(losses(profile).empty());
}

TEST(Chrome, ArrowsAreUsedAgain) {
  Profile profile = read(R"([
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":5},
    {"ph":"X","name":"b","pid":1,"tid":1,"ts":10,"dur":5},
    {"ph":"X","name":"x","pid":1,"tid":2,"ts":6,"dur":2},
    {"ph":"X","name":"y","pid":1,"tid":2,"ts":16,"dur":2},
    {"ph":"X","name":"z","pid":1,"tid":2,"ts":18.5,"dur":2},
    {"ph":"s","cat":"l","id":3,"pid":1,"tid":1,"ts":1},
    {"ph":"f","cat":"l","id":3,"pid":1,"tid":2,"ts":6},
    {"ph":"s","cat":"l","id":3,"pid":1,"tid":1,"ts":11},
    {"ph":"f","cat":"l","id":3,"pid":1,"tid":2,"ts":16},
    {"ph":"f","cat":"l","id":3,"pid":1,"tid":2,"ts":19}])");
  EXPECT_EQ(listArrows(profile), (Lines{"a -> x", "b -> y", "b -> z"}));
  EXPECT_TRUE(losses(profile).empty());
}

TEST(Chrome, ArrowsThatCannotBeKeptAreCounted) {
  std::map<std::string, Loss> lost = losses(read(R"([
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":5},
    {"ph":"X","name":"b","pid":1,"tid":1,"ts":10,"dur":5},
    {"ph":"X","name":"c","pid":1,"tid":1,"ts":20,"dur":5},
    {"ph":"s","cat":"l","id":1,"pid":1,"tid":1,"ts":0},
    {"ph":"s","cat":"l","id":2,"pid":1,"tid":1,"ts":10},
    {"ph":"f","cat":"l","id":1,"pid":1,"tid":1,"ts":20},
    {"ph":"f","cat":"l","id":2,"pid":1,"tid":1,"ts":21},
    {"ph":"s","cat":"l","id":4,"pid":1,"tid":1,"ts":0},
    {"ph":"f","cat":"l","id":4,"pid":1,"tid":1,"ts":30},
    {"ph":"f","cat":"l","id":5,"pid":1,"tid":1,"ts":20}])"));
  EXPECT_EQ(lost["arrow to an event that has another one, not kept"].count, 1u);
  EXPECT_EQ(lost["arrow without an event at one of its ends"].count, 1u);
  EXPECT_EQ(lost["arrow without its other end"].count, 1u);
  EXPECT_EQ(lost.size(), 3u);
}

TEST(Chrome, WhatIsNotKeptIsCounted) {
  std::map<std::string, Loss> lost = losses(read(R"([
    {"ph":"C","name":"c","pid":1,"ts":0,"args":{"v":1}},
    {"ph":"s","name":"f","id":1,"pid":1,"tid":1,"ts":0},
    {"ph":"N","name":"o","id":1,"pid":1,"tid":1,"ts":0},
    {"name":"none"},
    {"ph":"X","name":"no time"},
    {"ph":"X","name":"no number","ts":"soon","dur":1},
    {"ph":"X","name":"first","pid":1,"tid":1,"ts":10,"dur":1},
    {"ph":"X","name":"far","pid":1,"tid":1,"ts":9223372036854775807,"dur":2},
    {"ph":"X","name":"negative","pid":1,"tid":1,"ts":20,"dur":-3},
    {"ph":"X","name":"endless","pid":1,"tid":1,"ts":20,
     "dur":9223372036854775808},
    7, "text"])"));
  EXPECT_EQ(lost["sample of a counter, not kept"].count, 1u);
  EXPECT_EQ(lost["arrow without its other end"].count, 1u);
  EXPECT_EQ(lost["event of phase 'N', not kept"].count, 1u);
  EXPECT_EQ(lost["event without a phase"].count, 1u);
  EXPECT_EQ(lost["event without a time"].count, 1u);
  EXPECT_EQ(lost["event with a time that is not a number"].count, 1u);
  EXPECT_EQ(lost["event more than a month away from the first"].timePs,
            2000000);
  EXPECT_EQ(lost["negative duration, taken as 0"].timePs, 3000000);
  EXPECT_EQ(lost["event longer than a month"].count, 1u);
  EXPECT_EQ(lost.size(), 10u) << "and the elements that are no objects";
}

TEST(Chrome, CutOffInAnEvent) {
  std::string text = R"({"traceEvents":[
    {"ph":"X","name":"whole","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"X","name":"half","pid":1,"ti)";
  Profile profile = read(text);
  EXPECT_EQ(list(profile), Lines{"process 1/1/whole 0+1000000"});
  std::map<std::string, Loss> lost = losses(profile);
  std::string offset = std::to_string(text.rfind('{'));
  EXPECT_EQ(lost.count("event cut off at the end of the file, the first at "
                       "byte " +
                       offset),
            1u);
  EXPECT_EQ(lost.count("the list of events does not end: the file is cut off"),
            1u);
}

/// Elements beyond 64 MiB are read one by one, with strings of at most 16 MiB.
TEST(Chrome, ANameThatIsTooLongIsSaidSo) {
  std::string text = R"({"traceEvents":[
    {"ph":"X","name":"whole","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"X","pid":1,"tid":1,"ts":2,"dur":1,"name":")";
  std::string offset = std::to_string(text.rfind('{'));
  text += std::string(size_t(65) << 20, 'x') + "\"}]}";
  std::map<std::string, Loss> lost = losses(read(text));
  EXPECT_EQ(lost.count("event left out: a name or value in it is longer than "
                       "16 MiB, the first at byte " +
                       offset),
            1u);
  EXPECT_EQ(lost.count("event cut off at the end of the file, the first at "
                       "byte " +
                       offset),
            0u);
  EXPECT_EQ(lost.count("the list of events does not end: the file is cut off"),
            0u);
}

TEST(Chrome, MendsWhatIsCertain) {
  Profile profile = read("[{\"ph\":\"X\",\"name\":\"a \"b\" c\",\"pid\":1,"
                         "\"tid\":1,\"ts\":1,\"dur\":1},\n"
                         "{\"ph\":\"X\",\"name\":\"tab\there\\x\",\"pid\":1,"
                         "\"tid\":1,\"ts\":3,\"dur\":1},\n"
                         "{\"ph\":\"X\",\"name\":[}},\n"
                         "{\"ph\":\"X\",\"name\":\"bad \xff\",\"pid\":1,"
                         "\"tid\":1,\"ts\":5,\"dur\":1}]");
  EXPECT_EQ(list(profile),
            (Lines{"process 1/1/a \"b\" c 0+1000000",
                   "process 1/1/tab\there\\x 2000000+1000000",
                   "process 1/1/bad \xef\xbf\xbd 4000000+1000000"}));
  std::map<std::string, Loss> lost = losses(profile);
  EXPECT_EQ(lost["quote in a name that was not escaped, mended"].count, 2u);
  EXPECT_EQ(lost["character in a name that was not escaped, mended"].count, 2u);
  EXPECT_EQ(lost["byte in a name that is not UTF-8, replaced"].count, 1u);
  unsigned malformed = 0;
  for (const auto &[name, loss] : lost)
    malformed +=
        llvm::StringRef(name).starts_with("event left out") && loss.count == 1;
  EXPECT_EQ(malformed, 1u);
}

/// More than one piece of the reader and more than the sorter holds, in reverse
/// order.
TEST(Chrome, ManyEventsOutOfOrder) {
  constexpr int kEvents = 300000;
  std::string text = "[";
  for (int i = kEvents; i-- > 0;)
    text += "{\"ph\":\"X\",\"name\":\"e" + std::to_string(i % 7) +
            "\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(i) +
            ",\"dur\":0.5},";
  Profile profile;
  ProfileBuilder builder(profile);
  for (const Importer &importer : getImporters())
    if (importer.name == "chrome-json")
      EXPECT_FALSE(bool(importer.read({text, "text"}, builder)));
  builder.finish();
  const profile::Run &run = profile.runs.front();
  ASSERT_EQ(run.events.size(), 7u);
  uint64_t count = 0;
  for (const EventSummary &event : run.events) {
    count += event.total.count;
    EXPECT_EQ(event.self.sum, int64_t(event.total.count) * 500000);
  }
  EXPECT_EQ(count, uint64_t(kEvents));
  EXPECT_EQ(run.tracks[0].partialOverlaps, 0u);
  EXPECT_TRUE(run.losses.empty());
}

/// JAX writes both forms of one recording: their ops took the same time. The
/// JSON lacks the completions.
TEST(Chrome, OpsOfJaxAreThoseOfItsXPlane) {
  std::map<std::string, std::pair<uint64_t, int64_t>> sums[2];
  const char *files[] = {"trace.json.gz", "xplane.pb"};
  for (size_t i = 0; i < 2; ++i) {
    llvm::Expected<Profile> profile =
        importProfile(test::recordingPath("jax/mlp", files[i]));
    ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
    const profile::Run &run = profile->runs.front();
    EXPECT_EQ(run.steps.size(), 30u);
    for (const OpSummary &op : run.ops) {
      const OpKey &key = profile->opKeys[op.op];
      ASSERT_TRUE(key.is<HloInstructionKey>());
      sums[i][*key.get<HloInstructionKey>().module + "/" + key.op] = {
          op.getCount(), op.getSum(Quantity::Execute)};
    }
  }
  EXPECT_EQ(sums[0].size(), 4u);
  EXPECT_EQ(sums[0], sums[1]);
}

// MindSpore's ascend_timeline_display_N.json: a bare array whose threads are
// strings, or numbers within strings.
TEST(Chrome, TimelinesOfMindSpore) {
  Profile profile = read(R"([
    {"name":"process_name","ph":"M","pid":2,"args":{"name":"AI Core Op"}},
    {"name":"Default/conv1-Conv2d/Conv2D-op1","pid":2,"tid":"stream_1",
     "ph":"X","ts":100.25,"dur":20.125},
    {"name":"Default/fc1-Dense/MatMul-op2","pid":2,"tid":"7","ph":"X",
     "ts":121,"dur":5}])");
  EXPECT_EQ(list(profile),
            (Lines{"AI Core Op/stream_1/Default/conv1-Conv2d/Conv2D-op1 "
                   "0+20125000",
                   "AI Core Op/7/Default/fc1-Dense/MatMul-op2 "
                   "20750000+5000000"}));
  EXPECT_TRUE(losses(profile).empty());
}

// Its trace_view.json has times as decimal text, of more digits than a double.
TEST(Chrome, TimesAsText) {
  Profile profile = read(R"([
    {"name":"aclnnMatmul","pid":3,"tid":4,"ph":"X","cat":"kernel",
     "ts":"1700000000000100.125","dur":12.345,"args":{"Task Type":"AI_CORE"}},
    {"name":"aclnnAdd","pid":3,"tid":4,"ph":"X",
     "ts":"1700000000000112.471","dur":"0.5"}])");
  EXPECT_EQ(list(profile), (Lines{"process 3/4/aclnnMatmul 0+12345000",
                                  "process 3/4/aclnnAdd 12346000+500000"}));
}

TEST(Chrome, DetectsByContent) {
  auto detects = [](llvm::StringRef text) {
    std::string names;
    for (const Importer &importer : getImporters())
      if (importer.detect(text))
        names += importer.name.str() + " ";
    return names;
  };
  EXPECT_EQ(detects("{\"traceEvents\":[{\"ph\":\"X\"}]}"), "chrome-json ");
  EXPECT_EQ(detects("[{\"name\":1}]"), "");
  EXPECT_EQ(detects("{\"a\":[{\"ph\":\"X\"}]}"), "");
}

} // namespace
