//===- ModelServer.cpp - A process that runs a model on request -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/ModelServer.h"
#include "../Child/RunValues.h"
#include "ServerConnection.h"
#include "mlir-prof/Compile/ModelCache.h"
#include "mlir-prof/Record/KernelServer.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

char InterruptedError::ID = 0;

void InterruptedError::log(llvm::raw_ostream &os) const { os << "interrupted"; }

std::error_code InterruptedError::convertToErrorCode() const {
  return std::make_error_code(std::errc::interrupted);
}

namespace {
/// Serves models of both kinds: those with kernels that can be replaced have
/// some more commands.
class ServerProcess final : public KernelServer {
public:
  ServerProcess(ServerConnection connection, size_t requests)
      : connection(std::move(connection)), requests(requests) {}

  llvm::Error begin(llvm::function_ref<llvm::Expected<CompiledModel>()> build,
                    llvm::ArrayRef<Arguments> arguments);

  llvm::Expected<double> run(uint64_t iterations, uint64_t warmUp) override;
  llvm::Expected<std::vector<std::vector<HostTensor>>> getResults() override;
  llvm::Expected<std::unique_ptr<ModelServer>>
  startAgain(llvm::ArrayRef<Arguments> arguments,
             const ServerOptions &how) override;
  const ServedModel &getModel() const override { return model; }
  size_t getRequestCount() const override { return requests; }

  llvm::Error load(size_t kernel, const KernelVariant &candidate) override;
  llvm::Error keep(size_t kernel, KernelChoice choice) override;
  llvm::Expected<double> time(size_t kernel, KernelChoice choice,
                              uint64_t iterations) override;
  llvm::Expected<std::vector<double>> replay(size_t kernel,
                                             uint64_t rounds) override;
  llvm::Expected<std::vector<double>> timeAll(uint64_t iterations) override;

private:
  ServerConnection connection;
  size_t requests;
  ServedModel model;
};
} // namespace

//===----------------------------------------------------------------------===//
// ModelServer
//===----------------------------------------------------------------------===//

ModelServer::~ModelServer() = default;

llvm::Error
ServerProcess::begin(llvm::function_ref<llvm::Expected<CompiledModel>()> build,
                     llvm::ArrayRef<Arguments> arguments) {
  constexpr const char *kActivity = "building the model";
  ServerContext context = {build,
                           arguments,
                           connection.getOptions(),
                           connection.getShared(),
                           connection.getFiles(),
                           getSharedProcessor()};
  Deadline deadline(connection.getOptions().buildSeconds);
  if (llvm::Error error =
          connection.start([&](int control) { runServer(context, control); }))
    return error;
  auto answer = connection.waitForAnswer(deadline, kActivity);
  if (!answer)
    return answer.takeError();
  auto served = readServedModel(connection.getFiles().values.read());
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
  auto connection = ServerConnection::create(options);
  if (!connection)
    return connection.takeError();
  auto server =
      std::make_unique<ServerProcess>(std::move(*connection), requests.size());
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

static llvm::Expected<CompiledModel> readModel(llvm::MemoryBufferRef bytes) {
  // The build of the process that saved the model told its warnings.
  BuildWarnings warnings;
  std::optional<CompiledModel> model = parseModel(bytes.getBuffer(), warnings);
  if (!model)
    return inputError("the model", "its built code is damaged");
  return std::move(*model);
}

llvm::Expected<std::unique_ptr<ModelServer>>
ServerProcess::startAgain(llvm::ArrayRef<Arguments> arguments,
                          const ServerOptions &how) {
  constexpr const char *kActivity = "copying the built model";
  auto answer = connection.call({ServerCommand::SaveModel},
                                connection.getOptions().runSeconds, kActivity);
  if (!answer)
    return answer.takeError();
  // The other process gets a copy of these bytes.
  std::unique_ptr<llvm::MemoryBuffer> bytes =
      connection.getFiles().values.readPages();
  auto again = startServer([&] { return readModel(*bytes); }, arguments, how);
  if (!again)
    return again.takeError();
  (*again)->model.buildSeconds = model.buildSeconds;
  return std::move(*again);
}

static constexpr const char *kRunning = "running the model";

llvm::Expected<double> ServerProcess::run(uint64_t iterations,
                                          uint64_t warmUp) {
  auto answer = connection.call({ServerCommand::Run, iterations, warmUp},
                                connection.getOptions().runSeconds, kRunning);
  if (!answer)
    return answer.takeError();
  return answer->seconds;
}

llvm::Expected<std::vector<std::vector<HostTensor>>>
ServerProcess::getResults() {
  Deadline deadline(connection.getOptions().runSeconds);
  std::vector<std::vector<HostTensor>> all;
  for (size_t request = 0; request != requests; ++request) {
    if (llvm::Error error =
            connection.ask({ServerCommand::GetResults, request}, kRunning))
      return std::move(error);
    auto answer = connection.waitForAnswer(deadline, kRunning);
    if (!answer)
      return answer.takeError();
    std::vector<HostTensor> results, arguments;
    if (llvm::Error error =
            readValues(model.signature, KeptValues::Outputs,
                       connection.getFiles().values.read(), results, arguments))
      return std::move(error);
    all.push_back(model.signature.results.empty() ? std::move(arguments)
                                                  : std::move(results));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// KernelServer
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<KernelServer>>
KernelServer::start(llvm::function_ref<llvm::Expected<CompiledModel>()> build,
                    llvm::ArrayRef<Arguments> requests,
                    const ServerOptions &options) {
  return startServer(build, requests, options);
}

llvm::Error ServerProcess::load(size_t kernel, const KernelVariant &candidate) {
  constexpr const char *kActivity = "loading a kernel";
  if (!connection.getFiles().values.overwrite(writeKernelVariant(candidate)))
    return inputError(kActivity, "there is no memory for its code");
  auto answer =
      connection.call({ServerCommand::LoadKernel, 0, 0, kernel},
                      connection.getOptions().buildSeconds, kActivity);
  return answer.takeError();
}

llvm::Error ServerProcess::keep(size_t kernel, KernelChoice choice) {
  auto answer = connection.call(
      {ServerCommand::KeepKernel, 0, 0, kernel, uint64_t(choice)},
      connection.getOptions().runSeconds, kRunning);
  return answer.takeError();
}

llvm::Expected<double> ServerProcess::time(size_t kernel, KernelChoice choice,
                                           uint64_t iterations) {
  auto answer = connection.call(
      {ServerCommand::TimeKernel, iterations, 0, kernel, uint64_t(choice)},
      connection.getOptions().runSeconds, kRunning);
  if (!answer)
    return answer.takeError();
  return answer->seconds;
}

llvm::Expected<std::vector<double>> ServerProcess::replay(size_t kernel,
                                                          uint64_t rounds) {
  auto answer =
      connection.call({ServerCommand::ReplayKernel, rounds, 0, kernel},
                      connection.getOptions().runSeconds, kRunning);
  if (!answer)
    return answer.takeError();
  return readTimes(connection.getFiles().values.read());
}

llvm::Expected<std::vector<double>>
ServerProcess::timeAll(uint64_t iterations) {
  auto answer = connection.call({ServerCommand::TimeKernels, iterations},
                                connection.getOptions().runSeconds, kRunning);
  if (!answer)
    return answer.takeError();
  return readTimes(connection.getFiles().values.read());
}
