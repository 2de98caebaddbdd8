//===- ModelServerChild.cpp - The process of a server ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelServerChild.h"
#include "../Child/ModelSite.h"
#include "../Child/RunChildSignals.h"
#include "../Child/RunProcess.h"
#include "../Child/RunThreads.h"
#include "../Child/RunValues.h"
#include "../Perf/ObjectText.h"
#include "../Sampling/Sampler.h"
#include "KernelStubs.h"
#include "mlir-prof/Compile/ModelCache.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/thread.h"

#include <cerrno>
#include <cstdlib>
#include <deque>
#include <malloc.h>
#include <new>
#include <optional>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

//===----------------------------------------------------------------------===//
// Ends of this process
//===----------------------------------------------------------------------===//

/// For functions of libraries that cannot receive it otherwise.
static SharedRun *currentRun = nullptr;

/// Resources that this process inherited must not be released.
[[noreturn]] static void fail(const char *message) {
  if (!isForkedCopy())
    currentRun->setMessage(message);
  _exit(1);
}

[[noreturn]] static void onNoMemory() { fail("ran out of memory"); }

static void onFatalError(void *, const char *reason, bool) { fail(reason); }

/// Any fatal error sends its reason.
static void installHandlers(SharedRun &run) {
  currentRun = &run;
  std::set_new_handler(onNoMemory);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { onNoMemory(); });
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(onFatalError);
  // The handler that is registered last runs first.
  std::atexit([] { fail("called exit"); });
}

//===----------------------------------------------------------------------===//
// The server
//===----------------------------------------------------------------------===//

namespace {
class Server {
public:
  Server(const ServerContext &context, int control)
      : context(context), control(control) {}

  /// The error is the reason why the model cannot be served.
  llvm::Error prepare();
  /// Runs until the parent has closed its end.
  void serve();
  bool answer(bool isGood, double seconds = 0) const {
    return sendAnswer(control, isGood, seconds);
  }

private:
  llvm::Error build();
  llvm::Error describe(double seconds);
  llvm::Error load();
  bool answerKernel(const ServerCommand &command);
  bool answerOther(const ServerCommand &command);
  void call(size_t request);
  void iterate(uint64_t iterations);
  double run(uint64_t iterations, uint64_t warmUp);
  bool saveResults(size_t request);
  bool saveModel();
  bool loadKernel(size_t kernel);
  double timeKernel(size_t kernel, uint64_t iterations);
  bool timeKernels(uint64_t iterations);
  bool replayKernel(size_t kernel, uint64_t rounds);

  const ServerContext &context;
  int control;
  std::optional<CompiledModel> model;
  LoadedModel loaded;
  Kernels kernels;
  ModelSite modelSite;
  std::optional<RunThreads> threads;
  /// One for each request; addresses in it must not change.
  std::deque<RunValues> values;
};
} // namespace

llvm::Error Server::build() {
  // A heap per thread would count as memory that this process has added.
  mallopt(M_ARENA_MAX, 1);
  std::optional<llvm::Expected<CompiledModel>> built;
  double begin = getMonotonicSeconds();
  PROF_SCOPE("build");
  llvm::thread builder(std::optional<unsigned>(kBuildStackBytes),
                       [&, around = scope::here()] {
                         scope::ContextGuard guard(around);
                         // Only now, as the stack already exists.
                         limitMemory(context.options.memory);
                         built.emplace(context.build());
                       });
  builder.join();
  double seconds = getMonotonicSeconds() - begin;
  if (!*built)
    return built->takeError();
  model.emplace(std::move(**built));
  return describe(seconds);
}

llvm::Error Server::describe(double seconds) {
  auto sections = getTextSections(model->object);
  if (!sections)
    return sections.takeError();
  std::string text;
  for (llvm::ArrayRef<uint8_t> section : *sections)
    text.append(section.begin(), section.end());
  ServedModel served;
  served.signature = model->signature;
  served.buildSeconds = seconds;
  served.textBytes = text.size();
  served.objectBytes = model->object.size();
  served.fingerprint = contentHash(text);
  if (!context.files.values.overwrite(writeServedModel(served)))
    return llvm::createStringError("no memory for the data about the model");
  return llvm::Error::success();
}

llvm::Error Server::load() {
  PROF_SCOPE("load");
  modelSite.set(model->program);
  for (const Arguments &arguments : context.requests)
    if (llvm::Error error = checkArguments(model->signature, arguments))
      return error;
  if (model->usesOpenMP && context.options.threads > 1)
    if (llvm::Error error = checkThreads(context.options.threads - 1))
      return error;
  auto prepared =
      prepareModel(*model, context.options.threads, context.options.memory,
                   *context.shared, kernels.getBindings(*model));
  if (!prepared)
    return prepared.takeError();
  loaded = std::move(*prepared);
  if (llvm::Error error = kernels.load(*model))
    return error;
  threads.emplace(*model, context.options.threads);
  for (const Arguments &arguments : context.requests)
    values.emplace_back(model->signature, arguments);
  return llvm::Error::success();
}

/// If that is not allowed, the model runs on any processor.
static void stayOn(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor < 0 || processor >= CPU_SETSIZE)
    return;
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

llvm::Error Server::prepare() {
  if (llvm::Error error = build())
    return error;
  if (context.options.threads <= 1)
    stayOn(context.processor);
  return load();
}

void Server::call(size_t request) {
  RunValues &value = values[request];
  value.releaseResults();
  {
    scope::Scope scope(modelSite.get());
    callModel(loaded, value.getAddresses());
  }
  endForkedCopy();
}

void Server::iterate(uint64_t iterations) {
  size_t request = 0;
  for (uint64_t i = 0; i != iterations; ++i) {
    call(request);
    request = request + 1 == values.size() ? 0 : request + 1;
  }
}

double Server::run(uint64_t iterations, uint64_t warmUp) {
  PROF_SCOPE("run");
  threads->wake();
  iterate(warmUp);
  double begin = getMonotonicSeconds();
  iterate(iterations);
  double seconds = getMonotonicSeconds() - begin;
  threads->rest();
  return seconds;
}

/// The results of the first call, if calls differ.
bool Server::saveResults(size_t request) {
  if (loaded.reset)
    loaded.reset();
  values[request].restoreArguments(context.requests[request]);
  threads->wake();
  call(request);
  threads->rest();
  const SharedFile &file = context.files.values;
  return file.overwrite("") && values[request].save(KeptValues::Outputs, file);
}

bool Server::saveModel() {
  return context.files.values.overwrite(
      [&](llvm::raw_ostream &os) { writeModel(*model, {}, os); });
}

//===----------------------------------------------------------------------===//
// Kernels that change
//===----------------------------------------------------------------------===//

bool Server::loadKernel(size_t kernel) {
  auto fail = [&](llvm::Error error) {
    context.shared->setMessage(llvm::toString(std::move(error)).c_str());
    return false;
  };
  auto candidate = readKernelVariant(context.files.values.read());
  if (!candidate)
    return fail(candidate.takeError());
  if (llvm::Error error = kernels.loadCandidate(kernel, *candidate))
    return fail(std::move(error));
  return true;
}

double Server::timeKernel(size_t kernel, uint64_t iterations) {
  kernels.setTimed(kernel, true);
  run(iterations, /*warmUp=*/0);
  double seconds = kernels.getSeconds(kernel);
  kernels.setTimed(kernel, false);
  return seconds;
}

bool Server::timeKernels(uint64_t iterations) {
  for (size_t i = 0; i != kernels.size(); ++i)
    kernels.setTimed(i, true);
  run(iterations, /*warmUp=*/0);
  std::vector<double> seconds;
  for (size_t i = 0; i != kernels.size(); ++i) {
    seconds.push_back(kernels.getSeconds(i));
    kernels.setTimed(i, false);
  }
  return context.files.values.overwrite(writeTimes(seconds));
}

bool Server::replayKernel(size_t kernel, uint64_t rounds) {
  constexpr uint64_t kMostRounds = 1 << 16;
  rounds = std::min(rounds, kMostRounds);
  if (context.options.threads > 1 || !kernels.beginReplay(kernel, rounds))
    return false;
  run(values.size(), /*warmUp=*/0);
  return context.files.values.overwrite(writeTimes(kernels.endReplay(kernel)));
}

/// Answers a command about a kernel; whether the parent still listens.
bool Server::answerKernel(const ServerCommand &command) {
  auto choice = KernelChoice(command.choice);
  bool isLoading = command.kind == ServerCommand::LoadKernel;
  bool isGood = isLoading ? loadKernel(command.kernel)
                : command.kind == ServerCommand::KeepKernel
                    ? kernels.keep(command.kernel, choice)
                    : kernels.select(command.kernel, choice);
  if (!isGood && !isLoading)
    context.shared->setMessage("the kernel does not have a candidate");
  double seconds = isGood && command.argument != 0 &&
                           command.kind == ServerCommand::TimeKernel
                       ? timeKernel(command.kernel, command.argument)
                       : 0;
  return answer(isGood, seconds);
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

bool record::sendAnswer(int control, bool isGood, double seconds) {
  ServerAnswer answer = {isGood, seconds};
  return send(control, &answer, sizeof answer, MSG_NOSIGNAL) ==
         ssize_t(sizeof answer);
}

bool record::receiveCommand(int control, ServerCommand &command) {
  ssize_t size = 0;
  do {
    size = recv(control, &command, sizeof command, MSG_WAITALL);
  } while (size < 0 && errno == EINTR);
  return size == ssize_t(sizeof command);
}

/// Answers a command that leaves something in the shared files.
bool Server::answerOther(const ServerCommand &command) {
  const char *problem = "no memory for the results";
  bool isSaved = false;
  switch (command.kind) {
  case ServerCommand::SaveModel:
    // Kernels that change are not in the object.
    isSaved = model->kernelCode.empty() && saveModel();
    problem = model->kernelCode.empty()
                  ? "no memory for the built model"
                  : "a model whose kernels change is not copied";
    break;
  case ServerCommand::TimeKernels:
    isSaved = timeKernels(command.argument);
    break;
  case ServerCommand::ReplayKernel:
    isSaved = replayKernel(command.kernel, command.argument);
    problem = "the kernel cannot be repeated";
    break;
  default:
    isSaved = saveResults(command.argument);
  }
  if (!isSaved)
    context.shared->setMessage(problem);
  return answer(isSaved);
}

void Server::serve() {
  ServerCommand command;
  bool isHeard = answer(/*isGood=*/true);
  while (isHeard && receiveCommand(control, command)) {
    switch (command.kind) {
    case ServerCommand::Run:
      isHeard = answer(/*isGood=*/true, run(command.argument, command.warmUp));
      break;
    case ServerCommand::LoadKernel:
    case ServerCommand::KeepKernel:
    case ServerCommand::TimeKernel:
      isHeard = answerKernel(command);
      break;
    default:
      isHeard = answerOther(command);
    }
  }
}

void record::beginChild(const SharedRunMapping &shared, const RunFiles &files) {
  // First, so that the terminal's signals do not end this process.
  installChildSignals(shared, files);
  detachProcess();
  installHandlers(*shared);
}

void record::runServer(const ServerContext &context, int control) {
  beginChild(context.shared, context.files);
  Server server(context, control);
  if (llvm::Error error = server.prepare()) {
    context.shared->setMessage(llvm::toString(std::move(error)).c_str());
    server.answer(/*isGood=*/false);
    _exit(1);
  }
  server.serve();
  _exit(0);
}
