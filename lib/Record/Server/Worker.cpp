//===- Worker.cpp - A process that works in parallel ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/Worker.h"
#include "../Child/RunProcess.h"
#include "ServerConnection.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/thread.h"

#include <malloc.h>
#include <optional>
#include <sched.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::record;

/// The first byte of an answer.
static constexpr char kDone = 'd', kFailed = 'f';

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

/// Leaves `processor` to models, as far as that is allowed and there is
/// another one.
static void keepOff(int processor) {
  cpu_set_t set;
  if (processor < 0 || processor >= CPU_SETSIZE ||
      sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2)
    return;
  CPU_CLR(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

/// The answer to `request`.
static std::string doWork(Worker::Work work, llvm::StringRef request) {
  std::optional<llvm::Expected<std::string>> result;
  llvm::thread thread(std::optional<unsigned>(kBuildStackBytes),
                      [&] { result.emplace(work(request)); });
  thread.join();
  return *result ? kDone + **result
                 : kFailed + llvm::toString(result->takeError());
}

[[noreturn]] static void runWorker(Worker::Work work,
                                   const ServerConnection &connection,
                                   int processor, int control) {
  const SharedRunMapping &shared = connection.getShared();
  const SharedFile &file = connection.getFiles().values;
  beginChild(shared, connection.getFiles());
  mallopt(M_ARENA_MAX, 1);
  keepOff(processor);
  limitMemory(connection.getOptions().memory);
  ServerCommand command;
  while (receiveCommand(control, command)) {
    bool isGood = file.overwrite(doWork(work, file.read()));
    if (!isGood)
      shared->setMessage("no memory for the answer");
    if (!sendAnswer(control, isGood))
      break;
  }
  _exit(0);
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

namespace {
class WorkerProcess final : public Worker {
public:
  explicit WorkerProcess(ServerConnection connection)
      : connection(std::move(connection)) {}

  llvm::Error start(Work work);
  llvm::Error begin(llvm::StringRef request) override;
  llvm::Expected<std::string> finish() override;
  bool isAlive() const override { return connection.isOpen(); }

private:
  static constexpr const char *kActivity = "compiling a kernel";

  ServerConnection connection;
};
} // namespace

Worker::~Worker() = default;

llvm::Expected<std::unique_ptr<Worker>>
Worker::start(Work work, const ServerOptions &options) {
  auto connection = ServerConnection::create(options);
  if (!connection)
    return connection.takeError();
  auto worker = std::make_unique<WorkerProcess>(std::move(*connection));
  if (llvm::Error error = worker->start(work))
    return std::move(error);
  return std::move(worker);
}

llvm::Error WorkerProcess::start(Work work) {
  bool isAlone = connection.getOptions().threads <= 1;
  int processor = isAlone ? getSharedProcessor() : -1;
  return connection.start(
      [&](int control) { runWorker(work, connection, processor, control); });
}

llvm::Error WorkerProcess::begin(llvm::StringRef request) {
  if (!connection.getFiles().values.overwrite(request))
    return inputError(kActivity, "there is no memory for the request");
  return connection.ask({ServerCommand::Work}, kActivity);
}

llvm::Expected<std::string> WorkerProcess::finish() {
  auto answered = connection.waitForAnswer(
      Deadline(connection.getOptions().buildSeconds), kActivity);
  if (!answered)
    return answered.takeError();
  std::string answer = connection.getFiles().values.read();
  if (answer.empty() || answer.front() != kDone)
    return llvm::createStringError(
        llvm::StringRef(answer).drop_front(answer.empty() ? 0 : 1));
  return answer.substr(1);
}
