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

/// How a process ended.
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

/// Whose process group a child belongs to: signals of the terminal go to the
/// parent's, and one of its own can be ended as a whole.
enum class ProcessGroup : uint8_t { OfParent, Own };

/// A child process that runs a function of this program. Who owns it ends it.
class Process {
public:
  /// Forks. In the child `run` gets its end of a socket, and must not return;
  /// buffered output would be written by both. The child has the calling thread
  /// only, and is killed when that thread ends. An error is about `name`.
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

  /// Whether it has ended; its status is still there for wait().
  bool hasEnded() const;
  /// Waits for it to end by itself; whether it did.
  bool endsWithin(double seconds) const;

  /// These do nothing after wait() and end(), when the number may be another
  /// process's. The group is that of a child with one of its own.
  void sendSignal(int signal) const;
  void sendGroupSignal(int signal) const;
  /// Kills it and what it has started, as far as that is in its group.
  void kill() const;

  /// Waits for its end. None where nobody knows how it ended: where SIGCHLD is
  /// ignored the system takes the status away.
  std::optional<ExitStatus> wait();
  /// Closes the socket and kills; the status, if it was there. What it takes to
  /// die is the kernel's time only, and not waited for for ever.
  std::optional<ExitStatus> end();

private:
  Process(pid_t id, int socket, ProcessGroup group)
      : id(id), socket(socket), group(group) {}

  pid_t id;
  int socket;
  ProcessGroup group;
  /// Whether the number was given back.
  bool isGone = false;
};

/// Lets this process use at most `value` of a resource (RLIMIT_...) from now
/// on, and no more than before.
void limitResource(int resource, uint64_t value);

/// `descriptor`, moved away from 0 to 2 where these were closed: a child makes
/// them what they stand for. Negative, with errno, when it was or there is
/// none.
int moveAboveStandard(int descriptor);

/// While it lives, this process becomes the parent of what a child has started
/// and left to itself, as daemons do (setsid, two forks): else it would outlive
/// the child. Begins before the child does.
class Descendants {
public:
  Descendants();
  ~Descendants();
  Descendants(const Descendants &) = delete;
  Descendants &operator=(const Descendants &) = delete;

  /// Ends what `child`, which has ended and was in a group of its own number,
  /// has left. Other children of this process are of its session.
  void end(pid_t child);

private:
  int wasReaper = 0;
  /// The children that this process had before.
  std::set<pid_t> others;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_PROCESS_H
