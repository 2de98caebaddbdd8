//===- Process.cpp - Child processes --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Process.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace mlirprof;

//===----------------------------------------------------------------------===//
// ExitStatus
//===----------------------------------------------------------------------===//

std::optional<int> ExitStatus::getCode() const {
  return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

std::optional<int> ExitStatus::getSignal() const {
  return WIFSIGNALED(status) ? std::optional(WTERMSIG(status)) : std::nullopt;
}

std::string ExitStatus::describe() const {
  std::optional<int> signal = getSignal();
  if (!signal)
    return "exited with code " + std::to_string(WEXITSTATUS(status));
  const char *name = sigabbrev_np(*signal);
  return "killed by " + (name ? std::string("SIG") + name
                              : "signal " + std::to_string(*signal));
}

//===----------------------------------------------------------------------===//
// Process
//===----------------------------------------------------------------------===//

int mlirprof::moveAboveStandard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO)
    return descriptor;
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int error = errno;
  close(descriptor);
  errno = error;
  return moved;
}

/// Makes a pair of connected sockets above the standard streams. On failure
/// both are -1, and errno says why.
static bool makeSockets(int (&ends)[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    ends[0] = ends[1] = -1;
    return false;
  }
  // Success leaves errno alone.
  for (int &end : ends)
    end = moveAboveStandard(end);
  if (ends[0] >= 0 && ends[1] >= 0)
    return true;
  int error = errno;
  for (int &end : ends)
    if (end >= 0)
      close(std::exchange(end, -1));
  errno = error;
  return false;
}

llvm::Expected<Process>
Process::start(llvm::StringRef name, ProcessGroup group,
               llvm::function_ref<void(int socket)> run) {
  int ends[2];
  if (!makeSockets(ends))
    return inputError(name, std::strerror(errno));
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (group == ProcessGroup::Own)
      setpgid(0, 0);
    // The parent may have died before that.
    if (getppid() != parent)
      _exit(1);
    close(ends[0]);
    run(ends[1]);
    _exit(1);
  }
  int error = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return inputError(name, std::strerror(error));
  }
  // Both processes do so, as either may come first.
  if (group == ProcessGroup::Own)
    setpgid(child, child);
  return Process(child, ends[0], group);
}

Process::Process(Process &&other)
    : id(other.id), socket(std::exchange(other.socket, -1)), group(other.group),
      isGone(std::exchange(other.isGone, true)) {}

void Process::closeSocket() {
  if (socket >= 0)
    close(std::exchange(socket, -1));
}

bool Process::hasEnded() const {
  if (isGone)
    return true;
  siginfo_t info = {};
  if (waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0)
    return info.si_pid == id;
  // If SIGCHLD is ignored, the system removes the child when it ends.
  return errno == ECHILD;
}

/// Whether `condition` becomes true within `seconds`, checked each millisecond.
static bool comesTrue(double seconds, llvm::function_ref<bool()> condition) {
  constexpr useconds_t kPauseUs = 1000;
  for (double end = getMonotonicSeconds() + seconds;
       getMonotonicSeconds() < end; usleep(kPauseUs))
    if (condition())
      return true;
  return condition();
}

bool Process::endsWithin(double seconds) const {
  return comesTrue(seconds, [&] { return hasEnded(); });
}

void Process::sendSignal(int signal) const {
  if (!isGone)
    ::kill(id, signal);
}

void Process::sendGroupSignal(int signal) const {
  if (!isGone && group == ProcessGroup::Own)
    ::kill(-id, signal);
}

void Process::kill() const {
  sendGroupSignal(SIGKILL);
  sendSignal(SIGKILL);
}

std::optional<ExitStatus> Process::wait() {
  if (isGone)
    return std::nullopt;
  isGone = true;
  int status = 0;
  pid_t ended;
  do
    ended = waitpid(id, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == id ? std::optional(ExitStatus(status)) : std::nullopt;
}

std::optional<ExitStatus> Process::end() {
  constexpr double kMostSeconds = 5;
  closeSocket();
  kill();
  if (endsWithin(kMostSeconds))
    return wait();
  isGone = true;
  return std::nullopt;
}

void mlirprof::limitResource(int resource, uint64_t value) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0)
    return;
  limit.rlim_max = std::min(limit.rlim_max, rlim_t(value));
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  setrlimit(resource, &limit);
}
