//===- Process.h - Child processes ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_PROCESS_H
#define MLIR_PROF_SUPPORT_PROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>

namespace mlirprof {

/// The way in which a process ended.
class ExitStatus {
public:
  /// `status` is that of waitpid().
  explicit ExitStatus(int status) : status(status) {}

  /// The code of a process that exited.
  std::optional<int> getCode() const;
  /// The signal that ended it.
  std::optional<int> getSignal() const;
  /// "exited with code 3", "killed by SIGSEGV".
  std::string describe() const;

private:
  int status;
};

/// The process group of a child: the parent's group gets the terminal's
/// signals, and a separate group can be ended as a whole.
enum class ProcessGroup : uint8_t { OfParent, Own };

/// A child process that runs a function of this program. Its owner ends it.
class Process {
public:
  /// Forks. In the child `run` gets its end of a socket, and must not return;
  /// buffered output would be written by both. The child has the calling thread
  /// only, and is killed when that thread ends. Errors name `name`.
  static llvm::Expected<Process>
  start(llvm::StringRef name, ProcessGroup group,
        llvm::function_ref<void(int socket)> run);

  Process(Process &&other);
  Process &operator=(Process &&) = delete;
  ~Process() { end(); }

  pid_t getId() const { return id; }
  /// The parent's end of the socket.
  int getSocket() const { return socket; }
  void closeSocket();

  /// Whether it has ended; its status is still available to wait().
  bool hasEnded() const;
  /// Waits until it ends by itself; whether it did.
  bool endsWithin(double seconds) const;

  /// These do not do anything after wait() and end(), when the number may
  /// belong to another process. Signals go to the group of a child that has its
  /// own.
  void sendSignal(int signal) const;
  void sendGroupSignal(int signal) const;
  /// Kills it and the processes that it started, as far as they are in its
  /// group.
  void kill() const;

  /// Waits for its end. None if the status is not known: if SIGCHLD is ignored,
  /// the system discards it.
  std::optional<ExitStatus> wait();
  /// Closes the socket and kills; the status, if available. Dying takes only
  /// the kernel's time, and the wait for it is limited.
  std::optional<ExitStatus> end();

private:
  Process(pid_t id, int socket, ProcessGroup group)
      : id(id), socket(socket), group(group) {}

  pid_t id;
  int socket;
  ProcessGroup group;
  /// Whether the process number was released.
  bool isGone = false;
};

/// Limits this process to `value` of a resource (RLIMIT_...) from now on; never
/// raises a limit.
void limitResource(int resource, uint64_t value);

/// `descriptor`, moved above 0 to 2 in case these were closed: a child replaces
/// them by its standard streams. Negative, with errno, if it was or if no
/// descriptor is free.
int moveAboveStandard(int descriptor);

/// During its lifetime, this process becomes the parent of processes that a
/// child started and left, as daemons do (setsid, two forks): otherwise they
/// would outlive the child. Must begin before the child.
class Descendants {
public:
  Descendants();
  ~Descendants();
  Descendants(const Descendants &) = delete;
  Descendants &operator=(const Descendants &) = delete;

  /// Ends the processes that `child` left; it has ended and was in a group of
  /// its own number. Other children of this process are in its session.
  void end(pid_t child);

private:
  int wasReaper = 0;
  /// The children that this process had before.
  std::set<pid_t> others;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_PROCESS_H
