//===- WriteRun.cpp - Writing runs on devices as JSON ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/RunFile.h"
#include "mlir-prof/Support/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::device;
using llvm::json::OStream;

static void writeDevice(const DeviceInfo &device, OStream &json) {
  json.attributeObject("device", [&] {
    json.attribute("name", device.name);
    json.attribute("major", device.major);
    json.attribute("minor", device.minor);
    json.attribute("memory_bytes", int64_t(device.memoryBytes));
    json.attribute("multiprocessors", device.multiprocessors);
    json.attribute("shared_bytes", device.sharedBytes);
    json.attribute("driver_version", device.driverVersion);
  });
}

static void writeSizes(llvm::StringRef name,
                       const std::array<uint32_t, 3> &sizes, OStream &json) {
  json.attributeArray(name, [&] {
    for (uint32_t size : sizes)
      json.value(size);
  });
}

static void writeKernels(const DeviceRun &run, const Program &program,
                         OStream &json) {
  json.attributeArray("kernels", [&] {
    for (auto [kernel, info] : llvm::zip(program.kernels, run.functions))
      json.object([&, &kernel = kernel, &info = info] {
        json.attribute("name", kernel.name);
        writeSizes("block", kernel.block, json);
        json.attribute("registers", info.registers);
        json.attribute("local_bytes", info.localBytes);
        json.attribute("shared_bytes", info.sharedBytes);
        json.attribute("dynamic_shared_bytes", kernel.sharedBytes);
        json.attribute("max_threads", info.maxThreads);
      });
  });
}

/// The intervals of one step.
static void writeTimes(const DeviceRun &run, size_t step, OStream &json) {
  std::vector<int64_t> times;
  for (const Iteration &iteration : run.iterations)
    if (iteration.isTimed)
      times.push_back(iteration.stepPs[step]);
  if (times.empty())
    return;
  json.attribute("median_ps", getMedian(times));
  json.attribute("min_ps", *llvm::min_element(times));
  json.attribute("spread_ps",
                 (getQuantile(times, 3, 4) - getQuantile(times, 1, 4)) / 2);
}

static void writeSteps(const DeviceRun &run, const Program &program,
                       OStream &json) {
  json.attributeArray("steps", [&] {
    for (auto [index, step] : llvm::enumerate(program.steps))
      json.object([&, index = index, &step = step] {
        if (const auto *launch = std::get_if<Launch>(&step)) {
          json.attribute("kernel", program.kernels[launch->kernel].name);
          writeSizes("grid", launch->grid, json);
        } else {
          json.attribute("copied_bytes",
                         int64_t(std::get<Copy>(step).to.bytes));
        }
        writeTimes(run, index, json);
      });
  });
}

static void writeTransfers(const DeviceRun &run, OStream &json) {
  json.attributeArray("transfers", [&] {
    for (const Transfer &transfer : run.transfers)
      json.object([&] {
        json.attribute("name", transfer.name);
        json.attribute("direction",
                       transfer.isToDevice ? "to device" : "from device");
        json.attribute("bytes", int64_t(transfer.bytes));
        json.attribute("duration_ps", transfer.durationPs);
      });
  });
}

/// The instructions of each kernel that were sampled.
static void writeSamples(const DeviceRun &run, OStream &json) {
  json.attribute("dropped_samples", int64_t(run.samples.dropped));
  json.attributeArray("samples", [&] {
    for (const SampledPlace &place : run.samples.places)
      json.object([&] {
        json.attribute("kernel", place.kernel);
        json.attribute("offset", int64_t(place.offset));
        json.attribute("line", place.line);
        json.attribute("samples", int64_t(place.samples));
      });
  });
}

static void writeIterations(const DeviceRun &run, OStream &json) {
  json.attributeArray("iterations", [&] {
    for (const Iteration &iteration : run.iterations)
      json.object([&] {
        json.attribute("begin_ns", iteration.beginNs - run.beginNs);
        json.attribute("start_ns", iteration.startNs);
        json.attribute("wall_ns", iteration.wallNs);
        json.attribute("device_ps", iteration.devicePs);
        if (!iteration.isTimed)
          return;
        json.attributeArray("step_ps", [&] {
          for (int64_t time : iteration.stepPs)
            json.value(time);
        });
      });
  });
}

void device::writeRun(const DeviceRun &run, const Program &program,
                      llvm::StringRef hash, llvm::raw_ostream &os) {
  OStream json(os);
  json.object([&] {
    json.attribute("schema", "mlir-prof.launches/1");
    json.attribute("program", hash);
    json.attribute("target", program.target);
    writeDevice(run.device, json);
    json.attribute("replay", run.replay == Replay::Graph ? "graph" : "stream");
    json.attribute("count", int64_t(run.count));
    json.attribute("begin_epoch_ns", run.beginEpochNs);
    json.attribute("plain_median_ps", run.getMedianPs(/*isTimed=*/false));
    json.attribute("timed_median_ps", run.getMedianPs(/*isTimed=*/true));
    json.attribute("overhead_ppm", run.getOverheadPpm());
    json.attribute("event_ps", run.eventPs);
    if (run.peak.flops != 0)
      json.attributeObject("peak", [&] {
        json.attribute("flops_per_second", int64_t(run.peak.flops));
        json.attribute("bytes_per_second", int64_t(run.peak.bytes));
      });
    writeTransfers(run, json);
    writeKernels(run, program, json);
    writeSteps(run, program, json);
    writeSamples(run, json);
    writeIterations(run, json);
  });
  os << '\n';
}
