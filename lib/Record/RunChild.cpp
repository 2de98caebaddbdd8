//===- RunChild.cpp - The process that runs a model -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunChild.h"
#include "RunChildSignals.h"
#include "RunLoader.h"
#include "RunPool.h"
#include "RunValues.h"
#include "Sampler.h"
#include "mlir-prof/Record/PerfMap.h"
#include "llvm/Support/MemoryBuffer.h"
#ifdef MLIRPROF_HAS_RUNTIME
#include "mlir-prof/Runtime/prof_rt.h"
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace mlirprof;

static int64_t getTimeNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

/// For functions of the C library that have no other way to it.
static SharedRun *currentRun = nullptr;

/// The model's exit: what this process inherited must not be torn down.
[[noreturn]] static void modelExit(int code) {
  char message[64];
  snprintf(message, sizeof message, "the model called exit(%d)", code);
  currentRun->setMessage(message);
  _exit(code);
}

static void onPoolFailure(const char *message) {
  currentRun->setMessage(message);
}

namespace {
class Child {
public:
  Child(const RunContext &context, int control, pid_t parent)
      : context(context), shared(context.shared), run(*context.shared),
        control(control), parent(parent) {}

  /// An error is why the model cannot run.
  llvm::Error execute();

private:
  void limit();
  llvm::Error prepare();
  llvm::Error writeAddresses();
  void call(uint64_t iteration);
  bool isStopped() const { return run.stop.load(std::memory_order_relaxed); }
  void beginClock();
  llvm::Error warmUp();
  llvm::Error startSampler();
  void touchBuffers(size_t threads);
  void measure();
  bool isEnough(uint64_t iterations, int64_t now) const;
  void handOver();

  const RunContext &context;
  const SharedRunMapping &shared;
  SharedRun &run;
  int control;
  pid_t parent;
  LoadedModel loaded;
  CodeMap codeMap;
  /// One for each request; addresses in it must not change.
  std::deque<RunValues> values;
};
} // namespace

/// No core dumps, no life without the parent, no more memory than allowed.
void Child::limit() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before that.
  if (getppid() != parent)
    _exit(1);
  // Data on the tool's standard output is the tool's alone.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  // A model that aborts says why just before.
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (context.options.memory == 0)
    return;
  uint64_t pages = 0;
  if (auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm"))
    (*status)->getBuffer().split(' ').first.getAsInteger(10, pages);
  rlim_t bytes =
      pages * uint64_t(sysconf(_SC_PAGESIZE)) + context.options.memory;
  rlimit memory = {bytes, bytes};
  setrlimit(RLIMIT_AS, &memory);
}

static std::vector<std::pair<std::string, void *>> getOverrides() {
  std::vector<std::pair<std::string, void *>> overrides;
  auto add = [&](const char *name, auto *function) {
    overrides.emplace_back(name, reinterpret_cast<void *>(function));
  };
  add("exit", &modelExit);
  add("_exit", &modelExit);
#ifdef MLIRPROF_HAS_RUNTIME
  add("prof_rt_base", &prof_rt_base);
  add("prof_rt_instance", &prof_rt_instance);
  add("prof_rt_handler", &prof_rt_handler);
  add("prof_rt_value", &prof_rt_value);
  add("prof_rt_value_changed", &prof_rt_value_changed);
  add("prof_rt_ticks", &prof_rt_ticks);
  add("prof_rt_ticks_per_second", &prof_rt_ticks_per_second);
#endif
  return overrides;
}

static bool usesRuntime(const LoadedModel &loaded) {
  for (const auto &[name, address] : loaded.bindings)
    if (llvm::StringRef(name).starts_with("prof_rt_"))
      return true;
  return false;
}

/// What the parent needs to tell what an address is.
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
    return llvm::createStringError("no memory for the list of addresses");
  return llvm::Error::success();
}

/// Bytes that a model may use: what lies free leaves some to other programs, as
/// otherwise the kernel would kill one of them.
static uint64_t getFreeMemory() {
  uint64_t bytes =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  auto text = llvm::MemoryBuffer::getFileAsStream("/proc/meminfo");
  if (!text)
    return bytes;
  llvm::StringRef rest = (*text)->getBuffer().split("MemAvailable:").second;
  uint64_t available = 0;
  if (!rest.ltrim().consumeInteger(10, available))
    bytes = std::min(bytes, available * 1024);
  return bytes / 16 * 15;
}

llvm::Error Child::prepare() {
  std::string threads = std::to_string(std::max(context.options.threads, 1u));
  setenv("OMP_NUM_THREADS", threads.c_str(), /*overwrite=*/1);
  // What stays free under a limit is for stacks and libraries.
  uint64_t memory = context.options.memory;
  if (!runpool::initialise(memory ? memory / 4 * 3 : getFreeMemory()))
    return llvm::createStringError("no memory for the model");
  runpool::setFailureHandler(onPoolFailure);
  auto model = loadModel(context.model, getOverrides());
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

void Child::call(uint64_t iteration) {
  RunValues &request = values[iteration % values.size()];
  request.releaseResults();
  loaded.entry(request.getAddresses());
}

void Child::beginClock() {
  run.beginEpochNs = getTimeNs(CLOCK_REALTIME);
  run.beginNs = getTimeNs(CLOCK_MONOTONIC);
}

/// A model that never comes out of it is sampled too, to tell where it stays;
/// when it does come out, those samples are forgotten.
llvm::Error Child::warmUp() {
  beginClock();
  if (context.sampler != SamplerKind::None) {
    if (llvm::Error error = writeAddresses())
      return error;
    if (llvm::Error error =
            startTimers(shared, {getpid()}, context.options.rate))
      return error;
  }
  run.phase = RunPhase::WarmUp;
  uint64_t rounds =
      std::max<uint64_t>({context.options.warmUp, context.requests.size(), 1});
  for (uint64_t i = 0; i != rounds && !isStopped(); ++i)
    call(i);
  stopTimers();
  ThreadSamples &main = run.threadSamples[0];
  main.count = main.lost = main.overruns = 0;
  return llvm::Error::success();
}

/// Pages of the buffers that will be written come into being now, not in the
/// time that is measured.
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
  // The warm-up may have loaded libraries and begun threads.
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
    return startTimers(shared, threads, context.options.rate);
  return llvm::Error::success();
}

bool Child::isEnough(uint64_t iterations, int64_t now) const {
  const RunOptions &options = context.options;
  if (options.iterations != 0 && iterations >= options.iterations)
    return true;
  return options.seconds > 0 &&
         double(now - run.beginNs) >= options.seconds * 1e9;
}

void Child::measure() {
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  beginClock();
  run.phase = RunPhase::Measuring;
  for (uint64_t i = 0;; ++i) {
    RunValues &request = values[i % values.size()];
    request.releaseResults();
    int64_t begin = getTimeNs(CLOCK_MONOTONIC);
    loaded.entry(request.getAddresses());
    int64_t end = getTimeNs(CLOCK_MONOTONIC);
    if (i < SharedRun::kMaxIterations) {
      run.iterationNs[i] = end - begin;
      run.iterationBeginNs[i] = begin;
    }
    run.iterations.store(i + 1, std::memory_order_release);
    if (isStopped() || isEnough(i + 1, end))
      break;
  }
  // What is sampled after this is not the model's.
  run.endNs = getTimeNs(CLOCK_MONOTONIC);
  if (context.sampler == SamplerKind::PerfEvent)
    sendWord(control, kMeasured);
  getrusage(RUSAGE_SELF, &after);
  run.pageFaults = uint64_t(after.ru_minflt - before.ru_minflt);
}

void Child::handOver() {
  stopTimers();
  saveRuntimeData(shared, context.files);
  uint64_t last = (run.iterations - 1) % values.size();
  run.hasValues = values[last].save(context.options.keep, context.files.values);
  run.phase = RunPhase::Done;
}

llvm::Error Child::execute() {
  currentRun = &run;
  limit();
  if (llvm::Error error = prepare())
    return error;
  installChildSignals(shared, context.files);
#ifdef MLIRPROF_HAS_RUNTIME
  if (usesRuntime(loaded))
    enableRuntimeData();
#endif
  if (llvm::Error error = warmUp())
    return error;
#ifdef MLIRPROF_HAS_RUNTIME
  if (usesRuntime(loaded))
    prof_rt_reset();
#endif
  if (llvm::Error error = startSampler())
    return error;
  measure();
  handOver();
  return llvm::Error::success();
}

bool mlirprof::sendWord(int socket, char word) {
  return send(socket, &word, 1, MSG_NOSIGNAL) == 1;
}

void mlirprof::runChild(const RunContext &context, int control, pid_t parent) {
  if (llvm::Error error = Child(context, control, parent).execute()) {
    context.shared->setMessage(llvm::toString(std::move(error)).c_str());
    context.shared->phase = RunPhase::Failed;
  }
  _exit(0);
}
