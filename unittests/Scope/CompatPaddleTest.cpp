//===- CompatPaddleTest.cpp - Tests of Paddle's interface -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses names as code for Paddle does, after the change of the namespaces.
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Compat/Paddle.h"
#include "mlir-prof/Scope/Profiler.h"

#include <fstream>
#include <map>
#include <sstream>
#include <thread>

namespace paddle = mlirprof::scope::paddle;
namespace phi = mlirprof::scope::paddle;
using namespace paddle::platform;
using mlirprof::scope::findEvent;
using mlirprof::scope::findEvents;
using mlirprof::scope::getParent;
using mlirprof::scope::readScopes;
using mlirprof::scope::Recording;
using mlirprof::scope::SimulatedClock;
using mlirprof::scope::simulatedNs;

namespace {

/// The switch, with the simulated clock, off in the end.
class CompatPaddle : public testing::Test {
protected:
  ~CompatPaddle() override {
    if (IsProfileEnabled())
      stop();
    SetHostTraceLevel(1);
  }

  /// The report, and what went to standard error.
  std::string stop(EventSortingKey key = EventSortingKey::kDefault,
                   const std::string &path = "") {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    DisableProfiler(key, path);
    messages = testing::internal::GetCapturedStderr();
    return testing::internal::GetCapturedStdout();
  }

  /// The first words of the lines that contain `ms` of whole milliseconds.
  static int countRows(const std::string &report, const std::string &name) {
    std::istringstream lines(report);
    int rows = 0;
    for (std::string line, word; std::getline(lines, line);)
      rows += std::istringstream(line) >> word &&
              (word == name || word == "thread0::" + name);
    return rows;
  }

  SimulatedClock clock;
  std::string messages;
};

} // namespace

TEST_F(CompatPaddle, HasTheNumbersOfTheEnumerations) {
  EXPECT_EQ(int(ProfilerState::kAll), 3);
  EXPECT_EQ(int(TracerOption::kAllOpDetail), 2);
  EXPECT_EQ(int(EventSortingKey::kGPUTime), 7);
  EXPECT_EQ(int(EventRole::kSpecial), 3);
  EXPECT_EQ(int(TracerEventType::UserDefined), 7);
  EXPECT_EQ(int(TracerEventType::PythonUserDefined), 14);
  EXPECT_EQ(int(TracerEventType::StaticKernelLaunch), 16);
  EXPECT_EQ(int(phi::TracerMemEventType::ReservedFree), 3);
}

TEST_F(CompatPaddle, SwitchesOnAndOff) {
  EXPECT_FALSE(IsProfileEnabled());
  EXPECT_FALSE(RecordEvent::IsEnabled());
  {
    RecordEvent event("before");
  }
  EnableProfiler(ProfilerState::kDisabled);
  EXPECT_FALSE(IsProfileEnabled());
  EnableProfiler(ProfilerState::kCPU);
  EXPECT_TRUE(IsProfileEnabled());
  EXPECT_TRUE(RecordEvent::IsEnabled());
  {
    RecordEvent event("during");
    simulatedNs += 5000000;
  }
  // Nothing is lost by a second start.
  EnableProfiler(ProfilerState::kCPU);
  std::string report = stop();
  EXPECT_NE(report.find("Profiling Report"), std::string::npos);
  EXPECT_EQ(countRows(report, "during"), 1);
  EXPECT_EQ(countRows(report, "before"), 0);
  EXPECT_FALSE(IsProfileEnabled());
  EXPECT_EQ(stop(), "");
}

TEST_F(CompatPaddle, RecordsScopesOfEveryConstructor) {
  EnableProfiler(ProfilerState::kCPU);
  {
    RecordEvent one("literal");
    RecordEvent two(std::string("string"), TracerEventType::Operator, 1,
                    EventRole::kSpecial);
    RecordEvent three(std::string("attribute"), std::string("shape"),
                      TracerEventType::Communication);
    RecordEvent four("");
    RecordEvent five(static_cast<const char *>(nullptr));
    simulatedNs += 10;
    three.End();
    three.End();
    simulatedNs += 10;
  }
  Recording recording = readScopes();
  EXPECT_EQ(recording.events.size(), 3u);
  EXPECT_EQ(findEvent(recording, "attribute").getDurationPs(), 10'000);
  EXPECT_EQ(findEvent(recording, "literal").getDurationPs(), 20'000);
  auto event = findEvent(recording, "string");
  EXPECT_EQ(recording.sites[event.site].type, 0);
  EXPECT_EQ(recording.sites[event.site].role, 3);
  EXPECT_EQ(getParent(recording, event), "literal");
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(CompatPaddle, FiltersByLevel) {
  {
    EnableProfiler(ProfilerState::kCPU);
  }
  {
    RecordEvent event("detail", TracerEventType::UserDefined, 4);
  }
  {
    RecordEvent event("default");
  }
  EXPECT_EQ(readScopes().events.size(), 1u);
  stop();
  SetHostTraceLevel(4);
  EnableProfiler(ProfilerState::kCPU);
  {
    RecordEvent event("detail", TracerEventType::UserDefined, 4);
  }
  {
    RecordEvent event("more", TracerEventType::UserDefined, 5);
  }
  {
    RecordEvent event("most", TracerEventType::UserDefined, 1000000);
  }
  EXPECT_EQ(readScopes().events.size(), 1u);
}

TEST_F(CompatPaddle, KeepsWhatTheOptionSelects) {
  auto record = [] {
    RecordEvent op("op", TracerEventType::Operator);
    RecordEvent inner("compute", TracerEventType::OperatorInner, 1,
                      EventRole::kInnerOp);
    RecordEvent unique("%op%", TracerEventType::Operator, 1,
                       EventRole::kUniqueOp);
  };
  size_t expected[] = {1, 2, 3};
  for (TracerOption option : {TracerOption::kDefault, TracerOption::kOpDetail,
                              TracerOption::kAllOpDetail}) {
    SetTracerOption(option);
    EXPECT_EQ(GetTracerOption(), option);
    EnableProfiler(ProfilerState::kCPU);
    record();
    EXPECT_EQ(readScopes().events.size(), expected[int(option)]);
    stop();
    EXPECT_EQ(GetTracerOption(), TracerOption::kDefault);
  }
}

TEST_F(CompatPaddle, ShowsEightCallsAfterAResetAtTheThird) {
  EnableProfiler(ProfilerState::kCPU);
  for (int i = 0; i < 10; ++i) {
    if (i == 2)
      ResetProfiler();
    RecordEvent event("step");
    simulatedNs += 1000000;
  }
  std::string report = stop(EventSortingKey::kCalls);
  std::istringstream lines(report);
  std::string line, name;
  int calls = 0;
  while (std::getline(lines, line))
    if (std::istringstream(line) >> name && name == "thread0::step")
      std::istringstream(line) >> name >> calls;
  EXPECT_EQ(calls, 8);
}

TEST_F(CompatPaddle, KeepsAScopeThatIsOpenAcrossAReset) {
  EnableProfiler(ProfilerState::kCPU);
  {
    RecordEvent event("open");
    simulatedNs += 3;
    ResetProfiler();
    simulatedNs += 4;
  }
  EXPECT_EQ(findEvent(readScopes(), "open").getDurationPs(), 7000);
}

TEST_F(CompatPaddle, KeepsOverlapsAndDoubleBegins) {
  EnableProfiler(ProfilerState::kCPU);
  auto first = std::make_unique<RecordEvent>("first");
  auto second = std::make_unique<RecordEvent>("second");
  auto again = std::make_unique<RecordEvent>("first");
  simulatedNs += 2;
  first.reset();
  simulatedNs += 2;
  second.reset();
  simulatedNs += 2;
  again.reset();
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "first").size(), 2u);
  EXPECT_EQ(findEvent(recording, "second").getDurationPs(), 4000);
  EXPECT_TRUE(recording.losses.empty());
  EXPECT_EQ(countRows(stop(), "second"), 1);
}

TEST_F(CompatPaddle, PairsPushesAndPops) {
  EnableProfiler(ProfilerState::kCPU);
  PushEvent("outer", EventRole::kOrdinary);
  phi::PushEvent("inner", EventRole::kInnerOp, "none");
  simulatedNs += 5;
  // In the wrong order.
  PopEvent("outer", EventRole::kOrdinary);
  testing::internal::CaptureStderr();
  PopEvent("missing", EventRole::kOrdinary);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "Cannot find the push marker of event 'missing'\n");
  EXPECT_EQ(findEvent(readScopes(), "outer").getDurationPs(), 5000);
  phi::PopEvent("inner", EventRole::kInnerOp);
}

TEST_F(CompatPaddle, RecordsMomentsBlocksAndIntervals) {
  EnableProfiler(ProfilerState::kCPU);
  Mark("mark");
  RecordInstantEvent("instant", TracerEventType::UserDefined, 1);
  {
    RecordBlock block(3);
  }
  RecordMemEvent(nullptr, CPUPlace(), 64, 64, 128);
  uint64_t now = PosixInNsec();
  HostEventRecorder<CommonEvent>::GetInstance().RecordEvent(
      "elsewhere", now, now + 250, EventRole::kOrdinary,
      TracerEventType::UserDefined);
  HostEventRecorder<>::GetInstance().RecordEvent(std::string("early"),
                                                 now - 1000, now - 500);
  Recording recording = readScopes();
  EXPECT_EQ(findEvent(recording, "mark").getDurationPs(), 0);
  EXPECT_EQ(findEvent(recording, "instant").getDurationPs(), 0);
  EXPECT_EQ(findEvents(recording, "block_3").size(), 1u);
  EXPECT_EQ(findEvent(recording, "elsewhere").getDurationPs(), 250'000);
  EXPECT_EQ(findEvent(recording, "early").getDurationPs(), 500'000);
  auto section = HostEventRecorder<>::GetInstance().GatherEvents();
  size_t events = 0;
  for (const auto &thread : section.thr_sections)
    events += thread.events.size();
  EXPECT_EQ(events, 5u);
  EXPECT_EQ(section.process_id, uint64_t(getpid()));
  EXPECT_EQ(readScopes().events.size(), 5u);
}

/// Adds what is gathered: names, and how often.
static void gatherInto(std::map<std::string, int> &counts) {
  for (const auto &thread : GatherHostEvents().thr_sections) {
    EXPECT_FALSE(thread.events.empty());
    for (const CommonEvent &event : thread.events)
      ++counts[event.name];
  }
}

TEST_F(CompatPaddle, GathersEachScopeOnce) {
  std::map<std::string, int> counts;
  EnableProfiler(ProfilerState::kCPU);
  {
    RecordEvent outer("outer");
    simulatedNs += 5;
    // Two that cannot be told apart.
    for (int round = 0; round != 2; ++round)
      Mark("same");
    gatherInto(counts);
    EXPECT_EQ(counts, (std::map<std::string, int>{{"same", 2}}));
    Mark("same");
    gatherInto(counts);
    EXPECT_EQ(counts["same"], 3);
  }
  gatherInto(counts);
  gatherInto(counts);
  EXPECT_EQ(counts, (std::map<std::string, int>{{"outer", 1}, {"same", 3}}));
  // Nothing of one session is taken for that of the next.
  stop();
  simulatedNs = 1;
  EnableProfiler(ProfilerState::kCPU);
  {
    RecordEvent outer("outer");
    simulatedNs += 5;
  }
  gatherInto(counts);
  EXPECT_EQ(counts["outer"], 2);
}

static void gatherWhileThreadsRecord() {
  constexpr int kThreads = 4, kScopes = 10000, kGathers = 5;
  constexpr size_t kAll = kThreads * (kScopes + 1);
  mlirprof::scope::Profiler around;
  EnableProfiler(ProfilerState::kCPU);
  std::atomic<int> running{kThreads}, gathers{0};
  std::vector<std::thread> threads;
  // The last of each thread's scopes is ended by this one.
  std::vector<std::unique_ptr<RecordEvent>> left(kThreads);
  for (int thread = 0; thread != kThreads; ++thread)
    threads.emplace_back([&, thread] {
      std::string prefix = std::to_string(thread) + "/";
      for (int scope = 0; scope != kScopes; ++scope) {
        // Does not run ahead of the gathers.
        while (scope >= kScopes / kGathers * (gathers + 1))
          std::this_thread::yield();
        RecordEvent event(prefix + std::to_string(scope));
      }
      left[thread] = std::make_unique<RecordEvent>(prefix + "left");
      --running;
    });
  std::map<std::string, int> counts;
  for (; running; ++gathers)
    gatherInto(counts);
  for (std::thread &thread : threads)
    thread.join();
  left.clear();
  gatherInto(counts);
  EXPECT_EQ(counts.size(), kAll);
  for (const auto &[name, count] : counts)
    EXPECT_EQ(count, 1) << name;
  around.stop();
  Recording recording;
  EXPECT_FALSE(around.read(recording));
  EXPECT_EQ(recording.events.size(), kAll);
}

TEST_F(CompatPaddle, GathersWhileThreadsRecord) {
  // In a child: names are kept for ever.
  EXPECT_EQ(mlirprof::scope::runChild([] {
              gatherWhileThreadsRecord();
              return true;
            }),
            0);
}

TEST_F(CompatPaddle, RecordsNothingWhileOff) {
  Mark("mark");
  PushEvent("pushed", EventRole::kOrdinary);
  testing::internal::CaptureStderr();
  PopEvent("pushed", EventRole::kOrdinary);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  HostEventRecorder<>::GetInstance().RecordEvent("elsewhere", 1, 2);
  EnableProfiler(ProfilerState::kCPU);
  EXPECT_TRUE(readScopes().events.empty());
}

TEST_F(CompatPaddle, PrintsNumbersWithoutADevice) {
  for (ProfilerState state : {ProfilerState::kCUDA, ProfilerState::kAll}) {
    EnableProfiler(state);
    {
      RecordEvent event("host");
      simulatedNs += 2000000;
    }
    std::string report = stop(EventSortingKey::kGPUTime);
    EXPECT_EQ(countRows(report, "host"), 1);
    EXPECT_EQ(report.find("nan"), std::string::npos) << report;
    EXPECT_NE(report.find("2"), std::string::npos);
  }
}

static std::string makeNumber(unsigned field, uint64_t value) {
  std::string text(1, char(field << 3));
  for (; value >= 128; value >>= 7)
    text += char(value | 128);
  return text + char(value);
}

/// The bytes are fewer than 128.
static std::string makeMessage(unsigned field, const std::string &bytes) {
  return std::string{char(field << 3 | 2), char(bytes.size())} + bytes;
}

static std::string makeEvent(const std::string &name, int64_t begin,
                             int64_t end) {
  return makeMessage(1, name) + makeNumber(2, uint64_t(begin)) +
         makeNumber(3, uint64_t(end)) + makeNumber(5, 0) + makeNumber(6, 0) +
         makeNumber(8, 0);
}

TEST_F(CompatPaddle, WritesTheProfileOfTheFirstGeneration) {
  std::string path = mlirprof::scope::makePath("paddle.profile");
  EnableProfiler(ProfilerState::kCPU);
  Recording before = readScopes();
  int64_t begin = before.clock.anchorNs + simulatedNs -
                  int64_t(before.clock.firstMonotonicNs);
  {
    RecordEvent outer("outer");
    simulatedNs += 3;
    RecordEvent inner("inner");
    simulatedNs += 4;
  }
  stop(EventSortingKey::kTotal, path);
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  // The whole message: names, begins and ends, device 0, thread 0, type 0.
  EXPECT_EQ(bytes,
            makeMessage(1, makeEvent("outer/inner", begin + 3, begin + 7)) +
                makeMessage(1, makeEvent("outer", begin, begin + 7)) +
                makeNumber(2, 0) + makeNumber(3, 0));
  EXPECT_EQ(messages, "");
  EnableProfiler(ProfilerState::kCPU);
  stop(EventSortingKey::kTotal, "/no/such/folder/profile");
  EXPECT_EQ(messages, "/no/such/folder/profile: cannot be written: "
                      "No such file or directory\n");
}

TEST(CompatPaddleThreads, MayRecordFirstAtOnce) {
  for (int round = 0; round < 40; ++round) {
    EnableProfiler(ProfilerState::kCPU);
    std::atomic<int> waiting{16};
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
      threads.emplace_back([&] {
        --waiting;
        while (waiting)
          std::this_thread::yield();
        RecordEvent event("first");
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(findEvents(readScopes(), "first").size(), 16u);
    testing::internal::CaptureStdout();
    DisableProfiler(EventSortingKey::kDefault, "");
    testing::internal::GetCapturedStdout();
  }
}

TEST(CompatPaddleMemory, IsReportedByScope) {
  EnableProfiler(ProfilerState::kCPU);
  RecordMemEvent(nullptr, CPUPlace(), 7 << 20, 0, 0);
  ResetProfiler();
  {
    RecordEvent outer("outer");
    {
      RecordEvent inner("inner");
      RecordMemEvent(&outer, CPUPlace(), 3 << 20, 3 << 20, 4 << 20);
      RecordMemEvent(&inner, CPUPlace(), 2 << 20, 5 << 20, 8 << 20);
    }
    RecordMemEvent(&outer, CPUPlace(), 3 << 20, 2 << 20, 8 << 20,
                   TracerMemEventType::Free);
  }
  testing::internal::CaptureStdout();
  DisableProfiler(EventSortingKey::kDefault, "");
  std::istringstream report(testing::internal::GetCapturedStdout());
  // Rows of the memory report: name, allocations, megabytes, frees, megabytes.
  std::map<std::string, std::vector<double>> rows;
  bool isMemory = false;
  for (std::string line; std::getline(report, line);) {
    isMemory |= line.find("Memory Profiling Report") != std::string::npos;
    std::istringstream words(line);
    std::string name;
    if (isMemory && words >> name)
      for (double number; words >> number;)
        rows[name].push_back(number);
  }
  std::vector<double> inner, outer;
  for (const auto &[name, numbers] : rows) {
    if (name.find("inner") != std::string::npos)
      inner = numbers;
    else if (name.find("outer") != std::string::npos)
      outer = numbers;
  }
  EXPECT_EQ(inner, (std::vector<double>{2, 5, 0, 0}));
  EXPECT_EQ(outer, (std::vector<double>{0, 0, 1, 3}));
}
