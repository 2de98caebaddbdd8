//===- ReadRun.cpp - Reading runs on devices as JSON ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/RunFile.h"
#include "mlir-prof/Support/Error.h"

#include "simdjson.h"

using namespace mlirprof;
using namespace mlirprof::device;

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;

/// Limit on times, so that sums of all do not overflow: a day.
static constexpr int64_t kMaxNs = int64_t(86400) * 1000000000;
static constexpr int64_t kMaxPs = kMaxNs * 1000;

namespace {
/// Reads members. One that is missing or not in its range makes the document
/// bad.
class RunReader {
public:
  RunReader(const Program &program, llvm::StringRef where)
      : program(program), where(where) {}

  llvm::Expected<DeviceRun> read(const Object &top, llvm::StringRef hash);

private:
  std::string getText(const Object &object, const char *name);
  int64_t getNumber(const Object &object, const char *name, int64_t most);
  simdjson::dom::array getList(const Object &object, const char *name);
  DeviceInfo readDevice(const Object &top);
  FunctionInfo readFunction(const Object &kernel);
  Transfer readTransfer(const Object &object);
  SampledPlace readPlace(const Object &object);
  Iteration readIteration(const Object &object, int64_t beginNs);
  llvm::Error fail(const llvm::Twine &what) const {
    return inputError(where, what,
                      "Run the program again with --times=" + where + ".");
  }

  const Program &program;
  llvm::StringRef where;
  /// The first member that is missing or wrong.
  std::string bad;
};
} // namespace

std::string RunReader::getText(const Object &object, const char *name) {
  std::string_view text;
  if (object.at_key(name).get(text) && bad.empty())
    bad = name;
  return std::string(text);
}

int64_t RunReader::getNumber(const Object &object, const char *name,
                             int64_t most) {
  int64_t number = 0;
  bool failed = object.at_key(name).get(number) != simdjson::SUCCESS;
  if ((failed || number < 0 || number > most) && bad.empty())
    bad = name;
  return failed || number < 0 || number > most ? 0 : number;
}

simdjson::dom::array RunReader::getList(const Object &object,
                                        const char *name) {
  simdjson::dom::array list;
  if (object.at_key(name).get(list) && bad.empty())
    bad = name;
  return list;
}

DeviceInfo RunReader::readDevice(const Object &top) {
  DeviceInfo device;
  Object object;
  if (top.at_key("device").get(object)) {
    bad = "device";
    return device;
  }
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  device.name = getText(object, "name");
  device.major = unsigned(getNumber(object, "major", kMost));
  device.minor = unsigned(getNumber(object, "minor", kMost));
  device.memoryBytes = uint64_t(
      getNumber(object, "memory_bytes", std::numeric_limits<int64_t>::max()));
  device.multiprocessors =
      unsigned(getNumber(object, "multiprocessors", kMost));
  device.sharedBytes = unsigned(getNumber(object, "shared_bytes", kMost));
  device.driverVersion = unsigned(getNumber(object, "driver_version", kMost));
  return device;
}

FunctionInfo RunReader::readFunction(const Object &kernel) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  FunctionInfo info;
  info.registers = unsigned(getNumber(kernel, "registers", kMost));
  info.localBytes = unsigned(getNumber(kernel, "local_bytes", kMost));
  info.sharedBytes = unsigned(getNumber(kernel, "shared_bytes", kMost));
  info.maxThreads = unsigned(getNumber(kernel, "max_threads", kMost));
  return info;
}

Transfer RunReader::readTransfer(const Object &object) {
  Transfer transfer;
  transfer.name = getText(object, "name");
  transfer.isToDevice = getText(object, "direction") == "to device";
  transfer.bytes =
      uint64_t(getNumber(object, "bytes", std::numeric_limits<int64_t>::max()));
  transfer.durationPs = getNumber(object, "duration_ps", kMaxPs);
  return transfer;
}

SampledPlace RunReader::readPlace(const Object &object) {
  constexpr int64_t kMost = std::numeric_limits<uint32_t>::max();
  SampledPlace place;
  place.kernel = getText(object, "kernel");
  place.offset = uint64_t(getNumber(object, "offset", kMost));
  place.line = uint32_t(getNumber(object, "line", kMost));
  // Sums of all of them do not overflow.
  place.samples = uint64_t(getNumber(object, "samples", int64_t(1) << 40));
  return place;
}

Iteration RunReader::readIteration(const Object &object, int64_t beginNs) {
  Iteration iteration;
  iteration.beginNs = beginNs + getNumber(object, "begin_ns", kMaxNs);
  iteration.startNs = getNumber(object, "start_ns", kMaxNs);
  iteration.wallNs = getNumber(object, "wall_ns", kMaxNs);
  iteration.devicePs = getNumber(object, "device_ps", kMaxPs);
  simdjson::dom::array steps;
  if (object.at_key("step_ps").get(steps))
    return iteration;
  iteration.isTimed = true;
  for (Element step : steps) {
    int64_t time = 0;
    if ((step.get(time) || time < 0 || time > kMaxPs) && bad.empty())
      bad = "step_ps";
    iteration.stepPs.push_back(std::clamp<int64_t>(time, 0, kMaxPs));
  }
  if (iteration.stepPs.size() != program.steps.size() && bad.empty())
    bad = "step_ps";
  return iteration;
}

llvm::Expected<DeviceRun> RunReader::read(const Object &top,
                                          llvm::StringRef hash) {
  if (getText(top, "schema") != "mlir-prof.launches/1")
    return fail("is not a run on a device");
  if (getText(top, "program") != hash)
    return inputError(where, "is a run of another program",
                      "Name the run of this program, or run it again.");
  DeviceRun run;
  run.device = readDevice(top);
  run.replay =
      getText(top, "replay") == "graph" ? Replay::Graph : Replay::Stream;
  run.count =
      uint64_t(getNumber(top, "count", std::numeric_limits<int64_t>::max()));
  // Half of the range, as times are added to it.
  run.beginEpochNs =
      getNumber(top, "begin_epoch_ns", std::numeric_limits<int64_t>::max() / 2);
  run.eventPs = getNumber(top, "event_ps", kMaxPs);
  // Runs without it are good.
  if (Object peak; !top.at_key("peak").get(peak)) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    run.peak.flops = uint64_t(getNumber(peak, "flops_per_second", kMost));
    run.peak.bytes = uint64_t(getNumber(peak, "bytes_per_second", kMost));
  }
  auto each = [&](const char *name, auto read) {
    for (Element element : getList(top, name)) {
      Object object;
      if (!element.get(object))
        read(object);
      else if (bad.empty())
        bad = name;
    }
  };
  each("transfers",
       [&](const Object &o) { run.transfers.push_back(readTransfer(o)); });
  each("kernels",
       [&](const Object &o) { run.functions.push_back(readFunction(o)); });
  run.samples.dropped = uint64_t(
      getNumber(top, "dropped_samples", std::numeric_limits<int64_t>::max()));
  each("samples",
       [&](const Object &o) { run.samples.places.push_back(readPlace(o)); });
  each("iterations", [&](const Object &o) {
    run.iterations.push_back(readIteration(o, run.beginNs));
  });
  if (run.functions.size() != program.kernels.size() && bad.empty())
    bad = "kernels";
  if (!bad.empty())
    return fail("the member \"" + llvm::Twine(bad) + "\" is missing or wrong");
  return std::move(run);
}

llvm::Expected<DeviceRun> device::readRun(llvm::StringRef text,
                                          const Program &program,
                                          llvm::StringRef hash,
                                          llvm::StringRef where) {
  simdjson::dom::parser parser;
  Object top;
  simdjson::error_code code =
      parser.parse(simdjson::padded_string(text.data(), text.size())).get(top);
  if (code)
    return inputError(
        where, std::string("is not JSON: ") + simdjson::error_message(code),
        "Name a file that 'mlir-prof-gpu --times' wrote.");
  return RunReader(program, where).read(top, hash);
}
