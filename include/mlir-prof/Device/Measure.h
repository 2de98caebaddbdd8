//===- Measure.h - Timing programs on a device ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Iterations are of two kinds: plain ones, whose time is that between an event
// before the first step and one after the last, and timed ones, with an event
// between any two steps. The interval of a step ends with the event after it
// and begins with the event before it, so that the intervals of an iteration
// add up to its time. The two kinds take turns, so that their difference is the
// overhead of timing; once it is known, timed ones are as rare as needed to
// keep the overhead of all iterations below a limit.
//
// An event costs the device some time by itself: that between events without
// anything between them, or, if it is more, the part of each additional event
// in the difference of the two kinds.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEVICE_MEASURE_H
#define MLIR_PROF_DEVICE_MEASURE_H

#include "mlir-prof/Device/Executor.h"
#include "mlir-prof/Device/Peak.h"

namespace mlirprof::device {

/// The way in which the host starts the steps of an iteration.
enum class Replay : uint8_t {
  /// One after the other.
  Stream,
  /// As one graph, which the driver keeps: the host does not limit the speed.
  Graph,
};

struct MeasureOptions {
  /// Iterations before measuring.
  uint64_t warmUp = 3;
  /// Stops after this many iterations, or when `seconds` have passed; 0 means
  /// no limit. At least one iteration of each kind runs.
  uint64_t iterations = 0;
  double seconds = 2;
  Replay replay = Replay::Graph;
  /// The overhead of timing in all iterations, in parts per million.
  uint64_t maxOverheadPpm = 30000;
  /// For how long program counters are sampled after the iterations.
  double sampleSeconds = 0;
  /// Whether to measure the peak of the device after all that.
  bool measurePeak = false;
};

/// One iteration.
struct Iteration {
  bool isTimed = false;
  /// When the host began to start it, on its monotonic clock.
  int64_t beginNs = 0;
  /// Until everything was started, and until everything was done.
  int64_t startNs = 0;
  int64_t wallNs = 0;
  /// Time on the device, from before the first step to after the last.
  int64_t devicePs = 0;
  /// For timed ones, the interval of each step.
  std::vector<int64_t> stepPs;
};

/// Limit on the iterations that are kept; the others only count.
inline constexpr uint64_t kMaxIterations = 1 << 14;

/// The result of measure().
struct DeviceRun {
  DeviceInfo device;
  std::vector<FunctionInfo> functions;
  Replay replay = Replay::Graph;
  /// In order.
  std::vector<Iteration> iterations;
  /// Number of all iterations, also of those that are not kept.
  uint64_t count = 0;
  /// The time of the epoch at the begin of the first iteration, and the
  /// monotonic clock's at the same time.
  int64_t beginEpochNs = 0;
  int64_t beginNs = 0;
  /// The part of an interval that is the event's own.
  int64_t eventPs = 0;
  std::vector<Transfer> transfers;
  /// Samples of runs after the iterations, if the executor samples.
  DeviceSamples samples;
  /// Why they could not be taken, although the times were; empty if they could.
  std::string samplesFailed;
  DevicePeak peak;
  /// Why it could not be measured, although it was to be; empty if it could.
  std::string peakFailed;

  /// The median time on the device of the iterations of one kind; 0 without
  /// any.
  int64_t getMedianPs(bool isTimed) const;
  /// By how much timing prolonged all iterations, in parts per million.
  int64_t getOverheadPpm() const;
};

/// Runs the program of `executor`, whose arguments are set.
llvm::Expected<DeviceRun> measure(Executor &executor,
                                  const MeasureOptions &options);

} // namespace mlirprof::device

#endif // MLIR_PROF_DEVICE_MEASURE_H
