//===- ProfileFromDevice.cpp - A run on a device as a profile -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/ProfileFromDevice.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::device;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::trace;

static constexpr int64_t kPsPerNs = 1000;

llvm::Expected<Profile>
record::makeDeviceLevels(const CompiledModel &model,
                         const device::Program &program) {
  auto levels = joinLevels(model);
  if (!levels)
    return levels.takeError();
  Profile profile;
  profile::Program &own = profile.programs.emplace_back(model.program);
  std::vector<uint32_t> nodes;
  for (const Kernel &kernel : program.kernels)
    if (kernel.node < own.nodes.size())
      nodes.push_back(kernel.node);
  llvm::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (uint32_t node : nodes) {
    ProgramProbe probe;
    probe.kind = ProbeKind::Function;
    probe.node = node;
    own.probes.push_back(probe);
  }
  own.fingerprint = fingerprintProgram(own);
  for (IrModule &module : *levels) {
    module.program = own.fingerprint;
    profile.irModules.push_back(std::move(module));
  }
  return std::move(profile);
}

namespace {

/// An event, to be added in order of time.
struct PlacedEvent {
  Event event;

  bool operator<(const PlacedEvent &other) const {
    return std::make_tuple(event.beginPs, -event.endPs, event.track) <
           std::make_tuple(other.event.beginPs, -other.event.endPs,
                           other.event.track);
  }
};

class DeviceRunWriter {
public:
  DeviceRunWriter(const device::Program &program, const DeviceRun &result,
                  Profile &profile, KeepSamples keep)
      : program(program), result(result), profile(profile),
        builder(profile, {keep == KeepSamples::Yes ? KeepEvents::Mode::All
                                                   : KeepEvents::Mode::None,
                          {}}) {}

  void write();

private:
  OpKey makeKey(const device::Step &step) const;
  void addKeys();
  void addTracks();
  void addTransfers();
  void addIteration(const Iteration &iteration, int64_t number);
  void addEvent(uint32_t track, uint32_t name, int64_t beginPs, int64_t endPs,
                uint32_t op = trace::kNone);
  void addTimes();
  void describeRun();
  std::string hashRun() const;
  int64_t toPs(int64_t ns) const { return (ns - result.beginNs) * kPsPerNs; }

  const device::Program &program;
  const DeviceRun &result;
  Profile &profile;
  ProfileBuilder builder;
  uint32_t stream = 0, copies = 0, host = 0;
  /// By step.
  std::vector<uint32_t> keys;
  std::vector<uint32_t> names;
  /// The intervals of each key, without the cost of events and with it.
  std::map<uint32_t, std::pair<Summary, Summary>> times;
  std::vector<PlacedEvent> events;
};

} // namespace

OpKey DeviceRunWriter::makeKey(const device::Step &step) const {
  const auto *launch = std::get_if<Launch>(&step);
  if (!launch)
    return makeOutsideKey("copy on the device", OutsideKind::Outside);
  const Kernel &kernel = program.kernels[launch->kernel];
  if (profile.programs.empty())
    return makeOutsideKey(kernel.name, OutsideKind::Outside);
  const profile::Program &own = profile.programs.front();
  auto probe = llvm::find_if(own.probes, [&](const ProgramProbe &each) {
    return each.node == kernel.node;
  });
  if (kernel.node == trace::kNone || probe == own.probes.end())
    return makeOutsideKey(kernel.name, OutsideKind::Outside);
  ProbeKey key;
  key.program = own.fingerprint;
  key.probe = uint32_t(probe - own.probes.begin());
  key.isShown = false;
  if (launch->instance < own.instances.size())
    key.instance = launch->instance;
  return OpKey(kernel.name, "", std::move(key));
}

void DeviceRunWriter::addKeys() {
  for (const device::Step &step : program.steps) {
    OpKey key = makeKey(step);
    names.push_back(builder.addName(key.op));
    keys.push_back(builder.addOpKey(std::move(key)));
  }
}

void DeviceRunWriter::addTracks() {
  auto add = [&](std::string plane, uint32_t line, int64_t id,
                 std::string name) {
    Track track;
    track.plane = std::move(plane);
    track.line = line;
    track.id = id;
    track.name = std::move(name);
    return builder.addTrack(std::move(track));
  };
  std::string plane = "device " + result.device.name;
  stream = add(plane, 0, 0, "stream");
  copies = add(plane, 1, 1, "copies");
  host = add("host", 0, 2, "thread");
}

void DeviceRunWriter::addEvent(uint32_t track, uint32_t name, int64_t beginPs,
                               int64_t endPs, uint32_t op) {
  PlacedEvent &placed = events.emplace_back();
  placed.event.track = track;
  placed.event.name = name;
  placed.event.beginPs = beginPs;
  placed.event.endPs = endPs;
  placed.event.op = op;
}

/// They came before the first iteration, one after the other; how long before
/// is not known.
void DeviceRunWriter::addTransfers() {
  int64_t end = 0;
  for (const Transfer &transfer : llvm::reverse(result.transfers)) {
    uint32_t name = builder.addName(transfer.name + (transfer.isToDevice
                                                         ? " to the device"
                                                         : " from the device"));
    addEvent(copies, name, end - transfer.durationPs, end);
    end -= transfer.durationPs;
  }
}

void DeviceRunWriter::addIteration(const Iteration &iteration, int64_t number) {
  int64_t begin = toPs(iteration.beginNs);
  int64_t started = begin + iteration.startNs * kPsPerNs;
  int64_t end = begin + iteration.wallNs * kPsPerNs;
  addEvent(host, builder.addName("iteration"), begin, end);
  events.back().event.role = EventRole::Step;
  events.back().event.step = number;
  addEvent(host, builder.addName("start"), begin, started);
  addEvent(host, builder.addName("wait"), started, end);
  int64_t at = std::max(begin, end - iteration.devicePs);
  for (auto [step, time] : llvm::enumerate(iteration.stepPs)) {
    int64_t own = std::max<int64_t>(time - result.eventPs, 0);
    addEvent(stream, names[step], at, at + own, keys[step]);
    times[keys[step]].first.add(own);
    times[keys[step]].second.add(time);
    at += time;
  }
}

void DeviceRunWriter::addTimes() {
  for (auto &[key, time] : times) {
    builder.setMeasurement(key, Quantity::Execute, time.first);
    builder.setMeasurement(key, Quantity::Self, time.first);
    builder.setMeasurement(key, Quantity::RawExecute, time.second);
    builder.setMeasurement(key, Quantity::RawSelf, time.second);
  }
}

std::string DeviceRunWriter::hashRun() const {
  std::string bytes;
  if (!profile.programs.empty())
    bytes = profile.programs.front().fingerprint;
  bytes += result.device.name;
  auto put = [&](int64_t value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  };
  put(result.beginEpochNs);
  for (const Iteration &iteration : result.iterations) {
    put(iteration.wallNs);
    put(iteration.devicePs);
    for (int64_t time : iteration.stepPs)
      put(time);
  }
  return contentHash(bytes);
}

void DeviceRunWriter::describeRun() {
  Run &run = builder.getRun();
  run.hash = hashRun();
  run.producer = {"mlir-prof", "mlir-prof record", getVersion().str()};
  run.clock = {"monotonic", result.beginEpochNs, /*hasAnchor=*/true};
  // The processor on which the times were measured.
  run.machine.cpu = result.device.name;
  // A stream has the whole device.
  run.machine.flopsOneThread = run.machine.flopsAllThreads = result.peak.flops;
  run.machine.bytesOneThread = run.machine.bytesAllThreads = result.peak.bytes;
  auto fact = [&](std::string name, std::string value) {
    run.facts.emplace_back(std::move(name), std::move(value));
  };
  const device::DeviceInfo &device = result.device;
  fact("device", device.name);
  fact("compute capability",
       std::to_string(device.major) + "." + std::to_string(device.minor));
  fact("driver", "CUDA " + std::to_string(device.driverVersion / 1000) + "." +
                     std::to_string(device.driverVersion % 1000 / 10));
  fact("target", program.target);
  fact("started as", result.replay == Replay::Graph ? "graph" : "stream");
  fact("iterations", std::to_string(result.count));
  fact("median on the device",
       formatTime(result.getMedianPs(/*isTimed=*/false)));
  fact("overhead of timing, ppm", std::to_string(result.getOverheadPpm()));
  fact("picoseconds an event", std::to_string(result.eventPs));
  for (const Transfer &transfer : result.transfers)
    fact("bytes of " + transfer.name +
             (transfer.isToDevice ? " to the device" : " from the device"),
         std::to_string(transfer.bytes));
  if (result.count > result.iterations.size())
    run.losses.push_back({"iterations whose times were not kept",
                          result.count - result.iterations.size(), 0});
}

void DeviceRunWriter::write() {
  addTracks();
  addKeys();
  addTransfers();
  Run &run = builder.getRun();
  for (auto [number, iteration] : llvm::enumerate(result.iterations)) {
    // The times of ops are those of timed iterations.
    if (!iteration.isTimed)
      continue;
    run.iterations.add(iteration.wallNs * kPsPerNs);
    addIteration(iteration, int64_t(number));
  }
  llvm::stable_sort(events);
  for (const PlacedEvent &placed : events)
    builder.event(placed.event);
  addTimes();
  describeRun();
  builder.finish();
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

namespace {

/// Gives the time of each launch to the instructions of its kernel, in
/// proportion to their samples.
class SampleSplitter {
public:
  SampleSplitter(const DeviceSamples &samples, Profile &profile)
      : samples(samples), profile(profile) {}

  void split();

private:
  /// The instructions of one kernel, from `first` on, and their samples.
  struct SampledKernel {
    uint32_t first = 0;
    std::vector<uint64_t> counts;
  };

  void addInstructions();
  uint32_t getNode(uint32_t line) const;
  void splitOp(const OpSummary &op, const SampledKernel &kernel,
               uint32_t instance, std::vector<OpSummary> &to);

  const DeviceSamples &samples;
  Profile &profile;
  /// By name.
  std::map<std::string, SampledKernel> kernels;
};

} // namespace

/// The lines of the assembly are the numbers of nodes, from 1 on.
uint32_t SampleSplitter::getNode(uint32_t line) const {
  const profile::Program &own = profile.programs.front();
  return line == 0 || line > own.nodes.size() ? trace::kNone : line - 1;
}

/// Instructions without a line belong to the line before them.
void SampleSplitter::addInstructions() {
  profile::Program &own = profile.programs.front();
  own.strings.push_back("sass");
  auto text = uint32_t(own.strings.size() - 1);
  uint64_t begin = 0;
  uint32_t node = trace::kNone;
  for (const SampledPlace &place : samples.places) {
    auto [kernel, isNew] = kernels.try_emplace(place.kernel);
    if (isNew) {
      begin = own.functions.empty() ? 0 : own.functions.back().end;
      kernel->second.first = uint32_t(own.instructions.size());
      own.functions.push_back({place.kernel, begin, begin});
      node = trace::kNone;
    }
    if (uint32_t known = getNode(place.line); known != trace::kNone)
      node = known;
    own.functions.back().end = begin + place.offset + 1;
    own.instructions.push_back(
        {begin + place.offset, node, text, trace::kNone});
    kernel->second.counts.push_back(place.samples);
  }
}

/// The part of `value` up to a sample: the differences add up to it exactly.
static int64_t takePart(int64_t value, uint64_t part, uint64_t whole) {
  return int64_t(__int128(value) * part / whole);
}

void SampleSplitter::splitOp(const OpSummary &op, const SampledKernel &kernel,
                             uint32_t instance, std::vector<OpSummary> &to) {
  uint64_t whole = 0, before = 0;
  for (uint64_t count : kernel.counts)
    whole += count;
  if (whole == 0) {
    to.push_back(op);
    return;
  }
  for (auto [index, count] : llvm::enumerate(kernel.counts)) {
    OpSummary part;
    part.op = uint32_t(profile.opKeys.size());
    part.firstBeginPs = op.firstBeginPs;
    profile.opKeys.push_back(makeCodeKey(profile.programs.front(),
                                         kernel.first + uint32_t(index), "",
                                         instance));
    for (Quantity quantity : {Quantity::Execute, Quantity::Self}) {
      int64_t time = op.getSum(quantity);
      Summary summary;
      summary.add(takePart(time, before + count, whole) -
                  takePart(time, before, whole));
      part.measurements.push_back({quantity, summary});
    }
    before += count;
    to.push_back(std::move(part));
  }
}

void SampleSplitter::split() {
  addInstructions();
  profile::Program &own = profile.programs.front();
  std::string old = std::exchange(own.fingerprint, fingerprintProgram(own));
  for (IrModule &module : profile.irModules)
    if (module.program == old)
      module.program = own.fingerprint;
  Run &run = profile.runs.back();
  std::vector<OpSummary> ops;
  for (const OpSummary &op : run.ops) {
    OpKey &key = profile.opKeys[op.op];
    auto *probe = key.getIf<ProbeKey>();
    if (!probe) {
      ops.push_back(op);
      continue;
    }
    probe->program = own.fingerprint;
    uint32_t instance = probe->instance;
    auto kernel = kernels.find(key.op);
    if (kernel == kernels.end())
      ops.push_back(op);
    else
      splitOp(op, kernel->second, instance, ops);
  }
  run.ops = std::move(ops);
  uint64_t count = 0;
  for (const SampledPlace &place : samples.places)
    count += place.samples;
  run.facts.emplace_back("samples on the device", std::to_string(count));
  if (samples.dropped != 0)
    run.losses.push_back(
        {"samples that the device could not keep", samples.dropped, 0});
}

void record::addDeviceRun(const device::Program &program,
                          const DeviceRun &result, Profile &profile,
                          KeepSamples keep) {
  DeviceRunWriter(program, result, profile, keep).write();
  if (!result.samples.places.empty() && !profile.programs.empty())
    SampleSplitter(result.samples, profile).split();
}
