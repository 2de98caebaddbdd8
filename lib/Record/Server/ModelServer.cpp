//===- ModelServer.cpp - A process that runs a model on request -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/ModelServer.h"
#include "../Child/RunProcess.h"
#include "../Child/RunValues.h"
#include "ModelServerChild.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cmath>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

char InterruptedError::ID = 0;

void InterruptedError::log(llvm::raw_ostream &os) const { os << "interrupted"; }

std::error_code InterruptedError::convertToErrorCode() const {
  return std::make_error_code(std::errc::interrupted);
}

//===----------------------------------------------------------------------===//
// The parent's side of the child
//===----------------------------------------------------------------------===//

namespace {
/// The end of a wait.
struct Deadline {
  explicit Deadline(double wanted)
      : seconds(wanted > 0 ? wanted : kMostSeconds),
        end(getMonotonicSeconds() + seconds) {}

  static constexpr double kMostSeconds = 3600;
  double seconds;
  double end;
};

class ServerProcess final : public ModelServer {
public:
  ServerProcess(SharedRunMapping shared, RunFiles files,
                const ServerOptions &options, size_t requests)
      : shared(std::move(shared)), files(std::move(files)), options(options),
        requests(requests) {}

  llvm::Error begin(llvm::function_ref<llvm::Expected<CompiledModel>()> build,
                    llvm::ArrayRef<Arguments> arguments);

  llvm::Expected<double> run(uint64_t iterations, uint64_t warmUp) override;
  llvm::Expected<std::vector<std::vector<HostTensor>>> getResults() override;
  llvm::Expected<std::unique_ptr<ModelServer>>
  startAgain(llvm::ArrayRef<Arguments> arguments,
             const ServerOptions &how) override;
  const ServedModel &getModel() const override { return model; }
  size_t getRequestCount() const override { return requests; }

private:
  llvm::Error ask(const ServerCommand &command, const char *activity);
  llvm::Expected<ServerAnswer> waitForAnswer(const Deadline &deadline,
                                             const char *activity);
  std::optional<ExitStatus> end();
  bool receive(char *&position, const char *last);
  llvm::Error explainEnd(const char *activity);

  SharedRunMapping shared;
  RunFiles files;
  ServerOptions options;
  size_t requests;
  std::optional<Process> process;
  ServedModel model;
};
} // namespace

std::optional<ExitStatus> ServerProcess::end() {
  std::optional<ExitStatus> status;
  if (process)
    status = process->end();
  process.reset();
  return status;
}

/// The reason why the child has closed its socket, which it does when it ends.
/// A model may have closed its descriptors, and continue.
llvm::Error ServerProcess::explainEnd(const char *activity) {
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

llvm::Error ServerProcess::ask(const ServerCommand &command,
                               const char *activity) {
  if (!process)
    return inputError(activity, "its process ended earlier");
  if (send(process->getSocket(), &command, sizeof command, MSG_NOSIGNAL) !=
      ssize_t(sizeof command))
    return explainEnd(activity);
  return llvm::Error::success();
}

/// Takes the received bytes; false if no more will come.
bool ServerProcess::receive(char *&position, const char *last) {
  ssize_t size = recv(process->getSocket(), position, size_t(last - position),
                      MSG_DONTWAIT);
  if (size > 0)
    position += size;
  return size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
}

llvm::Expected<ServerAnswer>
ServerProcess::waitForAnswer(const Deadline &deadline, const char *activity) {
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

//===----------------------------------------------------------------------===//
// ModelServer
//===----------------------------------------------------------------------===//

ModelServer::~ModelServer() = default;

/// The processor of this process at the first call.
static int getSharedProcessor() {
  static const int processor = sched_getcpu();
  return processor;
}

llvm::Error
ServerProcess::begin(llvm::function_ref<llvm::Expected<CompiledModel>()> build,
                     llvm::ArrayRef<Arguments> arguments) {
  constexpr const char *kActivity = "building the model";
  ServerContext context = {build,  arguments, options,
                           shared, files,     getSharedProcessor()};
  Deadline deadline(options.buildSeconds);
  auto started =
      startModelProcess([&](int control) { runServer(context, control); });
  if (!started)
    return started.takeError();
  process.emplace(std::move(*started));
  auto answer = waitForAnswer(deadline, kActivity);
  if (!answer)
    return answer.takeError();
  auto served = readServedModel(files.values.read());
  if (!served)
    return served.takeError();
  model = std::move(*served);
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<ServerProcess>>
startServer(llvm::function_ref<llvm::Expected<CompiledModel>()> build,
            llvm::ArrayRef<Arguments> requests, const ServerOptions &options) {
  if (requests.empty())
    return inputError("arguments", "there is no request to run");
  auto shared = SharedRunMapping::create(/*threads=*/0);
  if (!shared)
    return shared.takeError();
  auto files = RunFiles::create();
  if (!files)
    return files.takeError();
  auto server = std::make_unique<ServerProcess>(
      std::move(*shared), std::move(*files), options, requests.size());
  if (llvm::Error error = server->begin(build, requests))
    return std::move(error);
  return std::move(server);
}

llvm::Expected<std::unique_ptr<ModelServer>>
ModelServer::start(llvm::function_ref<llvm::Expected<CompiledModel>()> build,
                   llvm::ArrayRef<Arguments> requests,
                   const ServerOptions &options) {
  return startServer(build, requests, options);
}

llvm::Expected<std::unique_ptr<ModelServer>>
ServerProcess::startAgain(llvm::ArrayRef<Arguments> arguments,
                          const ServerOptions &how) {
  constexpr const char *kActivity = "copying the built model";
  Deadline deadline(options.runSeconds);
  if (llvm::Error error = ask({ServerCommand::SaveModel, 0, 0}, kActivity))
    return std::move(error);
  auto answer = waitForAnswer(deadline, kActivity);
  if (!answer)
    return answer.takeError();
  std::string bytes = files.values.read();
  auto again =
      startServer([&] { return readBuiltModel(bytes); }, arguments, how);
  if (!again)
    return again.takeError();
  (*again)->model.buildSeconds = model.buildSeconds;
  return std::move(*again);
}

llvm::Expected<double> ServerProcess::run(uint64_t iterations,
                                          uint64_t warmUp) {
  constexpr const char *kActivity = "running the model";
  Deadline deadline(options.runSeconds);
  if (llvm::Error error =
          ask({ServerCommand::Run, iterations, warmUp}, kActivity))
    return std::move(error);
  auto answer = waitForAnswer(deadline, kActivity);
  if (!answer)
    return answer.takeError();
  return answer->seconds;
}

llvm::Expected<std::vector<std::vector<HostTensor>>>
ServerProcess::getResults() {
  constexpr const char *kActivity = "running the model";
  Deadline deadline(options.runSeconds);
  std::vector<std::vector<HostTensor>> all;
  for (size_t request = 0; request != requests; ++request) {
    if (llvm::Error error =
            ask({ServerCommand::GetResults, request, 0}, kActivity))
      return std::move(error);
    auto answer = waitForAnswer(deadline, kActivity);
    if (!answer)
      return answer.takeError();
    std::vector<HostTensor> results, arguments;
    if (llvm::Error error = readValues(model.signature, KeptValues::Outputs,
                                       files.values.read(), results, arguments))
      return std::move(error);
    all.push_back(model.signature.results.empty() ? std::move(arguments)
                                                  : std::move(results));
  }
  return all;
}
