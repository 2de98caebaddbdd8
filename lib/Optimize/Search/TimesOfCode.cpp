//===- TimesOfCode.cpp - Searches that measure nothing --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/TimesOfCode.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;

namespace {

class Server final : public ModelServer {
public:
  explicit Server(std::unique_ptr<ModelServer> server)
      : server(std::move(server)) {}

  llvm::Expected<double> run(uint64_t iterations, uint64_t) override {
    llvm::Expected<double> measured = server->run(1);
    if (!measured)
      return measured;
    // A page of code takes so long that no machine needs as much time for it.
    constexpr double kSecondsTimesBytes = 0.1 * 4096;
    uint64_t bytes = std::max<uint64_t>(getModel().textBytes, 1);
    return kSecondsTimesBytes / double(bytes) * double(iterations);
  }
  llvm::Expected<std::vector<std::vector<HostTensor>>> getResults() override {
    return server->getResults();
  }
  llvm::Expected<std::unique_ptr<ModelServer>>
  startAgain(llvm::ArrayRef<Arguments> requests,
             const ServerOptions &options) override {
    auto other = server->startAgain(requests, options);
    if (!other)
      return other;
    return std::make_unique<Server>(std::move(*other));
  }
  const ServedModel &getModel() const override { return server->getModel(); }
  size_t getRequestCount() const override { return server->getRequestCount(); }

private:
  std::unique_ptr<ModelServer> server;
};

} // namespace

SearchTools optimize::useTimesOfCode(SearchTools tools) {
  tools.serve = [serve = std::move(tools.serve)](
                    mlir::ModuleOp module, const CompileOptions &compile,
                    llvm::ArrayRef<Arguments> requests,
                    const ServerOptions &options)
      -> llvm::Expected<std::unique_ptr<ModelServer>> {
    auto server = serve(module, compile, requests, options);
    if (!server)
      return server;
    return std::make_unique<Server>(std::move(*server));
  };
  return tools;
}
