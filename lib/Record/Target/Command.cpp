//===- Command.cpp - Running a command that runs a program ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/TargetRun.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Process.h"
#include "llvm/Support/FormatVariadic.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::record;

/// How long a command may go on after the last line of measurements.
static constexpr double kGraceSeconds = 0.5;
/// More output than that is not of a program that prints measurements.
static constexpr size_t kMostBytes = size_t(256) << 20;

/// A word of the shell.
static std::string quote(StringRef text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string record::addPath(StringRef text, StringRef name, StringRef path) {
  std::string mark = ("{" + name + "}").str(), result;
  if (!text.contains(mark))
    return (text + " " + quote(path)).str();
  for (bool isFirst = true; isFirst || !text.empty(); isFirst = false) {
    auto [before, after] = text.split(mark);
    result += before;
    if (before.size() != text.size())
      result += quote(path);
    text = after;
  }
  return result;
}

/// Becomes a shell that runs `command`.
static void becomeShell(const std::string &command, int output, int errors) {
  int none = open("/dev/null", O_RDONLY);
  if (none < 0 || dup2(none, STDIN_FILENO) < 0 ||
      dup2(output, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
    _exit(126);
  execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  _exit(127);
}

namespace {
/// One of the streams to which a command writes. Joined, a line of one could be
/// within a line of the other.
struct Stream {
  int descriptor;
  std::string bytes = {};
  bool isOpen = true;
};

/// Reads the output of a command until it ends or has to.
class Listener {
public:
  Listener(const TargetCommand &command, Process &process, int errors)
      : command(command), process(process),
        streams{{process.getSocket()}, {errors}}, begin(getMonotonicSeconds()) {
  }

  Expected<std::string> listen();

private:
  Error fail(const Twine &what) const;
  double getSecondsLeft() const;
  Error read(Stream &stream);
  /// Waits for a while, and reads what there is.
  Error readAll(double seconds);

  const TargetCommand &command;
  Process &process;
  Stream streams[2];
  double begin;
  /// When the last line of measurements came; 0 before.
  double ended = 0;
};
} // namespace

Error Listener::fail(const Twine &what) const {
  constexpr size_t kShown = 1000;
  std::string text = what.str();
  for (const Stream &stream : streams)
    if (StringRef said = StringRef(stream.bytes).trim(); !said.empty())
      text += "; it wrote:\n" + said.take_back(kShown).str();
  return inputError("the command '" + command.text + "'", text,
                    "It has to run the program, and to write what the program "
                    "prints.");
}

/// Infinite if the time is not limited.
double Listener::getSecondsLeft() const {
  double now = getMonotonicSeconds();
  if (ended != 0)
    return ended + kGraceSeconds - now;
  return command.seconds > 0 ? begin + command.seconds - now
                             : std::numeric_limits<double>::infinity();
}

Error Listener::read(Stream &stream) {
  char buffer[1 << 14];
  ssize_t size = ::read(stream.descriptor, buffer, sizeof buffer);
  if (size < 0 && errno == EINTR)
    return Error::success();
  stream.isOpen = size > 0;
  if (size <= 0)
    return Error::success();
  stream.bytes.append(buffer, size_t(size));
  if (stream.bytes.size() > kMostBytes)
    return fail("writes more than " + Twine(kMostBytes >> 20) + " MiB");
  // A line does not have more bytes.
  constexpr size_t kLine = 128;
  if (importer::endsProfRaw(
          StringRef(stream.bytes).take_back(size_t(size) + kLine)))
    ended = getMonotonicSeconds();
  return Error::success();
}

Error Listener::readAll(double seconds) {
  pollfd polled[2];
  for (auto [stream, poll] : zip(streams, polled))
    poll = {stream.isOpen ? stream.descriptor : -1, POLLIN, 0};
  if (poll(polled, std::size(polled), int(seconds * 1000) + 1) <= 0)
    return Error::success();
  for (auto [stream, poll] : zip(streams, polled))
    if (poll.revents != 0)
      if (Error error = read(stream))
        return error;
  return Error::success();
}

Expected<std::string> Listener::listen() {
  while (streams[0].isOpen || streams[1].isOpen) {
    double left = getSecondsLeft();
    if (left <= 0 && ended == 0)
      return fail("did not end within " +
                  formatv("{0:f1}", command.seconds).str() + " s");
    if (left <= 0)
      break;
    constexpr double kPause = 0.1;
    if (Error error = readAll(std::min(left, kPause)))
      return std::move(error);
  }
  if (ended == 0) {
    auto status = process.wait();
    if (!status || status->getCode() != 0)
      return fail(status ? status->describe() : "has an unknown status");
  }
  bool isInErrors = ended != 0 && !importer::endsProfRaw(streams[0].bytes);
  return std::move(streams[isInErrors].bytes);
}

Expected<std::string> record::runCommand(const TargetCommand &command) {
  PROF_SCOPE("run the command");
  int errors[2];
  if (pipe2(errors, O_CLOEXEC) != 0)
    return inputError("the command", std::strerror(errno));
  Descendants descendants;
  auto process =
      Process::start("the command", ProcessGroup::Own, [&](int socket) {
        becomeShell(command.text, socket, errors[1]);
      });
  close(errors[1]);
  if (!process) {
    close(errors[0]);
    return process.takeError();
  }
  auto output = Listener(command, *process, errors[0]).listen();
  close(errors[0]);
  pid_t id = process->getId();
  process->end();
  descendants.end(id);
  return output;
}
