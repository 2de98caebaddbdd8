//===- ProfileFromRun.cpp - A run as a profile ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/ProfileFromRun.h"
#include "Peak/PageFaultCost.h"
#include "mlir-prof/Import/ProfRaw.h"
#include "mlir-prof/Profile/KeptSamples.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Machine.h"
#include "mlir-prof/Support/Version.h"
#include "mlir-prof/Trace/BusyTime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <numeric>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::trace;

static constexpr int64_t kPsPerNs = 1000;

/// Times come from the child, which a model may have damaged: they must not
/// overflow.
static int64_t toPs(int64_t ns, int64_t originNs) {
  __int128 time = (__int128(ns) - originNs) * kPsPerNs;
  return int64_t(std::clamp<__int128>(time,
                                      std::numeric_limits<int64_t>::min() / 2,
                                      std::numeric_limits<int64_t>::max() / 2));
}

static llvm::StringRef toString(SamplerKind kind) {
  switch (kind) {
  case SamplerKind::None:
    return "none";
  case SamplerKind::Automatic:
    return "automatic";
  case SamplerKind::Timer:
    return "timer";
  case SamplerKind::PerfEvent:
    return "perf_event";
  }
  llvm_unreachable("unknown sampler");
}

static llvm::StringRef toString(ExitKind exit) {
  switch (exit) {
  case ExitKind::Finished:
    return "finished";
  case ExitKind::Timeout:
    return "timeout";
  case ExitKind::Signal:
    return "signal";
  case ExitKind::Exited:
    return "exited";
  case ExitKind::Interrupted:
    return "interrupted";
  }
  llvm_unreachable("unknown exit");
}

/// `times` samples that each represent `value`.
static Summary makeEven(uint64_t times, int64_t value) {
  Summary one, sum;
  one.add(value);
  // By doubling, as there may be millions of them.
  for (; times != 0; times /= 2) {
    if (times % 2)
      sum.merge(one);
    one.merge(Summary(one));
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

namespace {
class SampleCounter {
public:
  SampleCounter(const Program &program, const RunResult &result,
                Profile &profile, Run &run)
      : program(program), result(result), profile(profile), run(run),
        periodPs(result.samplePeriodNs * kPsPerNs) {}

  void add();
  /// Keeps the samples one by one; call after add().
  void keep();

private:
  /// The parts of an op key: the kind of sample, the instruction, the symbol,
  /// and the dispatch.
  using Place = std::tuple<SampleClass, uint32_t, uint32_t, uint32_t>;
  struct Count {
    uint64_t samples = 0;
    int64_t firstNs = 0;
    /// Index of the op key.
    uint32_t op = kNone;
  };

  Place getPlace(const Sample &sample) const;
  OpKey makeKey(const Place &place) const;
  llvm::StringRef getSymbol(uint32_t symbol) const;
  int64_t toPs(int64_t ns) const { return ::toPs(ns, result.beginNs); }
  void addTracks();
  void addOps();
  void addBusyTime();

  const Program &program;
  const RunResult &result;
  Profile &profile;
  Run &run;
  int64_t periodPs;
  std::map<Place, Count> counts;
};
} // namespace

/// Samples in the kernel count at the entry to it, next to those in the model's
/// own code.
SampleCounter::Place SampleCounter::getPlace(const Sample &sample) const {
  SampleClass kind = sample.sampleClass;
  if (!isOfOp(kind))
    return {kind, kNone, sample.symbol, kNone};
  uint32_t instruction = sample.address == kNoAddress
                             ? kNone
                             : findInstruction(program, sample.address);
  if (instruction == kNone)
    return {SampleClass::Outside, kNone, sample.symbol, kNone};
  return {kind, instruction, sample.symbol, sample.instance};
}

llvm::StringRef SampleCounter::getSymbol(uint32_t symbol) const {
  return symbol < result.symbols.size()
             ? llvm::StringRef(result.symbols[symbol])
             : "unknown";
}

static OutsideKind toOutsideKind(SampleClass kind) {
  switch (kind) {
  case SampleClass::Wait:
    return OutsideKind::Waiting;
  case SampleClass::Steal:
    return OutsideKind::Stealing;
  case SampleClass::Executor:
    return OutsideKind::Executor;
  default:
    return OutsideKind::Outside;
  }
}

OpKey SampleCounter::makeKey(const Place &place) const {
  auto [kind, instruction, symbol, instance] = place;
  if (instruction == kNone)
    return makeOutsideKey(getSymbol(symbol), toOutsideKind(kind));
  if (kind == SampleClass::Library)
    return makeCodeKey(program, instruction, getSymbol(symbol), instance);
  return makeCodeKey(program, instruction,
                     kind == SampleClass::Kernel ? "kernel" : "", instance);
}

/// Index of `text` among the profile's strings.
static uint32_t addString(Profile &profile, llvm::StringRef text) {
  auto known = llvm::find(profile.strings, text);
  auto index = uint32_t(known - profile.strings.begin());
  if (known == profile.strings.end())
    profile.strings.push_back(text.str());
  return index;
}

/// Adds the threads, with the time of each kind of place.
void SampleCounter::addTracks() {
  static constexpr llvm::StringLiteral names[] = {
      "work",    "library",  "kernel",  "waiting",
      "outside", "stealing", "executor"};
  std::map<std::pair<uint32_t, SampleClass>, uint64_t> samples;
  for (const Sample &sample : result.samples)
    ++samples[{sample.thread, sample.sampleClass}];
  for (auto [index, name] : llvm::enumerate(result.threads)) {
    TrackInfo track;
    track.plane = "threads";
    track.line = uint32_t(index);
    track.id = int64_t(index);
    track.name = name;
    run.tracks.push_back(std::move(track));
  }
  for (const auto &[place, count] : samples) {
    auto [thread, sampleClass] = place;
    if (thread >= run.tracks.size())
      continue;
    run.tracks[thread].events += count;
    EventSummary summary;
    summary.track = thread;
    summary.name = addString(profile, names[size_t(sampleClass)]);
    summary.total = summary.self = makeEven(count, periodPs);
    run.events.push_back(std::move(summary));
  }
}

void SampleCounter::addOps() {
  for (const Sample &sample : result.samples) {
    Count &count = counts[getPlace(sample)];
    if (count.samples++ == 0)
      count.firstNs = sample.timeNs;
  }
  for (auto &[place, count] : counts) {
    OpSummary op;
    count.op = op.op = uint32_t(profile.opKeys.size());
    profile.opKeys.push_back(makeKey(place));
    op.firstBeginPs = toPs(count.firstNs);
    Summary time = makeEven(count.samples, periodPs);
    op.measurements.push_back({Quantity::Execute, time});
    op.measurements.push_back({Quantity::Self, time});
    op.measurements.push_back({Quantity::Samples, makeEven(count.samples, 1)});
    run.ops.push_back(std::move(op));
  }
}

/// An op is assumed to execute in the period before each sample of its code.
void SampleCounter::addBusyTime() {
  BusyTime busy;
  for (const Step &step : run.steps)
    busy.addWindow(step.beginPs, step.beginPs + step.durationPs);
  for (const Sample &sample : result.samples) {
    if (!isOfOp(sample.sampleClass))
      continue;
    int64_t end = toPs(sample.timeNs);
    busy.add(end - periodPs, end);
    busy.settle(end - periodPs);
  }
  busy.finish();
  run.opBusyPs = run.opInflightPs = busy.getTotalPs();
  for (auto [index, step] : llvm::enumerate(run.steps))
    step.opBusyPs = step.opInflightPs = busy.getWindowPs(uint32_t(index));
}

void SampleCounter::add() {
  addTracks();
  addOps();
  addBusyTime();
}

void SampleCounter::keep() {
  std::map<uint32_t, uint32_t> nameOfOp;
  EventColumns &kept = run.kept;
  for (const Sample &sample : result.samples) {
    if (sample.thread >= run.tracks.size())
      continue;
    uint32_t op = counts.at(getPlace(sample)).op;
    auto [name, isNew] = nameOfOp.try_emplace(op, 0);
    if (isNew)
      name->second = addString(profile, profile.opKeys[op].op);
    kept.track.push_back(sample.thread);
    kept.name.push_back(name->second);
    kept.op.push_back(op);
    kept.beginPs.push_back(toPs(sample.timeNs) - periodPs);
    kept.durationPs.push_back(periodPs);
  }
  setKeepsSamples(run);
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// The events of `from` by (begin, -end).
static EventColumns sortEvents(const EventColumns &from) {
  std::vector<uint32_t> order(from.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return std::tie(from.beginPs[a], from.durationPs[b], a) <
           std::tie(from.beginPs[b], from.durationPs[a], b);
  });
  EventColumns to;
  for (uint32_t event : order) {
    to.track.push_back(from.track[event]);
    to.name.push_back(from.name[event]);
    to.op.push_back(from.op[event]);
    to.beginPs.push_back(from.beginPs[event]);
    to.durationPs.push_back(from.durationPs[event]);
    if (!from.beginCode.empty())
      to.addCode(from.beginCode[event], from.endCode[event]);
  }
  return to;
}

/// Keeps the parts of the run, and its iterations, on a separate track.
static void keepParts(const RunResult &result, Profile &profile, Run &run) {
  TrackInfo track;
  track.plane = "run";
  track.line = uint32_t(run.tracks.size());
  track.id = int64_t(run.tracks.size());
  track.name = "parts of the run";
  auto keep = [&](llvm::StringRef name, int64_t beginPs, int64_t durationPs) {
    run.kept.track.push_back(track.line);
    run.kept.name.push_back(addString(profile, name));
    run.kept.op.push_back(kNone);
    run.kept.beginPs.push_back(beginPs);
    run.kept.durationPs.push_back(durationPs);
    if (!run.kept.beginCode.empty())
      run.kept.addCode(0, 0);
    ++track.events;
  };
  // The origin of a run whose clock has another zero, as steps have it.
  __int128 origin = result.beginNs;
  if (run.clock.hasAnchor)
    origin += __int128(run.clock.anchorNs) - result.beginEpochNs;
  for (const RunPart &part : result.parts)
    keep(part.name, toPs(part.beginNs, int64_t(origin)),
         toPs(part.endNs, part.beginNs));
  for (const Step &step : run.steps)
    keep("iteration", step.beginPs, step.durationPs);
  run.tracks.push_back(std::move(track));
  run.kept = sortEvents(run.kept);
}

/// Names the content of the run: measurements, their time, and the program.
static std::string hashRun(const Program &program, const RunResult &result) {
  std::string bytes = program.fingerprint;
  auto put = [&](auto value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  };
  put(result.beginEpochNs);
  put(result.samplePeriodNs);
  put(uint64_t(result.samples.size()));
  for (const Sample &sample : result.samples) {
    put(sample.timeNs);
    put(sample.thread);
    put(sample.sampleClass);
    put(sample.address);
    put(sample.symbol);
    if (sample.instance != kNone)
      put(sample.instance);
  }
  for (int64_t time : result.iterationNs)
    put(time);
  bytes += result.raw;
  return contentHash(bytes);
}

static void describeMachine(Machine &machine) {
  MachineInfo info = getMachineInfo();
  machine.cpu = info.cpu;
  machine.features = info.features;
  machine.threads = info.threads;
  machine.os = info.os;
}

/// Whether the times of the run are those of probes. The runtime may also write
/// values alone, in addition to samples.
static bool isInstrumented(const Program &program, const RunResult &result) {
  return !result.raw.empty() && !program.probes.empty();
}

/// Describes the meaning of a sample.
static llvm::StringRef describeSampledTime(SamplerKind kind) {
  switch (kind) {
  case SamplerKind::Timer:
    return "wall time";
  case SamplerKind::PerfEvent:
    return "processor time";
  case SamplerKind::None:
  case SamplerKind::Automatic:
    return "";
  }
  llvm_unreachable("unknown sampler");
}

static void describeRun(const CompiledModel &model, const Program &program,
                        const RunResult &result, Run &run) {
  run.hash = hashRun(program, result);
  run.producer = {"mlir-prof", "mlir-prof record", getVersion().str()};
  describeMachine(run.machine);
  bool isSampled = !isInstrumented(program, result);
  run.samplePeriodPs = isSampled ? result.samplePeriodNs * kPsPerNs : 0;
  auto fact = [&](const char *name, std::string value) {
    run.facts.emplace_back(name, std::move(value));
  };
  fact("entry", program.entry);
  fact("pipeline", program.pipeline);
  fact("sampler",
       toString(isSampled ? result.sampler : SamplerKind::None).str());
  if (isSampled && result.sampler != SamplerKind::None)
    fact("sampled time", describeSampledTime(result.sampler).str());
  if (!result.threads.empty())
    fact("threads of the run", std::to_string(result.threads.size()));
  fact("exit", toString(result.exit).str());
  if (!result.exitReason.empty())
    fact("exit reason", result.exitReason);
  fact("iterations", std::to_string(result.iterations));
  fact("page faults", std::to_string(result.pageFaults));
  fact("page faults of the first iteration",
       std::to_string(result.firstPageFaults));
  uint64_t faults =
      result.iterations ? result.pageFaults / result.iterations : 0;
  if (int64_t faultPs = faults ? measurePageFaultPs(faults) : 0)
    fact("picoseconds a page fault", std::to_string(faultPs));
  run.scopes = result.scopes;
  for (const Loss &loss : model.losses)
    run.losses.push_back(loss);
  for (const Loss &loss : result.losses)
    run.losses.push_back(loss);
}

/// Number of iterations that become steps: the first kFirstSteps, for a look at
/// each, and others spread evenly over the rest of the run, as the machine's
/// slow and fast times alternate.
static constexpr size_t kMaxSteps = 1000, kFirstSteps = 500;

/// The positions of the iterations that become steps, out of `count`.
static llvm::SmallVector<size_t> chooseSteps(size_t count) {
  llvm::SmallVector<size_t> chosen;
  size_t first = count <= kMaxSteps ? count : kFirstSteps;
  for (size_t i = 0; i != first; ++i)
    chosen.push_back(i);
  size_t others = std::min(count, kMaxSteps) - first;
  for (size_t i = 0; i != others; ++i)
    chosen.push_back(first + i * (count - first) / others);
  return chosen;
}

/// Adds iterations as steps; their times are on the run's clock, whose anchor
/// may differ from the begin of the first.
static void addIterations(const RunResult &result, Run &run) {
  for (int64_t time : result.iterationNs)
    run.iterations.add(toPs(time, 0));
  if (result.iterations > result.iterationNs.size())
    run.losses.push_back({"iterations whose times were not kept",
                          result.iterations - result.iterationNs.size(), 0});
  __int128 origin = result.beginNs;
  if (run.clock.hasAnchor)
    origin += __int128(run.clock.anchorNs) - result.beginEpochNs;
  auto originNs = int64_t(origin);
  for (size_t index : chooseSteps(result.iterationBeginNs.size())) {
    Step step;
    step.number = int64_t(index);
    step.beginPs = toPs(result.iterationBeginNs[index], originNs);
    step.durationPs = toPs(result.iterationNs[index], 0);
    run.steps.push_back(step);
  }
}

llvm::Expected<size_t> record::addProgram(const CompiledModel &model,
                                          Profile &profile) {
  std::string fingerprint = fingerprintProgram(model.program);
  if (const Program *known = profile.findProgram(fingerprint))
    return size_t(known - profile.programs.data());
  auto levels = joinLevels(model);
  if (!levels)
    return levels.takeError();
  profile.programs.push_back(model.program);
  profile.programs.back().fingerprint = fingerprint;
  for (IrModule &module : *levels) {
    module.program = fingerprint;
    profile.irModules.push_back(std::move(module));
  }
  return profile.programs.size() - 1;
}

/// Reads the runtime's data, as a run of `profile`.
static llvm::Error readRaw(const Program &program, const RunResult &result,
                           Profile &profile) {
  ProfileBuilder builder(profile);
  ProfRawOptions options;
  options.program = &program;
  if (llvm::Error error =
          readProfRaw(result.raw, "the run's data", builder, options))
    return error;
  builder.finish();
  return llvm::Error::success();
}

/// Adds values that were observed in a sampled run.
static llvm::Error addValues(const Program &program, const RunResult &result,
                             Run &run) {
  Profile observed;
  if (llvm::Error error = readRaw(program, result, observed))
    return error;
  for (Run &part : observed.runs) {
    llvm::append_range(run.values, part.values);
    llvm::append_range(run.losses, part.losses);
  }
  return llvm::Error::success();
}

llvm::Error record::addRun(const CompiledModel &model, const RunResult &result,
                           Profile &profile, KeepSamples keep) {
  auto added = addProgram(model, profile);
  if (!added)
    return added.takeError();
  // It is large, and nothing below adds another.
  const Program &program = profile.programs[*added];
  if (isInstrumented(program, result)) {
    if (llvm::Error error = readRaw(program, result, profile))
      return error;
    Run &run = profile.runs.back();
    addIterations(result, run);
    describeRun(model, program, result, run);
    if (keep == KeepSamples::Yes)
      keepParts(result, profile, run);
    return llvm::Error::success();
  }
  Run run;
  run.clock = {"monotonic", result.beginEpochNs, /*hasAnchor=*/true};
  addIterations(result, run);
  SampleCounter counter(program, result, profile, run);
  counter.add();
  if (keep == KeepSamples::Yes) {
    counter.keep();
    keepParts(result, profile, run);
  }
  if (!result.raw.empty())
    if (llvm::Error error = addValues(program, result, run))
      return error;
  describeRun(model, program, result, run);
  profile.runs.push_back(std::move(run));
  return llvm::Error::success();
}
