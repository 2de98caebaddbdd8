//===- DeviceSums.h - Work of devices and their launches --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_BUILD_DEVICESUMS_H
#define MLIR_PROF_LIB_PROFILE_BUILD_DEVICESUMS_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Trace/InnermostEvents.h"
#include "mlir-prof/Trace/IntegerMap.h"

#include <map>
#include <optional>
#include <vector>

namespace mlirprof::profile {

/// Sums up what devices and their streams did: unions of their work, the gaps
/// in between, what the host did meanwhile, and the calls that launched work.
/// Does nothing until a device is added.
class DeviceSums {
public:
  /// Limit on the launches whose work is searched; the oldest are forgotten.
  static constexpr size_t kMaxLaunches = size_t(1) << 18;

  /// The call that launched a piece of work.
  struct Launch {
    int64_t beginPs = 0;
    int64_t endPs = 0;
    uint32_t track = trace::kNone;
    /// Position among the kept events, or kNone.
    uint32_t kept = trace::kNone;
    /// Whether no earlier work was launched by the same call.
    bool isFirst = true;
  };

  explicit DeviceSums(Profile &profile) : profile(profile) {}

  bool empty() const { return devices.empty(); }
  /// Adds the next device of the run.
  void addDevice() { devices.emplace_back(); }

  /// Adds an event of the host; `kept` is its position among the kept events,
  /// or kNone. Call for each event in order.
  void addHost(const trace::Event &event, uint32_t kept);
  /// Adds work of `device`, the device of its track; returns its launch.
  std::optional<Launch> addWork(const trace::Event &event, uint32_t device,
                                DeviceWork work);
  /// Stores the sums in `run`; they are zero before.
  void finish(Run &run, LossList &losses);

private:
  /// A union of intervals that arrive in order of their begins.
  struct Union {
    int64_t endPs = 0;
    int64_t totalPs = 0;
    bool isStarted = false;

    void add(const trace::Event &event);
  };
  struct Device {
    Union all, kernels, copies;
    Summary idle;
    /// By name, kNone for unknown.
    std::map<uint32_t, Summary> waits;
  };

  std::optional<Launch> takeLaunch(const trace::Event &event);
  void addGap(Device &device, int64_t untilPs, uint32_t track);
  void forgetOld();

  Profile &profile;
  std::vector<Device> devices;
  /// By track.
  std::map<uint32_t, Union> streams;
  std::map<uint32_t, trace::InnermostEvents> hosts;
  trace::IntegerMap launchByFlow;
  /// The oldest at `nextLaunch` once there are kMaxLaunches.
  std::vector<Launch> launches;
  std::vector<uint64_t> flows;
  size_t nextLaunch = 0;
  uint64_t hostEvents = 0;
  uint64_t repeatedFlows = 0;
  uint64_t unlaunched = 0;
  int64_t unlaunchedPs = 0;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_LIB_PROFILE_BUILD_DEVICESUMS_H
