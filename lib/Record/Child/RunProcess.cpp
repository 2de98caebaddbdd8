//===- RunProcess.cpp - The process of a model ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunProcess.h"
#include "RunExecutor.h"
#include "RunPool.h"
#include "RunThreads.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#ifdef MLIRPROF_HAS_RUNTIME
#include "mlir-prof/Runtime/prof_rt.h"
#endif

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

llvm::Expected<Process>
record::startModelProcess(llvm::function_ref<void(int control)> run) {
  // Buffered output would be written twice.
  fflush(nullptr);
  llvm::outs().flush();
  return Process::start("the model's process", ProcessGroup::Own, run);
}

bool record::sendWord(int socket, char word) {
  return send(socket, &word, 1, MSG_NOSIGNAL) == 1;
}

std::string record::describeStatus(const ExitStatus &status,
                                   const SharedRun &run) {
  std::optional<int> signal = status.getSignal();
  return status.describe() + (!signal               ? ""
                              : *signal == SIGKILL  ? " (perhaps out of memory)"
                              : run.isStackOverflow ? " (stack overflow)"
                                                    : "");
}

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

static std::atomic<bool> isCopy{false};

bool record::isForkedCopy() { return isCopy; }

void record::endForkedCopy() {
  if (isForkedCopy())
    _exit(0);
}

void record::detachProcess() {
  // Signals of the terminal, which does not belong to this group.
  std::signal(SIGTTIN, SIG_IGN);
  std::signal(SIGTTOU, SIG_IGN);
  pthread_atfork(nullptr, nullptr, [] {
    isCopy = true;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  });
  // The tool's standard output is for the tool's data only.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  // A model that aborts prints the reason just before.
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  limitResource(RLIMIT_CORE, 0);
}

void record::limitMemory(uint64_t bytes) {
  if (bytes == 0)
    return;
  uint64_t pages = 0;
  if (auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm"))
    (*status)->getBuffer().split(' ').first.getAsInteger(10, pages);
  limitResource(RLIMIT_AS, pages * uint64_t(sysconf(_SC_PAGESIZE)) + bytes);
}

/// For functions of the C library that cannot receive it otherwise.
static SharedRun *currentRun = nullptr;

/// The model's exit: resources that this process inherited must not be
/// released.
[[noreturn]] static void modelExit(int code) {
  char message[64];
  snprintf(message, sizeof message, "the model called exit(%d)", code);
  if (!isForkedCopy())
    currentRun->setMessage(message);
  _exit(code);
}

static void onPoolFailure(const char *message) {
  if (!isForkedCopy())
    currentRun->setMessage(message);
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
  for (auto &function : getExecutorFunctions())
    overrides.push_back(function);
  return overrides;
}

/// Bytes that a model may use: leaves some of the free memory to other
/// programs, as otherwise the kernel would kill one of them.
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

llvm::Expected<LoadedModel>
record::prepareModel(const CompiledModel &model, unsigned threads,
                     uint64_t memory, SharedRun &run,
                     std::vector<std::pair<std::string, void *>> bindings) {
  currentRun = &run;
  setenv("OMP_NUM_THREADS", std::to_string(std::max(threads, 1u)).c_str(),
         /*overwrite=*/1);
  // The rest of a limit is for stacks and libraries.
  if (!runpool::initialize(memory ? memory / 4 * 3 : getFreeMemory()))
    return llvm::createStringError("no memory for the model");
  runpool::setFailureHandler(onPoolFailure);
  auto all = getOverrides();
  // Later ones take precedence.
  llvm::append_range(all, bindings);
  auto loaded = loadModel(model, all);
  if (loaded)
    if (llvm::Error error = startExecutor(*loaded, threads, addSignalStack))
      return std::move(error);
  return loaded;
}

llvm::Expected<LoadedModel> record::loadCode(const CompiledModel &code) {
  return loadModel(code, getOverrides());
}

/// The executor stopped a program, whose results are not complete.
[[noreturn]] static void endFailed(int32_t status) {
  std::string message =
      std::string("the model's executor failed: ") + std::strerror(status);
  if (!isForkedCopy())
    currentRun->setMessage(message.c_str());
  _exit(1);
}

void record::callModel(const LoadedModel &model, void **arguments) {
  model.entry(arguments);
  if (model.status && *model.status != 0)
    endFailed(*model.status);
}
