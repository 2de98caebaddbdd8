//===- RunSamples.cpp - Resolving raw samples -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunSamples.h"
#include "StackScan.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Runtime/prof_executor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

#include <optional>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::trace;

namespace {
/// A line of /proc/self/maps.
struct Mapping {
  AddressRange range;
  /// "libm.so.6"; empty for memory without a file.
  std::string file;
};

class Resolver {
public:
  Resolver(const CompiledModel &model, const SharedRunMapping &shared,
           RunResult &result)
      : model(model), shared(shared), result(result) {
    textBegin = shared->textBegin;
    for (const MachineFunction &function : model.program.functions)
      textSize = std::max(textSize, function.end);
  }

  void readAddresses(llvm::StringRef text);
  void resolve();

private:
  void addThread(uint32_t thread);
  Sample toSample(const RawSample &raw, uint32_t thread);
  Sample place(const RawSample &raw, uint32_t thread);
  bool isOfExecutor(const Sample &sample, const RawSample &raw) const;
  bool isMeasured(const RawSample &raw) const;
  bool isEntry(uint64_t offset) const;
  bool isBetweenIterations(const RawSample &raw) const;
  int64_t getEnd() const;
  void addTimeNotRun(uint32_t thread, llvm::ArrayRef<int64_t> timesNs);
  void addTimeNotRun();
  void placeWaiting();
  bool isRuntime(uint64_t address) const;
  const Mapping *findMapping(uint64_t address) const;
  /// Offset of the call that returns to `caller`, or kNoAddress.
  uint64_t findCall(uint64_t caller, llvm::StringRef &callee) const;
  uint32_t getSymbol(uint64_t address, llvm::StringRef callee);
  uint32_t intern(const std::string &symbol);

  const CompiledModel &model;
  const SharedRunMapping &shared;
  RunResult &result;
  uint64_t textBegin = 0;
  uint64_t textSize = 0;
  std::vector<Mapping> mappings;
  /// Addresses of the functions that the model calls.
  llvm::StringMap<uint64_t> functions;
  llvm::StringMap<uint32_t> symbols;
};
} // namespace

void Resolver::readAddresses(llvm::StringRef text) {
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    if (line.consume_front("symbol ")) {
      auto [number, name] = line.split(' ');
      uint64_t address;
      if (!number.getAsInteger(16, address))
        functions[name] = address;
      continue;
    }
    llvm::SmallVector<llvm::StringRef> fields;
    line.split(fields, ' ', /*MaxSplit=*/5, /*KeepEmpty=*/true);
    if (fields.size() < 5 || !fields[1].contains('x'))
      continue;
    Mapping mapping;
    auto [begin, end] = fields[0].split('-');
    if (begin.getAsInteger(16, mapping.range.begin) ||
        end.getAsInteger(16, mapping.range.end))
      continue;
    if (fields.size() > 5)
      mapping.file = llvm::sys::path::filename(fields[5].trim()).str();
    mappings.push_back(std::move(mapping));
  }
  llvm::sort(mappings, [](const Mapping &a, const Mapping &b) {
    return a.range.begin < b.range.begin;
  });
}

const Mapping *Resolver::findMapping(uint64_t address) const {
  auto it = llvm::upper_bound(mappings, address,
                              [](uint64_t at, const Mapping &mapping) {
                                return at < mapping.range.begin;
                              });
  if (it == mappings.begin() || !std::prev(it)->range.contains(address))
    return nullptr;
  return &*std::prev(it);
}

bool Resolver::isRuntime(uint64_t address) const {
  const Mapping *mapping = findMapping(address);
  if (!mapping)
    return false;
  llvm::StringRef file = mapping->file;
  return file.starts_with("libomp") || file.starts_with("libiomp") ||
         file.starts_with("libgomp");
}

uint64_t Resolver::findCall(uint64_t caller, llvm::StringRef &callee) const {
  uint64_t offset = caller - textBegin;
  if (caller < textBegin || offset == 0 || offset > textSize)
    return kNoAddress;
  const Program &program = model.program;
  uint32_t call = findInstruction(program, offset - 1);
  if (call == kNone)
    return kNoAddress;
  const Instruction *it = &program.instructions[call];
  // "callq expf": the symbol that the call's relocation names.
  if (it->text < program.strings.size())
    callee = llvm::StringRef(program.strings[it->text]).split(' ').second;
  // A function of the model that jumped into a library does not identify the
  // library's function.
  bool isOwn = llvm::any_of(program.functions,
                            [&](const auto &f) { return f.name == callee; });
  if (isOwn || callee.contains('%') || callee.contains('*'))
    callee = "";
  return it->address;
}

uint32_t Resolver::intern(const std::string &symbol) {
  auto [it, isNew] =
      symbols.try_emplace(symbol, uint32_t(result.symbols.size()));
  if (isNew)
    result.symbols.push_back(symbol);
  return it->second;
}

/// "libm.so.6:expf": the library of the function that the model called, else of
/// the sample.
uint32_t Resolver::getSymbol(uint64_t address, llvm::StringRef callee) {
  auto function = functions.find(callee);
  if (function != functions.end())
    address = function->second;
  const Mapping *mapping = findMapping(address);
  std::string file = mapping ? mapping->file : std::string();
  if (callee.empty())
    return intern(file.empty() ? "unknown" : file);
  return intern(file.empty() ? callee.str() : file + ":" + callee.str());
}

/// perf_event also samples before and after the measured time; those samples
/// are neither the model's nor lost.
bool Resolver::isMeasured(const RawSample &raw) const {
  int64_t end = shared->endNs;
  return raw.timeNs >= shared->beginNs && (end == 0 || raw.timeNs <= end);
}

/// Whether the code is the entry by which the harness calls the model: only
/// code without an op, as the model may have been inlined there.
bool Resolver::isEntry(uint64_t offset) const {
  const Program &program = model.program;
  const MachineFunction *function = findFunction(program, offset);
  if (!function || (function->name != model.entrySymbol &&
                    function->name != "_mlir_ciface_" + program.entry))
    return false;
  uint32_t instruction = findInstruction(program, offset);
  return instruction != kNone &&
         program.instructions[instruction].node == kNone;
}

/// Whether the harness ran: false if the iteration's times were not kept.
bool Resolver::isBetweenIterations(const RawSample &raw) const {
  // The harness reads the clock at both ends of an iteration: a sample there is
  // after the beginning, with its time taken when the interrupt is handled, or
  // before the end. The model is not on the stack then. In a virtual machine an
  // interrupt takes tens of microseconds.
  constexpr int64_t kInterruptNs = 50000;
  int64_t edgeNs = raw.caller == 0 ? kInterruptNs : 0;
  uint64_t known =
      std::min<uint64_t>(shared->iterations, SharedRun::kMaxIterations);
  llvm::ArrayRef<int64_t> begins(shared->iterationBeginNs, known);
  if (begins.empty())
    return false;
  if (raw.timeNs < begins.front())
    return true;
  size_t number = llvm::upper_bound(begins, raw.timeNs) - begins.begin() - 1;
  int64_t sinceBegin = raw.timeNs - begins[number];
  // After the last known iteration there may be another: one whose times did
  // not fit, or that did not finish.
  bool isOpen = number + 1 == known &&
                (shared->iterations > known || shared->phase != RunPhase::Done);
  return sinceBegin < edgeNs ||
         (sinceBegin + edgeNs > shared->iterationNs[number] && !isOpen);
}

// prof_executor_current() is a CurrentInstance.
static_assert(kNoInstance == PROF_EXECUTOR_OUTSIDE &&
                  kAwaiting == PROF_EXECUTOR_WAITING &&
                  kStealing == PROF_EXECUTOR_STEALING &&
                  kInExecutor == PROF_EXECUTOR_SCHEDULING,
              "the executor has the sampler's codes");

/// The class of a thread's place in an executor of dispatches.
static std::optional<SampleClass> getExecutorClass(uint32_t instance) {
  switch (instance) {
  case kInExecutor:
    return SampleClass::Executor;
  case kStealing:
    return SampleClass::Steal;
  case kAwaiting:
    return SampleClass::Wait;
  default:
    return std::nullopt;
  }
}

Sample Resolver::toSample(const RawSample &raw, uint32_t thread) {
  Sample sample = place(raw, thread);
  auto ofExecutor = getExecutorClass(raw.instance);
  bool inModel = raw.address >= textBegin && raw.address - textBegin < textSize;
  if (inModel || (!ofExecutor && !isOfExecutor(sample, raw))) {
    // The model writes the number where its memory errors may reach it.
    if (isOfOp(sample.sampleClass) &&
        raw.instance < model.program.instances.size())
      sample.instance = raw.instance;
    return sample;
  }
  sample.sampleClass = ofExecutor.value_or(SampleClass::Executor);
  sample.address = kNoAddress;
  sample.symbol = getSymbol(raw.address, "");
  return sample;
}

/// Whether `sample`, outside of the model's code, is of an executor although
/// its thread names a dispatch: between the calls of workgroups, and where a
/// program is a list of calls.
bool Resolver::isOfExecutor(const Sample &sample, const RawSample &raw) const {
  if (!model.usesExecutor)
    return false;
  if (sample.sampleClass == SampleClass::Outside)
    return raw.instance <= PROF_EXECUTOR_LAST_INSTANCE;
  llvm::StringRef callee;
  return raw.caller != 0 && findCall(raw.caller, callee) != kNoAddress &&
         callee == codegen::kRunFunction;
}

/// Where the sample was taken, regardless of the executor.
Sample Resolver::place(const RawSample &raw, uint32_t thread) {
  Sample sample;
  sample.timeNs = raw.timeNs;
  sample.thread = thread;
  if (raw.address >= textBegin && raw.address - textBegin < textSize) {
    sample.sampleClass = raw.inKernel ? SampleClass::Kernel : SampleClass::Work;
    sample.address = raw.address - textBegin;
    if (isEntry(sample.address)) {
      sample = {raw.timeNs, thread, SampleClass::Outside, kNoAddress,
                intern("entry")};
    }
    return sample;
  }
  // The main thread's stack then still contains the return addresses of earlier
  // calls.
  if (thread == 0 && isBetweenIterations(raw)) {
    sample.symbol = intern("between iterations");
    return sample;
  }
  llvm::StringRef callee;
  if (raw.caller)
    sample.address = findCall(raw.caller, callee);
  if (sample.address != kNoAddress && isEntry(sample.address))
    return {raw.timeNs, thread, SampleClass::Outside, kNoAddress,
            intern("entry")};
  bool inRuntime = isRuntime(raw.address) || raw.viaRuntime;
  if (inRuntime)
    sample.sampleClass = SampleClass::Wait;
  else if (sample.address != kNoAddress)
    sample.sampleClass = SampleClass::Library;
  // A worker's stack contains the return addresses of earlier regions.
  if (inRuntime && thread != 0) {
    sample.address = kNoAddress;
    callee = "";
  }
  sample.symbol = getSymbol(raw.address, callee);
  return sample;
}

void Resolver::addThread(uint32_t thread) {
  const ThreadSamples &own = shared->threadSamples[thread];
  uint64_t count = std::min<uint64_t>(own.count.load(std::memory_order_acquire),
                                      SharedRun::kSamplesPerThread);
  const RawSample *samples = shared.samplesOf(thread);
  for (uint64_t i = 0; i != count; ++i)
    if (isMeasured(samples[i]))
      result.samples.push_back(toSample(samples[i], thread));
  uint64_t lost = own.lost, late = own.overruns;
  result.samplesLost += lost + late;
  auto addLoss = [&](llvm::StringRef name, uint64_t count) {
    if (count != 0)
      result.losses.push_back(
          {name.str(), count, int64_t(count) * result.samplePeriodNs * 1000});
  };
  std::string suffix = " (thread " + std::to_string(thread) + ")";
  addLoss("samples that found no room" + suffix, lost);
  addLoss("samples that came too late" + suffix, late);
}

/// The latest sample of any thread.
int64_t Resolver::getEnd() const {
  int64_t end = shared->endNs;
  if (end == 0)
    for (const Sample &sample : result.samples)
      end = std::max(end, sample.timeNs);
  return end;
}

/// Adds a sample for each period between the thread's own samples at `timesNs`
/// that these do not represent.
void Resolver::addTimeNotRun(uint32_t thread, llvm::ArrayRef<int64_t> timesNs) {
  int64_t periodNs = result.samplePeriodNs, lastNs = shared->beginNs;
  // Time of samples that did not fit was spent running.
  int64_t restNs =
      -int64_t(std::min<uint64_t>(shared->threadSamples[thread].lost,
                                  SharedRun::kSamplesPerThread)) *
      periodNs;
  uint64_t count = 0;
  uint32_t symbol = intern("not running");
  auto passUntil = [&](int64_t timeNs, int64_t ranNs) {
    restNs += timeNs - lastNs - ranNs;
    int64_t atNs = timeNs - ranNs;
    for (; restNs >= periodNs && count < SharedRun::kSamplesPerThread;
         restNs -= periodNs, atNs -= periodNs, ++count)
      if (result.threads.size() > 1)
        result.samples.push_back({std::max(atNs, lastNs), thread,
                                  SampleClass::Wait, kNoAddress, symbol});
    lastNs = timeNs;
  };
  for (int64_t timeNs : timesNs)
    passUntil(timeNs, periodNs);
  passUntil(std::max(getEnd(), lastNs), 0);
  if (result.threads.size() > 1 || count == 0)
    return;
  // A single thread does not wait for others.
  result.samplesLost += count;
  result.losses.push_back({"samples in which the thread did not run", count,
                           int64_t(count) * periodNs * 1000});
}

/// perf_event samples time on a processor, timers all time. With the missing
/// time added, both mean the same.
void Resolver::addTimeNotRun() {
  bool hasMeasured = shared->phase >= RunPhase::Measuring;
  if (result.sampler != SamplerKind::PerfEvent || !hasMeasured ||
      result.samplePeriodNs <= 0)
    return;
  std::vector<std::vector<int64_t>> timesNs(result.threads.size());
  for (const Sample &sample : result.samples)
    timesNs[sample.thread].push_back(sample.timeNs);
  for (auto [thread, own] : llvm::enumerate(timesNs))
    addTimeNotRun(uint32_t(thread), own);
}

/// Idle workers wait for the main thread's work at that time.
void Resolver::placeWaiting() {
  std::vector<std::pair<int64_t, uint64_t>> main;
  for (const Sample &sample : result.samples)
    if (sample.thread == 0 && sample.address != kNoAddress)
      main.emplace_back(sample.timeNs, sample.address);
  if (main.empty())
    return;
  for (Sample &sample : result.samples) {
    if (sample.sampleClass != SampleClass::Wait || sample.thread == 0)
      continue;
    auto after = llvm::lower_bound(
        main, sample.timeNs,
        [](const auto &entry, int64_t time) { return entry.first < time; });
    if (after == main.end() ||
        (after != main.begin() && sample.timeNs - std::prev(after)->first <
                                      after->first - sample.timeNs))
      --after;
    sample.address = after->second;
  }
}

void Resolver::resolve() {
  // During the warm-up only the main thread is sampled.
  uint32_t threads = std::min<uint32_t>(std::max(shared->threads.load(), 1u),
                                        shared.getMaxThreads());
  for (uint32_t thread = 0; thread != threads; ++thread) {
    result.threads.push_back(thread == 0 ? "main"
                                         : "worker " + std::to_string(thread));
    addThread(thread);
  }
  addTimeNotRun();
  llvm::sort(result.samples, [](const Sample &a, const Sample &b) {
    return std::tie(a.timeNs, a.thread) < std::tie(b.timeNs, b.thread);
  });
  placeWaiting();
}

void record::resolveSamples(const CompiledModel &model,
                            const SharedRunMapping &shared,
                            llvm::StringRef addresses, RunResult &result) {
  Resolver resolver(model, shared, result);
  resolver.readAddresses(addresses);
  resolver.resolve();
}
