//===- ServerConnection.cpp - The parent of a serving process -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ServerConnection.h"
#include "../Child/RunProcess.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cmath>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

using namespace mlirprof;
using namespace mlirprof::record;

static constexpr double kMostSeconds = 3600;

Deadline::Deadline(double wanted)
    : seconds(wanted > 0 ? wanted : kMostSeconds),
      end(getMonotonicSeconds() + seconds) {}

int record::getSharedProcessor() {
  static const int processor = sched_getcpu();
  return processor;
}

llvm::Expected<ServerConnection>
ServerConnection::create(const ServerOptions &options) {
  auto shared = SharedRunMapping::create(/*threads=*/0);
  if (!shared)
    return shared.takeError();
  auto files = RunFiles::create();
  if (!files)
    return files.takeError();
  return ServerConnection(std::move(*shared), std::move(*files), options);
}

llvm::Error ServerConnection::start(llvm::function_ref<void(int control)> run) {
  auto started = startModelProcess(run);
  if (!started)
    return started.takeError();
  process.emplace(std::move(*started));
  return llvm::Error::success();
}

llvm::Expected<ServerAnswer>
ServerConnection::call(const ServerCommand &command, double seconds,
                       const char *activity) {
  Deadline deadline(seconds);
  if (llvm::Error error = ask(command, activity))
    return std::move(error);
  return waitForAnswer(deadline, activity);
}

std::optional<ExitStatus> ServerConnection::end() {
  std::optional<ExitStatus> status;
  if (process)
    status = process->end();
  process.reset();
  return status;
}

/// The reason why the child has closed its socket, which it does when it ends.
/// A model may have closed its descriptors, and continue.
llvm::Error ServerConnection::explainEnd(const char *activity) {
  bool hasEnded = process->endsWithin(/*seconds=*/1);
  std::optional<ExitStatus> status = end();
  std::string message = shared->getMessage();
  if (message.empty())
    message = hasEnded && status ? describeStatus(*status, *shared)
                                 : "does not answer any more";
  std::string limit;
  if (options.memory != 0)
    limit = "It may use " + std::to_string(options.memory >> 20) +
            " MiB of memory.";
  return inputError(activity, message, limit);
}

llvm::Error ServerConnection::ask(const ServerCommand &command,
                                  const char *activity) {
  if (!process)
    return inputError(activity, "its process ended earlier");
  if (send(process->getSocket(), &command, sizeof command, MSG_NOSIGNAL) !=
      ssize_t(sizeof command))
    return explainEnd(activity);
  return llvm::Error::success();
}

/// Takes the received bytes; false if no more will come.
bool ServerConnection::receive(char *&position, const char *last) {
  ssize_t size = recv(process->getSocket(), position, size_t(last - position),
                      MSG_DONTWAIT);
  if (size > 0)
    position += size;
  return size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
}

llvm::Expected<ServerAnswer>
ServerConnection::waitForAnswer(const Deadline &deadline,
                                const char *activity) {
  constexpr int kWaitMs = 20;
  ServerAnswer answer;
  char *position = reinterpret_cast<char *>(&answer);
  const char *last = position + sizeof answer;
  while (position != last) {
    double left = deadline.end - getMonotonicSeconds();
    if (options.isInterrupted && options.isInterrupted()) {
      end();
      return llvm::make_error<InterruptedError>();
    }
    if (left <= 0) {
      end();
      std::string text = "took longer than ";
      llvm::raw_string_ostream(text) << llvm::format("%g s", deadline.seconds);
      return inputError(activity, text);
    }
    pollfd descriptor = {process->getSocket(), POLLIN, 0};
    int wait = int(std::ceil(std::min(left * 1e3, double(kWaitMs))));
    int words = poll(&descriptor, 1, wait);
    // Processes that the model started may keep the socket open for longer.
    if (words > 0 ? !receive(position, last) : process->hasEnded())
      return explainEnd(activity);
  }
  if (answer.isGood)
    return answer;
  std::string message = shared->getMessage();
  end();
  return inputError(activity, message);
}
