//===- RunProcess.cpp - A process for a model -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunProcess.h"
#include "RunPool.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#ifdef MLIRPROF_HAS_RUNTIME
#include "mlir-prof/Runtime/prof_rt.h"
#endif

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

llvm::Expected<ChildProcess>
record::startProcess(llvm::function_ref<void(int control, pid_t parent)> run) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return inputError("the model's process", std::strerror(errno));
  for (int &end : ends)
    end = moveAboveStandard(end);
  // What is buffered would be written twice.
  fflush(nullptr);
  llvm::outs().flush();
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run(ends[1], parent);
    _exit(1);
  }
  int error = errno;
  close(ends[1]);
  if (child > 0) {
    // Both do so, as either may come first.
    setpgid(child, child);
    return ChildProcess{child, ends[0]};
  }
  close(ends[0]);
  return inputError("the model's process", std::strerror(error));
}

bool record::hasEnded(pid_t child) {
  siginfo_t info = {};
  if (waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0)
    return info.si_pid == child;
  // Where SIGCHLD is ignored the system takes the child away when it ends.
  return errno == ECHILD;
}

void record::killProcess(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
}

bool record::sendWord(int socket, char word) {
  return send(socket, &word, 1, MSG_NOSIGNAL) == 1;
}

std::string record::describeStatus(int status, const SharedRun &run) {
  if (!WIFSIGNALED(status))
    return "exited with code " + std::to_string(WEXITSTATUS(status));
  int signal = WTERMSIG(status);
  const char *name = sigabbrev_np(signal);
  return "killed by " +
         (name ? std::string("SIG") + name
               : "signal " + std::to_string(signal)) +
         (signal == SIGKILL     ? " (perhaps out of memory)"
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

void record::detachProcess(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  // Of the terminal, which is not this group's any more.
  std::signal(SIGTTIN, SIG_IGN);
  std::signal(SIGTTOU, SIG_IGN);
  pthread_atfork(nullptr, nullptr, [] {
    isCopy = true;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  });
  // The parent may have died before that.
  if (getppid() != parent)
    _exit(1);
  // Data on the tool's standard output is the tool's alone.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  // A model that aborts says why just before.
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

void record::limitMemory(uint64_t bytes) {
  if (bytes == 0)
    return;
  uint64_t pages = 0;
  if (auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm"))
    (*status)->getBuffer().split(' ').first.getAsInteger(10, pages);
  rlim_t most = pages * uint64_t(sysconf(_SC_PAGESIZE)) + bytes;
  rlimit memory = {most, most};
  setrlimit(RLIMIT_AS, &memory);
}

/// For functions of the C library that have no other way to it.
static SharedRun *currentRun = nullptr;

/// The model's exit: what this process inherited must not be torn down.
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
  return overrides;
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

llvm::Expected<LoadedModel> record::prepareModel(const CompiledModel &model,
                                                 unsigned threads,
                                                 uint64_t memory,
                                                 SharedRun &run) {
  currentRun = &run;
  setenv("OMP_NUM_THREADS", std::to_string(std::max(threads, 1u)).c_str(),
         /*overwrite=*/1);
  // What stays free under a limit is for stacks and libraries.
  if (!runpool::initialize(memory ? memory / 4 * 3 : getFreeMemory()))
    return llvm::createStringError("no memory for the model");
  runpool::setFailureHandler(onPoolFailure);
  return loadModel(model, getOverrides());
}
