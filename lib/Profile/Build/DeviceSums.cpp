//===- DeviceSums.cpp - Work of devices and their launches ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceSums.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Number of events of the host after which old ones are forgotten.
static constexpr uint64_t kForgetAfter = 1024;

void DeviceSums::Union::add(const Event &event) {
  int64_t from = isStarted ? std::max(endPs, event.beginPs) : event.beginPs;
  if (from < event.endPs)
    addSaturating(totalPs, saturatingSub(event.endPs, from));
  endPs = isStarted ? std::max(endPs, event.endPs) : event.endPs;
  isStarted = true;
}

//===----------------------------------------------------------------------===//
// Events of the host
//===----------------------------------------------------------------------===//

/// Gaps begin where a device's work ends, so nothing earlier is needed.
void DeviceSums::forgetOld() {
  int64_t from = std::numeric_limits<int64_t>::max();
  for (const Device &device : devices)
    if (device.all.isStarted)
      from = std::min(from, device.all.endPs);
  for (auto &[track, host] : hosts)
    host.forget(from);
}

void DeviceSums::addHost(const Event &event, uint32_t kept) {
  hosts[event.track].add(event);
  if (++hostEvents % kForgetAfter == 0)
    forgetOld();
  if (!event.hasFlowOut)
    return;
  uint32_t &place = launchByFlow[event.flowOut];
  Launch launch{event.beginPs, event.endPs, event.track, kept};
  if (place != kNone) {
    ++repeatedFlows;
    launches[place] = launch;
    return;
  }
  if (launches.size() < kMaxLaunches) {
    place = uint32_t(launches.size());
    launches.push_back(launch);
    flows.push_back(event.flowOut);
    return;
  }
  place = uint32_t(nextLaunch);
  uint64_t old = std::exchange(flows[nextLaunch], event.flowOut);
  launches[nextLaunch] = launch;
  nextLaunch = (nextLaunch + 1) % kMaxLaunches;
  launchByFlow.erase(old);
}

//===----------------------------------------------------------------------===//
// Work of devices
//===----------------------------------------------------------------------===//

std::optional<DeviceSums::Launch> DeviceSums::takeLaunch(const Event &event) {
  uint32_t place = event.hasFlowIn ? launchByFlow.find(event.flowIn) : kNone;
  if (place == kNone) {
    ++unlaunched;
    addSaturating(unlaunchedPs, saturatingSub(event.endPs, event.beginPs));
    return std::nullopt;
  }
  Launch launch = launches[place];
  launches[place].isFirst = false;
  return launch;
}

void DeviceSums::addGap(Device &device, int64_t untilPs, uint32_t track) {
  int64_t fromPs = device.all.endPs;
  if (!device.all.isStarted || untilPs <= fromPs)
    return;
  device.idle.add(saturatingSub(untilPs, fromPs));
  std::map<uint32_t, int64_t> times;
  auto host = hosts.find(track);
  if (host == hosts.end())
    times[kNone] = saturatingSub(untilPs, fromPs);
  else
    host->second.addTimes(fromPs, untilPs, times);
  for (auto [name, timePs] : times)
    device.waits[name].add(timePs);
}

std::optional<DeviceSums::Launch>
DeviceSums::addWork(const Event &event, uint32_t device, DeviceWork work) {
  std::optional<Launch> launch = takeLaunch(event);
  Device &sums = devices[device];
  addGap(sums, event.beginPs, launch ? launch->track : kNone);
  sums.all.add(event);
  bool isMemory = isCopy(work) || work == DeviceWork::SetMemory;
  (isMemory ? sums.copies : sums.kernels).add(event);
  streams[event.track].add(event);
  return launch;
}

void DeviceSums::finish(Run &run, LossList &losses) {
  for (size_t i = 0; i != devices.size(); ++i) {
    Device &sums = devices[i];
    DeviceInfo &info = run.devices[i];
    info.busyPs = sums.all.totalPs;
    info.kernelBusyPs = sums.kernels.totalPs;
    info.copyBusyPs = sums.copies.totalPs;
    info.idle = std::move(sums.idle);
    std::map<std::string, Summary> waits;
    for (auto &[name, time] : sums.waits)
      waits[name == kNone ? "" : profile.strings[name]].merge(time);
    for (auto &[name, time] : waits)
      info.waits.push_back({name, std::move(time)});
  }
  for (const auto &[track, stream] : streams)
    run.tracks[track].busyPs = stream.totalPs;
  if (unlaunched)
    losses.add("device work whose launch was not recorded", unlaunched,
               unlaunchedPs);
  if (repeatedFlows)
    losses.add("launch with the number of an earlier one", repeatedFlows, 0);
}
