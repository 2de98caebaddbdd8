//===- RunChild.cpp - The process that runs a model -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunChild.h"
#include "../Sampling/Sampler.h"
#include "ModelSite.h"
#include "RunChildSignals.h"
#include "RunPool.h"
#include "RunProcess.h"
#include "RunThreads.h"
#include "RunValues.h"
#include "mlir-prof/Record/PerfMap.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#ifdef MLIRPROF_HAS_RUNTIME
#include "mlir-prof/Runtime/prof_rt.h"
#endif

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;

namespace {
class Child {
public:
  Child(const RunContext &context, int control)
      : context(context), shared(context.shared), run(*context.shared),
        control(control) {}

  /// The error is the reason why the model cannot run.
  llvm::Error execute();

private:
  llvm::Error prepare();
  llvm::Error writeAddresses();
  void resetBefore(uint64_t iteration);
  void call(uint64_t iteration);
  bool isStopped() const { return run.stop.load(std::memory_order_relaxed); }
  void beginClock();
  llvm::Error warmUp();
  llvm::Error startSampler();
  void touchBuffers(size_t threads);
  void markIteration(int64_t endNs);
  void measure();
  bool isEnough(uint64_t iterations, int64_t now) const;
  /// Returns how many calls there were: fewer if the run was stopped.
  uint64_t repeatCalls();
  void handOver();
  void saveScopes();

  const RunContext &context;
  const SharedRunMapping &shared;
  SharedRun &run;
  int control;
  LoadedModel loaded;
  CodeMap codeMap;
  /// One for each request; addresses in it must not change.
  std::deque<RunValues> values;
  /// That of the model's calls.
  ModelSite modelSite;
  bool marksIterations = false;
  int64_t markingNs = 0;
};
} // namespace

static bool usesRuntime(const LoadedModel &loaded) {
  for (const auto &[name, address] : loaded.bindings)
    if (llvm::StringRef(name).starts_with("prof_rt_"))
      return true;
  return false;
}

/// Writes the data by which the parent resolves addresses.
llvm::Error Child::writeAddresses() {
  auto maps = llvm::MemoryBuffer::getFileAsStream("/proc/self/maps");
  if (!maps)
    return llvm::errorCodeToError(maps.getError());
  std::string text = (*maps)->getBuffer().str();
  findRuntime(text, codeMap);
  for (const auto &[name, address] : loaded.bindings) {
    char number[32];
    snprintf(number, sizeof number, "%llx",
             (unsigned long long)reinterpret_cast<uintptr_t>(address));
    text += std::string("symbol ") + number + " " + name + "\n";
  }
  if (!context.files.addresses.overwrite(text))
    return inputError("the list of addresses",
                      std::string("cannot be kept: ") + std::strerror(errno),
                      "Allow more memory, and larger files (ulimit -f).");
  return llvm::Error::success();
}

llvm::Error Child::prepare() {
  PROF_SCOPE("load");
  modelSite.set(context.model.program);
  // Its runtime would abort.
  if (context.model.usesOpenMP && context.options.threads > 1)
    if (llvm::Error error = checkThreads(context.options.threads - 1))
      return error;
  auto model = prepareModel(context.model, context.options.threads,
                            context.options.memory, run);
  if (!model)
    return model.takeError();
  loaded = std::move(*model);
  run.textBegin = loaded.textBegin;
  codeMap.text = {loaded.textBegin, loaded.textBegin};
  for (const MachineFunction &function : context.model.program.functions)
    codeMap.text.end =
        std::max(codeMap.text.end, loaded.textBegin + function.end);
  codeMap.code = reinterpret_cast<const uint8_t *>(loaded.textBegin);
  for (const Arguments &arguments : context.requests)
    values.emplace_back(context.model.signature, arguments);
  if (llvm::Error error = writePerfSupport(
          context.options.perf, context.options.perfFolder,
          context.model.program, loaded.textBegin, codeMap.code))
    return error;
  return prepareScan(codeMap);
}

/// Gives the model's variables their first values, if it is time to.
void Child::resetBefore(uint64_t iteration) {
  uint64_t every = context.options.resetEvery;
  if (loaded.reset && (every == 0 ? iteration == 0 : iteration % every == 0))
    loaded.reset();
}

void Child::call(uint64_t iteration) {
  RunValues &request = values[iteration % values.size()];
  request.releaseResults();
  {
    scope::Scope scope(modelSite.get());
    callModel(loaded, request.getAddresses());
  }
  endForkedCopy();
}

void Child::beginClock() {
  run.beginEpochNs = getEpochNs();
  run.beginNs = getMonotonicNs();
}

/// Samples the warm-up too, to find where a model hangs that never leaves it;
/// if it does leave, those samples are dropped.
llvm::Error Child::warmUp() {
  PROF_SCOPE("warm-up");
  // A cold run makes the first iteration of each request cold.
  if (context.options.warmUp == 0)
    return llvm::Error::success();
  beginClock();
  if (context.sampler != SamplerKind::None) {
    if (llvm::Error error = writeAddresses())
      return error;
    if (llvm::Error error =
            startTimers(shared, {getpid()}, context.options.rate,
                        context.options.currentInstance))
      return error;
  }
  run.warmUpNs = run.beginNs;
  run.phase = RunPhase::WarmUp;
  uint64_t rounds =
      std::max<uint64_t>({context.options.warmUp, context.requests.size(), 1});
  for (uint64_t i = 0; i != rounds && !isStopped(); ++i) {
    resetBefore(i);
    call(i);
  }
  run.warmUpEndNs = getMonotonicNs();
  stopTimers();
  ThreadSamples &main = run.threadSamples[0];
  main.count = main.lost = main.overruns = 0;
  return llvm::Error::success();
}

/// Touches the pages of the buffers that will be written now, not during the
/// measured time.
void Child::touchBuffers(size_t threads) {
  double seconds = context.options.seconds > 0 ? context.options.seconds : 2;
  uint64_t samples = std::min<uint64_t>(
      uint64_t(context.options.rate * std::min(seconds, 1e3) * 1.5) + 64,
      SharedRun::kSamplesPerThread / 8);
  for (size_t i = 0; i != threads; ++i)
    std::memset(static_cast<void *>(shared.samplesOf(uint32_t(i))), 0,
                samples * sizeof(RawSample));
  constexpr size_t kIterationBytes = 64 << 10;
  std::memset(run.iterationNs, 0, kIterationBytes);
  std::memset(run.iterationBeginNs, 0, kIterationBytes);
}

llvm::Error Child::startSampler() {
  std::vector<pid_t> threads = getThreads();
  if (threads.size() > shared.getMaxThreads())
    threads.resize(shared.getMaxThreads());
  for (size_t i = 0; i != threads.size(); ++i)
    run.threadSamples[i].tid = threads[i];
  run.threads = uint32_t(threads.size());
  touchBuffers(threads.size());
  // The warm-up may have loaded libraries and started threads.
  if (llvm::Error error = writeAddresses())
    return error;
  if (llvm::Error error = prepareScan(codeMap))
    return error;
  if (context.sampler == SamplerKind::PerfEvent) {
    char answer = 0;
    if (!sendWord(control, kReady) || read(control, &answer, 1) != 1 ||
        answer != kBegin)
      _exit(1);
    return llvm::Error::success();
  }
  if (context.sampler == SamplerKind::Timer)
    return startTimers(shared, threads, context.options.rate,
                       context.options.currentInstance);
  return llvm::Error::success();
}

bool Child::isEnough(uint64_t iterations, int64_t now) const {
  const RunOptions &options = context.options;
  if (options.iterations != 0 && iterations >= options.iterations)
    return true;
  return options.seconds > 0 &&
         double(now - run.beginNs) >= options.seconds * 1e9;
}

/// Marks the end of an iteration for the runtime, as far as that takes a 20th
/// of the time: iterations of models that are faster than marking are marked
/// together.
void Child::markIteration(int64_t endNs) {
#ifdef MLIRPROF_HAS_RUNTIME
  if (!marksIterations || markingNs > (endNs - run.beginNs) / 20)
    return;
  // Its handler serializes the runtime's data, which marking locks.
  sigset_t giveUp, before;
  sigemptyset(&giveUp);
  sigaddset(&giveUp, kGiveUpSignal);
  pthread_sigmask(SIG_BLOCK, &giveUp, &before);
  prof_rt_mark();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  markingNs += getMonotonicNs() - endNs;
#endif
}

static uint64_t countPageFaults() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return uint64_t(usage.ru_minflt);
}

void Child::measure() {
  PROF_SCOPE("measured");
  for (RunValues &request : values)
    request.releaseResults();
  uint64_t bytes = runpool::resetPeak();
  uint64_t faults = countPageFaults();
  beginClock();
  run.phase = RunPhase::Measuring;
  for (uint64_t i = 0;; ++i) {
    RunValues &request = values[i % values.size()];
    request.releaseResults();
    resetBefore(i);
    int64_t begin = getMonotonicNs();
    scope::Scope scope(modelSite.get());
    callModel(loaded, request.getAddresses());
    scope.end();
    int64_t end = getMonotonicNs();
    endForkedCopy();
    if (i < SharedRun::kMaxIterations) {
      run.iterationNs[i] = end - begin;
      run.iterationBeginNs[i] = begin;
    }
    run.iterations.store(i + 1, std::memory_order_release);
    markIteration(end);
    if (i == 0)
      run.firstPageFaults = countPageFaults() - faults;
    if (isStopped() || isEnough(i + 1, end))
      break;
  }
  // Later samples are not the model's.
  run.endNs = getMonotonicNs();
  if (context.sampler == SamplerKind::PerfEvent)
    sendWord(control, kMeasured);
  run.pageFaults = countPageFaults() - faults;
  run.bufferBytes = runpool::getPeak() - bytes;
}

/// The calls of a model with variables differ, and their number in a run need
/// not be known, so its results are those of a certain call after a reset.
uint64_t Child::repeatCalls() {
  loaded.reset();
  for (size_t i = 0; i != values.size(); ++i)
    values[i].restoreArguments(context.requests[i]);
  uint64_t calls = 0;
  do
    call(calls);
  while (++calls != context.options.resultCall && !isStopped());
  return calls;
}

void Child::handOver() {
  PROF_SCOPE("hand over");
  stopTimers();
  saveRuntimeData(shared, context.files);
  uint64_t calls = run.iterations;
  if (loaded.reset) {
    calls = repeatCalls();
    run.missesResultCall = calls != context.options.resultCall;
  }
  uint64_t last = (calls - 1) % values.size();
  if (!run.missesResultCall)
    run.hasValues =
        values[last].save(context.options.keep, context.files.values);
  run.phase = RunPhase::Done;
}

/// Hands over the scopes of this process.
void Child::saveScopes() {
  if (!context.options.scopes)
    return;
  prof_scope_stop(nullptr);
  size_t size = 0;
  char *bytes = prof_scope_copy(nullptr, &size);
  if (bytes)
    context.files.scopes.overwrite({bytes, size});
  prof_scope_free(bytes, size);
}

llvm::Error Child::execute() {
  detachProcess();
  limitMemory(context.options.memory);
  if (context.options.scopes)
    prof_scope_start(nullptr, nullptr);
  if (llvm::Error error = prepare())
    return error;
  installChildSignals(shared, context.files);
  // This starts the threads, which a cold run must measure.
  if (context.options.warmUp != 0)
    giveSignalStacks(context.model, context.options.threads);
#ifdef MLIRPROF_HAS_RUNTIME
  if (usesRuntime(loaded))
    enableRuntimeData();
#endif
  if (llvm::Error error = warmUp())
    return error;
#ifdef MLIRPROF_HAS_RUNTIME
  if (usesRuntime(loaded)) {
    marksIterations = !context.model.program.probes.empty();
    // Allocates the runtime's memory before anything is measured.
    if (marksIterations)
      prof_rt_mark();
    prof_rt_reset();
  }
#endif
  if (llvm::Error error = startSampler())
    return error;
  measure();
  handOver();
  saveScopes();
  return llvm::Error::success();
}

void record::runChild(const RunContext &context, int control) {
  if (llvm::Error error = Child(context, control).execute()) {
    context.shared->setMessage(llvm::toString(std::move(error)).c_str());
    context.shared->phase = RunPhase::Failed;
  }
  _exit(0);
}
