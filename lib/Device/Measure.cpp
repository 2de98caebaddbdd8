//===- Measure.cpp - Timing programs on a device --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/Measure.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Statistics.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::device;

namespace {

/// Events without anything between them, of which the cost of one is known.
constexpr size_t kProbeEvents = 33;
/// Iterations after which the overhead of timing is known, and after which it
/// is computed anew.
constexpr uint64_t kFirstIterations = 16;
constexpr uint64_t kLookEvery = 512;
constexpr int64_t kPpm = 1000000;

/// Runs iterations of both kinds.
class Stopwatch {
public:
  Stopwatch(Executor &executor, const MeasureOptions &options)
      : executor(executor), driver(executor.getDriver()), options(options),
        stream(executor.getStream()) {}
  ~Stopwatch();

  llvm::Expected<DeviceRun> run();

private:
  llvm::Error prepare();
  /// Makes a graph of what `work` starts.
  llvm::Error capture(llvm::function_ref<llvm::Error()> work, Handle &graph);
  /// Starts the steps of an iteration and its events.
  llvm::Error startSteps(bool isTimed);
  llvm::Error start(bool isTimed);
  llvm::Expected<Iteration> runOne(bool isTimed);
  llvm::Error startEvents();
  llvm::Expected<int64_t> measureEvent();
  void adjustEventCost();
  uint64_t chooseEvery() const;
  bool isDone(double beginSeconds) const;

  Executor &executor;
  Driver &driver;
  const MeasureOptions &options;
  Handle stream;
  /// One before the first step and one after each.
  std::vector<Handle> events;
  Handle plainGraph = nullptr;
  Handle timedGraph = nullptr;
  Handle eventGraph = nullptr;
  DeviceRun result;
};

} // namespace

Stopwatch::~Stopwatch() {
  for (Handle event : events)
    driver.destroyEvent(event);
  for (Handle graph : {plainGraph, timedGraph, eventGraph})
    if (graph)
      driver.destroyGraph(graph);
}

llvm::Error Stopwatch::capture(llvm::function_ref<llvm::Error()> work,
                               Handle &graph) {
  if (llvm::Error error = driver.beginCapture(stream))
    return error;
  llvm::Error failed = work();
  // A capture must end, whatever happened in it.
  auto captured = driver.endCapture(stream);
  if (failed) {
    if (captured)
      driver.destroyGraph(*captured);
    else
      llvm::consumeError(captured.takeError());
    return failed;
  }
  if (!captured)
    return captured.takeError();
  graph = *captured;
  return llvm::Error::success();
}

llvm::Error Stopwatch::prepare() {
  size_t count = std::max(executor.getProgram().steps.size() + 1, kProbeEvents);
  while (events.size() != count) {
    auto event = driver.createEvent();
    if (!event)
      return event.takeError();
    events.push_back(*event);
  }
  if (options.replay == Replay::Stream)
    return llvm::Error::success();
  if (llvm::Error error =
          capture([&] { return startSteps(/*isTimed=*/false); }, plainGraph))
    return error;
  return capture([&] { return startSteps(/*isTimed=*/true); }, timedGraph);
}

llvm::Error Stopwatch::startSteps(bool isTimed) {
  size_t steps = executor.getProgram().steps.size();
  if (llvm::Error error = driver.record(events[0], stream))
    return error;
  for (size_t step = 0; step != steps; ++step) {
    if (llvm::Error error = executor.start(step))
      return error;
    if (isTimed || step + 1 == steps)
      if (llvm::Error error = driver.record(events[step + 1], stream))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error Stopwatch::start(bool isTimed) {
  if (options.replay == Replay::Graph)
    return driver.launchGraph(isTimed ? timedGraph : plainGraph, stream);
  return startSteps(isTimed);
}

llvm::Expected<Iteration> Stopwatch::runOne(bool isTimed) {
  Iteration iteration;
  iteration.isTimed = isTimed;
  iteration.beginNs = getMonotonicNs();
  if (llvm::Error error = start(isTimed))
    return std::move(error);
  iteration.startNs = getMonotonicNs() - iteration.beginNs;
  if (llvm::Error error = executor.wait())
    return std::move(error);
  iteration.wallNs = getMonotonicNs() - iteration.beginNs;
  size_t steps = executor.getProgram().steps.size();
  if (steps == 0)
    return std::move(iteration);
  if (!isTimed) {
    auto elapsed = driver.getElapsedPs(events[0], events[steps]);
    if (!elapsed)
      return elapsed.takeError();
    iteration.devicePs = *elapsed;
    return std::move(iteration);
  }
  for (size_t step = 0; step != steps; ++step) {
    auto elapsed = driver.getElapsedPs(events[step], events[step + 1]);
    if (!elapsed)
      return elapsed.takeError();
    iteration.stepPs.push_back(*elapsed);
    iteration.devicePs += *elapsed;
  }
  return std::move(iteration);
}

llvm::Error Stopwatch::startEvents() {
  for (size_t i = 0; i != kProbeEvents; ++i)
    if (llvm::Error error = driver.record(events[i], stream))
      return error;
  return llvm::Error::success();
}

/// The smallest of the intervals: the device may have been interrupted in the
/// others.
llvm::Expected<int64_t> Stopwatch::measureEvent() {
  if (options.replay == Replay::Graph) {
    if (llvm::Error error = capture([&] { return startEvents(); }, eventGraph))
      return std::move(error);
    if (llvm::Error error = driver.launchGraph(eventGraph, stream))
      return std::move(error);
  } else if (llvm::Error error = startEvents()) {
    return std::move(error);
  }
  if (llvm::Error error = executor.wait())
    return std::move(error);
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t i = 1; i != kProbeEvents; ++i) {
    auto elapsed = driver.getElapsedPs(events[i - 1], events[i]);
    if (!elapsed)
      return elapsed.takeError();
    least = std::min(least, *elapsed);
  }
  return std::max<int64_t>(least, 0);
}

/// Between kernels an event costs more than between events, as the device
/// cannot prepare the next kernel: by as much as the additional events prolong
/// an iteration.
void Stopwatch::adjustEventCost() {
  size_t steps = executor.getProgram().steps.size();
  if (steps < 2)
    return;
  int64_t extra = result.getMedianPs(/*isTimed=*/true) -
                  result.getMedianPs(/*isTimed=*/false);
  result.eventPs = std::max(result.eventPs, extra / int64_t(steps - 1));
}

/// Timed iterations are every n-th, such that the overhead of one, spread over
/// n iterations, is within the limit.
uint64_t Stopwatch::chooseEvery() const {
  int64_t plain = result.getMedianPs(/*isTimed=*/false);
  int64_t extra = result.getMedianPs(/*isTimed=*/true) - plain;
  if (plain <= 0 || extra <= 0)
    return 2;
  uint64_t limit = std::max<uint64_t>(options.maxOverheadPpm, 1);
  auto ppm = uint64_t(double(extra) * kPpm / double(plain));
  return std::max<uint64_t>(2, (ppm + limit - 1) / limit);
}

bool Stopwatch::isDone(double beginSeconds) const {
  if (result.count < 2)
    return false;
  if (options.iterations != 0 && result.count >= options.iterations)
    return true;
  return options.seconds > 0 &&
         getMonotonicSeconds() - beginSeconds >= options.seconds;
}

llvm::Expected<DeviceRun> Stopwatch::run() {
  if (llvm::Error error = prepare())
    return std::move(error);
  result.device = executor.getDevice();
  result.functions = executor.getFunctions().vec();
  result.replay = options.replay;
  for (uint64_t i = 0; i != options.warmUp; ++i)
    if (auto warm = runOne(/*isTimed=*/i % 2 == 1); !warm)
      return warm.takeError();
  auto event = measureEvent();
  if (!event)
    return event.takeError();
  result.eventPs = *event;
  result.beginEpochNs = getEpochNs();
  result.beginNs = getMonotonicNs();
  double beginSeconds = getMonotonicSeconds();
  uint64_t every = 2;
  for (; !isDone(beginSeconds); ++result.count) {
    if (result.count == kFirstIterations || result.count % kLookEvery == 0)
      every = chooseEvery();
    auto iteration = runOne(/*isTimed=*/result.count % every == 1);
    if (!iteration)
      return iteration.takeError();
    if (result.iterations.size() < kMaxIterations)
      result.iterations.push_back(std::move(*iteration));
  }
  adjustEventCost();
  if (options.sampleSeconds > 0) {
    auto samples = executor.sample(options.sampleSeconds);
    if (samples)
      result.samples = std::move(*samples);
    else
      result.samplesFailed = llvm::toString(samples.takeError());
  }
  result.transfers = executor.getTransfers().vec();
  if (options.measurePeak) {
    auto peak = measurePeak(executor.getDriver(), result.device.multiprocessors,
                            executor.getStream());
    if (peak)
      result.peak = *peak;
    else
      result.peakFailed = llvm::toString(peak.takeError());
  }
  return std::move(result);
}

int64_t DeviceRun::getMedianPs(bool isTimed) const {
  std::vector<int64_t> times;
  for (const Iteration &iteration : iterations)
    if (iteration.isTimed == isTimed)
      times.push_back(iteration.devicePs);
  return times.empty() ? 0 : getMedian(times);
}

int64_t DeviceRun::getOverheadPpm() const {
  int64_t plain = getMedianPs(/*isTimed=*/false);
  if (plain <= 0)
    return 0;
  auto timed = llvm::count_if(
      iterations, [](const Iteration &each) { return each.isTimed; });
  double extra = double(getMedianPs(/*isTimed=*/true) - plain);
  double share = double(timed) / double(iterations.size());
  return int64_t(extra / double(plain) * share * kPpm);
}

llvm::Expected<DeviceRun> device::measure(Executor &executor,
                                          const MeasureOptions &options) {
  return Stopwatch(executor, options).run();
}
