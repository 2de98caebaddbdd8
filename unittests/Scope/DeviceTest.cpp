//===- DeviceTest.cpp - Scopes of a simulated device ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"

#include <deque>
#include <errno.h>
#include <functional>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// A device whose clock is a function of the host's time.
class Simulated {
public:
  explicit Simulated(std::function<uint64_t(int64_t)> clock)
      : clock(std::move(clock)) {
    prof_scope_device table = {};
    table.size = sizeof table;
    table.name = "GPU";
    table.state = this;
    table.start = [](void *state) {
      ++get(state).starts;
      return get(state).startError;
    };
    table.stop = [](void *state) { ++get(state).stops; };
    table.read_clock = [](void *state, uint64_t *now) {
      ++get(state).reads;
      *now = get(state).clock(simulatedNs);
      return 0;
    };
    table.tell = [](void *state, auto add, void *sink) {
      for (const prof_scope_device_event &event : get(state).finished)
        add(sink, &event);
      get(state).finished.clear();
    };
    table.name_track = [](void *, uint32_t track) -> const char * {
      return track == 7 ? "copies" : nullptr;
    };
    number = prof_scope_add_device(&table);
    EXPECT_NE(number, 0u);
  }
  ~Simulated() { prof_scope_remove_device(number); }

  /// A kernel that ran on the device at those times of the host.
  void run(const std::string &name, int64_t begin, int64_t end,
           uint32_t track = 0, uint64_t correlation = 0) {
    prof_scope_device_event event = {};
    event.name = names.emplace_back(name).data();
    event.name_length = name.size();
    event.type = uint16_t(ScopeType::Kernel);
    event.level = 1;
    event.track = track;
    event.begin = clock(begin);
    event.end = clock(end);
    event.correlation = correlation;
    finished.push_back(event);
  }

  uint32_t number;
  int startError = 0;
  std::atomic<int> starts{0}, stops{0}, reads{0};

private:
  static Simulated &get(void *state) {
    return *static_cast<Simulated *>(state);
  }

  std::function<uint64_t(int64_t)> clock;
  std::deque<std::string> names;
  std::vector<prof_scope_device_event> finished;
};

/// Starts a session with devices.
void start(uint64_t periodNs = 0) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.devices = 1;
  options.device_period_ns = periodNs;
  EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
}

/// The begin in nanoseconds of the simulated clock.
int64_t getBeginNs(const Recording &recording, const ScopeEvent &event) {
  return (event.beginPs - recording.clock.toPs(0)) / 1000;
}

} // namespace

TEST(ScopeDevices, AreThreadsBelowTheirLaunches) {
  SimulatedClock clock;
  Simulated device([](int64_t ns) { return uint64_t(ns) * 3 + 1000; });
  start();
  int64_t launched = 0;
  {
    PROF_SCOPE("step");
    simulatedNs += 10;
    {
      PROF_SCOPE("launch");
      simulatedNs += 5;
      prof_scope_launch(device.number, 42);
      launched = simulatedNs;
    }
    simulatedNs += 1000;
    device.run("kernel", launched + 100, launched + 300, 0, 42);
    device.run("copy", launched + 200, launched + 250, 7, 43);
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  ScopeEvent kernel = findEvent(recording, "kernel");
  EXPECT_EQ(getBeginNs(recording, kernel), launched + 100);
  EXPECT_EQ(kernel.getDurationPs(), 200000);
  EXPECT_EQ(getParent(recording, kernel), "launch");
  EXPECT_TRUE(kernel.isLinked);
  const Thread &thread = recording.threads[kernel.thread];
  EXPECT_TRUE(thread.isDevice);
  EXPECT_EQ(thread.id, 0u);
  EXPECT_EQ(thread.name, "GPU track 0");
  ASSERT_EQ(thread.device, 0u);
  EXPECT_EQ(recording.devices[0].name, "GPU");
  EXPECT_GE(recording.devices[0].readings.size(), 2u);
  ScopeEvent copy = findEvent(recording, "copy");
  EXPECT_EQ(recording.threads[copy.thread].name, "copies");
  EXPECT_EQ(copy.parent, kNoScope);
  EXPECT_EQ(copy.getDurationPs(), 50000);
  // The host's scope did not wait for it.
  EXPECT_EQ(findEvent(recording, "launch").selfPs, 5000);
  EXPECT_TRUE(recording.losses.empty());
  EXPECT_TRUE(recording.wantsDevices);
  EXPECT_EQ(device.starts, 1);
  EXPECT_EQ(device.stops, 1);
}

TEST(ScopeDevices, ClocksDriftAndAreSet) {
  SimulatedClock clock;
  simulatedNs = 1000000000;
  int64_t setAt = 0;
  // 50 ppm fast, then 30 ppm slow; set forth by 1 ms later, and back by 2 ms.
  auto read = [&](int64_t ns) {
    int64_t since = ns - 1000000000;
    int64_t fast = std::min<int64_t>(since, 5000000000);
    int64_t slow = since - fast;
    int64_t device = 7000000000 + fast + fast / 20000 + slow - slow / 33333;
    if (setAt && ns >= setAt)
      device += 1000000;
    if (setAt && ns >= setAt + 3500000000)
      device -= 3000000;
    return uint64_t(device);
  };
  Simulated device(read);
  start();
  std::vector<int64_t> begins;
  for (int second = 0; second < 15; ++second) {
    if (second == 8)
      setAt = simulatedNs + 400000000;
    int64_t now = simulatedNs;
    simulatedNs += 1000000000;
    for (int part = 0; part < 10; ++part) {
      int64_t begin = now + part * 100000000 + 1000;
      begins.push_back(begin);
      device.run("kernel " + std::to_string(begins.size() - 1), begin,
                 begin + 20000);
    }
    prof_scope_sync_devices();
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  ASSERT_EQ(recording.devices.size(), 1u);
  // The start, 15 seconds and the stop.
  EXPECT_EQ(recording.devices[0].readings.size(), 17u);
  int wide = 0;
  for (size_t index = 0; index != begins.size(); ++index) {
    ScopeEvent event = findEvent(recording, "kernel " + std::to_string(index));
    int64_t error = getBeginNs(recording, event) - begins[index];
    int64_t bound = recording.devices[0].getErrorPs(event.beginPs) / 1000 + 1;
    EXPECT_LE(std::abs(error), bound) << index;
    wide += bound > 100000;
    // Where the clock was not set, the error is that of rounding.
    if (bound < 100000)
      EXPECT_LE(std::abs(error), 20000) << index;
  }
  // Only the two seconds in which it was set have a wide bound.
  EXPECT_EQ(wide, 20);
  EXPECT_TRUE(recording.losses.empty());
}

TEST(ScopeDevices, KeepTheBracketOfReadings) {
  SimulatedClock clock;
  // Each reading takes 40 ns of the host's time.
  Simulated device([](int64_t ns) {
    simulatedNs += 40;
    return uint64_t(ns);
  });
  start();
  simulatedNs += 1000;
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  ASSERT_GE(recording.devices[0].readings.size(), 2u);
  EXPECT_EQ(recording.devices[0].readings[0].errorPs, 20000);
  EXPECT_EQ(recording.devices[0].getErrorPs(0), 40000);
}

TEST(ScopeDevices, StartAndStopWithTheSwitch) {
  SimulatedClock clock;
  Simulated device([](int64_t ns) { return uint64_t(ns); });
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr), 0);
  EXPECT_EQ(device.starts, 0);
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_ALL, nullptr, nullptr), 0);
  EXPECT_EQ(device.starts, 1);
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_GPU, nullptr, nullptr), 0);
  EXPECT_EQ(device.starts, 1);
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr), 0);
  EXPECT_EQ(device.stops, 1);
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_GPU, nullptr, nullptr), 0);
  prof_scope_disable(nullptr, nullptr, nullptr);
  EXPECT_EQ(device.starts, 2);
  EXPECT_EQ(device.stops, 2);
}

TEST(ScopeDevices, MayComeGoAndFail) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.devices = 1;
  EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
  {
    Simulated late([](int64_t ns) { return uint64_t(ns); });
    EXPECT_EQ(late.starts, 1);
    simulatedNs += 100;
    late.run("early", simulatedNs - 50, simulatedNs - 20);
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  EXPECT_EQ(findEvent(recording, "early").getDurationPs(), 30000);
  EXPECT_EQ(getLoss(recording, "session without a source of scopes of devices"),
            1u);

  Simulated broken([](int64_t ns) { return uint64_t(ns); });
  broken.startError = EIO;
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_GPU, nullptr, nullptr), ENODEV);
  prof_scope_disable(nullptr, nullptr, nullptr);
  EXPECT_EQ(broken.stops, 0);
  prof_scope_device small = {};
  small.size = 8;
  EXPECT_EQ(prof_scope_add_device(&small), 0u);
  prof_scope_remove_device(0);
  prof_scope_remove_device(12345);
}

TEST(ScopeDevices, SurviveResetsAndFiles) {
  SimulatedClock clock;
  Simulated device([](int64_t ns) { return uint64_t(ns) + 5; });
  std::string path = makePath("device");
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.devices = 1;
  options.path = path.c_str();
  EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
  simulatedNs += 100;
  device.run("before", simulatedNs - 50, simulatedNs - 40);
  prof_scope_sync_devices();
  prof_scope_reset();
  simulatedNs += 100;
  int64_t begin = simulatedNs - 50;
  device.run("after", begin, begin + 10);
  prof_scope_stop(nullptr);
  Recording recording = readScopeFile(path);
  EXPECT_TRUE(findEvents(recording, "before").empty());
  ScopeEvent after = findEvent(recording, "after");
  EXPECT_EQ(getBeginNs(recording, after), begin);
  EXPECT_TRUE(recording.threads[after.thread].isDevice);
}

TEST(ScopeDevices, AreReadMeanwhile) {
  Simulated device([](int64_t ns) { return uint64_t(ns); });
  start(/*periodNs=*/100000);
  // A thread reads the clock again and again.
  while (device.reads < 40)
    std::this_thread::yield();
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  ASSERT_EQ(recording.devices.size(), 1u);
  EXPECT_GE(recording.devices[0].readings.size(), 5u);
  for (const Device::Reading &reading : recording.devices[0].readings)
    EXPECT_GE(reading.errorPs, 0);
}
