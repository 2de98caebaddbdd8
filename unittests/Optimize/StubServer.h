//===- StubServer.h - A model that always takes as long ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_OPTIMIZE_STUBSERVER_H
#define MLIR_PROF_UNITTESTS_OPTIMIZE_STUBSERVER_H

#include "mlir-prof/Record/ModelServer.h"
#include "mlir-prof/Support/Error.h"

#include <cstring>

namespace mlirprof::test {

/// Runs in no time, says that it took `seconds`, and computes `result`.
class StubServer final : public record::ModelServer {
public:
  explicit StubServer(double seconds = 1, float result = 1,
                      uint64_t textBytes = 1000)
      : seconds(seconds), result(result) {
    model.textBytes = textBytes;
  }

  llvm::Expected<double> run(uint64_t iterations, uint64_t) override {
    if (isDead)
      return inputError("running the model", "its process has ended");
    return seconds * double(iterations);
  }
  llvm::Expected<std::vector<std::vector<HostTensor>>> getResults() override {
    HostTensor tensor;
    tensor.elementType = "f32";
    tensor.shape = {1};
    tensor.bytes.resize(sizeof result);
    std::memcpy(tensor.bytes.data(), &result, sizeof result);
    return std::vector<std::vector<HostTensor>>(1, {tensor});
  }
  llvm::Expected<std::unique_ptr<record::ModelServer>>
  startAgain(llvm::ArrayRef<Arguments>,
             const record::ServerOptions &) override {
    if (isDead)
      return inputError("running the model", "its process has ended");
    return std::make_unique<StubServer>(seconds, result, model.textBytes);
  }
  const record::ServedModel &getModel() const override { return model; }
  size_t getRequestCount() const override { return 1; }

  bool isDead = false;

private:
  double seconds;
  float result;
  record::ServedModel model;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_OPTIMIZE_STUBSERVER_H
