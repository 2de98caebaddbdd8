//===- Runner.cpp - Running a model and watching it -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/Runner.h"
#include "Child/RunChild.h"
#include "Child/RunExecutor.h"
#include "Child/RunLoader.h"
#include "Child/RunProcess.h"
#include "Child/RunValues.h"
#include "Perf/ObjectText.h"
#include "Sampling/RunSamples.h"
#include "Sampling/Sampler.h"
#include "mlir-prof/Record/PerfMap.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/SignalGuard.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>
#include <optional>
#include <poll.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;

//===----------------------------------------------------------------------===//
// Signals of the user
//===----------------------------------------------------------------------===//

/// The number of the user's requests to stop.
static volatile sig_atomic_t interrupts = 0;
static void onInterrupt(int) { interrupts = interrupts + 1; }

/// Whether the user has asked to pause (Ctrl-Z).
static volatile sig_atomic_t isPauseAsked = 0;
static void onPause(int) { isPauseAsked = 1; }

namespace {
//===----------------------------------------------------------------------===//
// Watching the child
//===----------------------------------------------------------------------===//

class Watcher {
public:
  Watcher(const RunContext &context, Process &child)
      : context(context), child(child), begin(getMonotonicSeconds()) {}

  /// Returns the child's status after its end.
  llvm::Expected<ExitStatus> watch();
  bool hasTimedOut() const { return timedOut; }
  /// Whether the child had to leave its iteration.
  bool hasGivenUp() const { return gaveUp; }
  /// The number and total time of the user's pauses of the tool.
  uint64_t getPauses() const { return pauses; }
  double getPausedSeconds() const { return pausedSeconds; }

private:
  double getSeconds() const { return getMonotonicSeconds() - begin; }
  void checkLimits();
  void pause();
  double getGiveUpTime(double seconds);
  char pollControl();
  llvm::Error obey(char word);
  llvm::Error watchControl();
  ExitStatus waitForEnd();
  llvm::Error startPerf();

  const RunContext &context;
  Process &child;
  double begin;
  std::unique_ptr<PerfSampler> perf;
  /// Time at which the user's first interrupt was seen.
  std::optional<double> interruptedAt;
  uint64_t pauses = 0;
  double pausedSeconds = 0;
  bool timedOut = false;
  bool gaveUp = false;
  bool killed = false;
};
} // namespace

/// Time at which the child must leave its iteration, in seconds since the
/// begin.
double Watcher::getGiveUpTime(double seconds) {
  constexpr double kGrace = 0.5;
  double time = std::numeric_limits<double>::infinity();
  if (context.options.timeout > 0)
    time = context.options.timeout + kGrace;
  if (interrupts > 0 && !interruptedAt)
    interruptedAt = seconds;
  if (interruptedAt)
    time = std::min(time, *interruptedAt + context.options.interruptGrace);
  return time;
}

/// Stops the model, which is in its own group and does not receive signals of
/// the terminal, and then this process; continues both. The time does not
/// count.
void Watcher::pause() {
  isPauseAsked = 0;
  double from = getMonotonicSeconds();
  child.sendGroupSignal(SIGSTOP);
  {
    SignalGuard stop({SIGTSTP}, SIG_DFL);
    raise(SIGTSTP);
  }
  child.sendGroupSignal(SIGCONT);
  double seconds = getMonotonicSeconds() - from;
  ++pauses;
  pausedSeconds += seconds;
  begin += seconds;
}

/// First asks the child to stop after its iteration, then to give up, and then
/// kills it, both for the time limit and for an interrupt of the user. A second
/// interrupt kills at once.
void Watcher::checkLimits() {
  constexpr double kLast = 3;
  if (isPauseAsked)
    pause();
  double seconds = getSeconds(), timeout = context.options.timeout;
  double giveUpTime = getGiveUpTime(seconds);
  if (interruptedAt)
    context.shared->stop = true;
  if (timeout > 0 && seconds > timeout && !context.shared->stop.exchange(true))
    timedOut = true;
  if (seconds > giveUpTime && !gaveUp) {
    gaveUp = true;
    timedOut |= !interruptedAt;
    child.sendSignal(kGiveUpSignal);
  }
  if ((seconds > giveUpTime + kLast || interrupts > 1) && !killed) {
    killed = true;
    child.kill();
  }
}

/// Starts perf_event, which counts from the moment that the child begins to
/// measure.
llvm::Error Watcher::startPerf() {
  std::vector<pid_t> threads;
  uint32_t count = std::min<uint32_t>(context.shared->threads,
                                      context.shared.getMaxThreads());
  for (uint32_t i = 0; i != count; ++i)
    threads.push_back(context.shared->threadSamples[i].tid);
  // The object outlives the sampler: the bytes are the model's.
  auto sections = getTextSections(context.model.object);
  if (!sections)
    return sections.takeError();
  CodeMap map;
  for (llvm::ArrayRef<uint8_t> section : *sections) {
    map.code = section.data();
    map.text = {context.shared->textBegin,
                context.shared->textBegin + section.size()};
  }
  std::string addresses = context.files.addresses.read();
  findRuntime(addresses, map);
  auto sampler =
      PerfSampler::create(context.shared, map, threads, context.options.rate);
  if (!sampler)
    return sampler.takeError();
  perf = std::move(*sampler);
  perf->start();
  return llvm::Error::success();
}

/// kNoWord: no word came in time; kNoMoreWords: none will come any more.
static constexpr char kNoWord = 0, kNoMoreWords = 'x';

char Watcher::pollControl() {
  // At most half of the time that fills the smallest ring of perf_event.
  int waitMs = perf ? 5 : 20;
  pollfd descriptor = {child.getSocket(), POLLIN, 0};
  if (poll(&descriptor, 1, waitMs) <= 0)
    return kNoWord;
  char word = kNoWord;
  return read(child.getSocket(), &word, 1) == 1 ? word : kNoMoreWords;
}

/// Only the child's own words count, at their time: the model could write some.
llvm::Error Watcher::obey(char word) {
  if (context.sampler != SamplerKind::PerfEvent)
    return llvm::Error::success();
  if (word == kMeasured && perf)
    perf->stop();
  if (word != kReady || perf)
    return llvm::Error::success();
  if (llvm::Error error = startPerf())
    return error;
  // If the child has already ended, its status explains it.
  sendWord(child.getSocket(), kBegin);
  return llvm::Error::success();
}

/// Until the child has closed its end.
llvm::Error Watcher::watchControl() {
  while (true) {
    char word = pollControl();
    checkLimits();
    if (perf)
      perf->drain();
    // Processes that the model started may keep the socket open for longer.
    if (word == kNoMoreWords || (word == kNoWord && child.hasEnded()))
      return llvm::Error::success();
    if (llvm::Error error = obey(word))
      return error;
  }
}

/// The child's status. Limits also apply to a model that closes its
/// descriptors, and processes that it started end with it.
ExitStatus Watcher::waitForEnd() {
  constexpr useconds_t kPauseUs = 1000;
  while (!child.hasEnded()) {
    checkLimits();
    usleep(kPauseUs);
  }
  child.kill();
  return child.wait().value_or(ExitStatus(0));
}

llvm::Expected<ExitStatus> Watcher::watch() {
  llvm::Error error = watchControl();
  if (error)
    child.kill();
  child.closeSocket();
  ExitStatus status = waitForEnd();
  if (perf)
    perf->stop();
  if (error)
    return std::move(error);
  return status;
}

//===----------------------------------------------------------------------===//
// Results of the run
//===----------------------------------------------------------------------===//

static std::string describePlace(const RunContext &context) {
  const SharedRun &run = *context.shared;
  std::string text = run.phase == RunPhase::Measuring
                         ? "in iteration " + std::to_string(run.iterations + 1)
                         : "in the warm-up";
  uint64_t size = 0;
  for (const MachineFunction &function : context.model.program.functions)
    size = std::max(size, function.end);
  auto describe = [&](uint64_t address, llvm::StringRef how) {
    uint64_t offset = address - run.textBegin;
    if (address < run.textBegin || offset >= size)
      return false;
    text += how.str() + describeAddress(context.model.program, offset);
    return true;
  };
  // The call ends before the address that it returns to, which may be another
  // function's if it does not return.
  if (!describe(run.crashAddress, " at ") && run.crashCaller != 0)
    describe(run.crashCaller - 1, " in a call at ");
  return text;
}

static void setExit(const RunContext &context, const ExitStatus &status,
                    const Watcher &watcher, RunResult &result) {
  const SharedRun &run = *context.shared;
  bool isDone = run.phase == RunPhase::Done;
  std::string message = run.getMessage();
  std::string place = isDone ? "" : " " + describePlace(context);
  if (watcher.hasTimedOut()) {
    result.exit = ExitKind::Timeout;
    result.exitReason = "stopped after the time limit of " +
                        llvm::formatv("{0} s", context.options.timeout).str() +
                        place;
  } else if (interrupts > 0) {
    result.exit = ExitKind::Interrupted;
    result.exitReason = "interrupted";
    if (watcher.hasGivenUp())
      result.exitReason += llvm::formatv(", and still running {0} s later",
                                         context.options.interruptGrace)
                               .str();
    result.exitReason += place;
  } else if (isDone) {
    result.exit = ExitKind::Finished;
  } else if (!message.empty()) {
    result.exit = ExitKind::Exited;
    result.exitReason = message + place;
  } else {
    result.exit = status.getSignal() ? ExitKind::Signal : ExitKind::Exited;
    result.exitReason = describeStatus(status, run) + place;
  }
}

/// The parts of the run, which was started at `startNs`.
static void collectParts(const SharedRun &run, int64_t startNs,
                         RunResult &result) {
  auto add = [&](const char *name, int64_t beginNs, int64_t endNs) {
    if (beginNs != 0 && endNs >= beginNs)
      result.parts.push_back({name, beginNs, endNs});
  };
  // A cold run begins immediately.
  add("load", startNs, run.warmUpNs != 0 ? run.warmUpNs.load() : run.beginNs);
  add("warm-up", run.warmUpNs, run.warmUpEndNs);
  if (run.phase >= RunPhase::Measuring)
    add("measured", run.beginNs, run.endNs);
}

static void collectScopes(const std::string &bytes, RunResult &result) {
  auto scopes = std::make_shared<scope::Recording>();
  auto problem = scope::readRecording(bytes, *scopes);
  if (problem)
    result.losses.push_back(
        {"scopes of the model's process: " + problem->what, 1, 0});
  else
    result.scopes = std::move(scopes);
}

static void collect(const RunContext &context, RunResult &result) {
  const SharedRun &run = *context.shared;
  result.sampler = context.sampler;
  result.samplePeriodNs = context.sampler == SamplerKind::None
                              ? 0
                              : 1000000000 / std::max(context.options.rate, 1u);
  result.iterations = run.iterations;
  uint64_t known =
      std::min<uint64_t>(result.iterations, SharedRun::kMaxIterations);
  result.iterationNs.assign(run.iterationNs, run.iterationNs + known);
  result.iterationBeginNs.assign(run.iterationBeginNs,
                                 run.iterationBeginNs + known);
  result.beginEpochNs = run.beginEpochNs;
  result.beginNs = run.beginNs;
  result.pageFaults = run.pageFaults;
  result.firstPageFaults = run.firstPageFaults;
  result.bufferBytes = run.bufferBytes;
  if (run.hasRaw)
    result.raw = context.files.raw.read();
  if (run.hasValues) {
    if (llvm::Error error = readValues(
            context.model.signature, context.options.keep,
            context.files.values.read(), result.results, result.arguments)) {
      llvm::consumeError(std::move(error));
      result.losses.push_back({"results that came damaged", 1, 0});
    }
  } else if (run.missesResultCall) {
    result.losses.push_back(
        {"results of a call that the run was stopped before", 1, 0});
  } else if (run.phase == RunPhase::Done) {
    result.losses.push_back({"results that found no room", 1, 0});
  }
  if (context.options.scopes)
    collectScopes(context.files.scopes.read(), result);
  resolveSamples(context.model, context.shared, context.files.addresses.read(),
                 result);
}

//===----------------------------------------------------------------------===//
// runModel
//===----------------------------------------------------------------------===//

static SamplerKind chooseSampler(const RunOptions &options) {
  if (options.sampler != SamplerKind::Automatic)
    return options.sampler;
  if (options.currentInstance)
    return SamplerKind::Timer;
  return canSampleKernel(options.rate) ? SamplerKind::PerfEvent
                                       : SamplerKind::Timer;
}

/// Signals that the caller ignores stay ignored.
static bool isIgnored(int signal) {
  struct sigaction action;
  return sigaction(signal, nullptr, &action) == 0 &&
         action.sa_handler == SIG_IGN;
}

llvm::Expected<RunResult> record::runModel(const CompiledModel &model,
                                           llvm::ArrayRef<Arguments> requests,
                                           const RunOptions &given) {
  PROF_SCOPE("run");
  RunOptions options = given;
  // Code that serves several dispatches says itself which one runs.
  if (!options.currentInstance && !model.program.instances.empty())
    options.currentInstance =
        model.usesExecutor ? getExecutorInstance() : readInstanceSlot;
  if (requests.empty())
    return inputError("arguments", "there is no request to run");
  for (const Arguments &arguments : requests)
    if (llvm::Error error = checkArguments(model.signature, arguments))
      return std::move(error);
  if (options.sampler == SamplerKind::PerfEvent)
    if (llvm::Error error = checkPerfRate(options.rate))
      return std::move(error);
  // The tool's libraries may have their own threads.
  constexpr uint32_t kOtherThreads = 8;
  auto shared = SharedRunMapping::create(options.threads + kOtherThreads);
  if (!shared)
    return shared.takeError();
  auto files = RunFiles::create();
  if (!files)
    return files.takeError();
  RunContext context = {model,   requests, options, chooseSampler(options),
                        *shared, *files};
  // Signals that end the tool are only counted meanwhile.
  interrupts = 0;
  SignalGuard guard({SIGINT, SIGTERM, SIGHUP}, onInterrupt);
  isPauseAsked = 0;
  std::optional<SignalGuard> pauseGuard;
  if (!isIgnored(SIGTSTP))
    pauseGuard.emplace(llvm::ArrayRef<int>(SIGTSTP), onPause);
  Descendants descendants;
  int64_t startNs = getMonotonicNs();
  auto child =
      startModelProcess([&](int control) { runChild(context, control); });
  if (!child)
    return child.takeError();
  Watcher watcher(context, *child);
  auto status = watcher.watch();
  descendants.end(child->getId());
  if (!status)
    return status.takeError();
  const SharedRun &run = **shared;
  if (run.phase == RunPhase::Failed)
    return inputError("loading the model", run.getMessage());
  RunResult result;
  setExit(context, *status, watcher, result);
  collect(context, result);
  collectParts(run, startNs, result);
  if (watcher.getPauses())
    result.losses.push_back(
        {"the run was stopped meanwhile, which times of its iterations hold",
         watcher.getPauses(), int64_t(watcher.getPausedSeconds() * 1e12)});
  return std::move(result);
}
