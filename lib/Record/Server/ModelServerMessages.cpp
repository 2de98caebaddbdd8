//===- ModelServerMessages.cpp - A server's messages about its model ------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelServerChild.h"
#include "mlir-prof/Compile/Bytes.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

std::string record::writeServedModel(const ServedModel &model) {
  std::string bytes;
  ByteWriter writer(bytes);
  writer.put(model.signature);
  writer.put(model.buildSeconds);
  writer.put(model.textBytes);
  writer.put(model.objectBytes);
  writer.put(model.fingerprint);
  return bytes;
}

llvm::Expected<ServedModel> record::readServedModel(llvm::StringRef bytes) {
  ByteReader reader(bytes);
  ServedModel model;
  model.signature = reader.getSignature();
  model.buildSeconds = reader.getDouble();
  model.textBytes = reader.getInteger();
  model.objectBytes = reader.getInteger();
  model.fingerprint = reader.getText();
  if (!reader.isDone())
    return inputError("the model", "the data from its process are damaged");
  return model;
}

std::string record::writeKernelVariant(const KernelVariant &kernel) {
  std::string bytes;
  ByteWriter writer(bytes);
  writer.put(kernel.object);
  writer.put(kernel.symbol);
  writer.put(uint64_t(kernel.usesOpenMP));
  writer.put(kernel.fingerprint);
  writer.put(kernel.phases.workspaceBytes);
  writer.put(uint64_t(kernel.phases.phases.size()));
  for (const KernelPhase &phase : kernel.phases.phases)
    for (uint32_t value :
         {phase.grid[0], phase.grid[1], phase.grid[2], phase.costNs})
      writer.put(uint64_t(value));
  writer.put(uint64_t(kernel.repacked.size()));
  for (const codegen::RepackedArgument &argument : kernel.repacked)
    for (int64_t value : {int64_t(argument.index), argument.outer,
                          argument.columns, argument.inner, argument.before,
                          argument.after, int64_t(argument.bytesPerElement)})
      writer.put(uint64_t(value));
  return bytes;
}

static std::optional<KernelPhases> readPhases(ByteReader &reader) {
  constexpr uint64_t kMostBytes = uint64_t(1) << 40;
  KernelPhases phases;
  phases.workspaceBytes = reader.getInteger();
  if (phases.workspaceBytes > kMostBytes)
    return std::nullopt;
  for (uint64_t count = reader.getInteger(); reader.isGood() && count != 0;
       --count) {
    KernelPhase &phase = phases.phases.emplace_back();
    for (uint32_t *to :
         {&phase.grid[0], &phase.grid[1], &phase.grid[2], &phase.costNs}) {
      uint64_t value = reader.getInteger();
      // A larger number is not a constant (prof_executor.h).
      if (value > INT32_MAX && to != &phase.costNs)
        return std::nullopt;
      *to = uint32_t(std::min<uint64_t>(value, UINT32_MAX));
    }
  }
  return phases;
}

llvm::Expected<KernelVariant> record::readKernelVariant(llvm::StringRef bytes) {
  constexpr uint64_t kMostSize = uint64_t(1) << 32;
  ByteReader reader(bytes);
  KernelVariant kernel;
  kernel.object = reader.getText();
  kernel.symbol = reader.getText();
  kernel.usesOpenMP = reader.getInteger() != 0;
  kernel.fingerprint = reader.getText();
  auto phases = readPhases(reader);
  if (!phases)
    return inputError("a kernel", "its code is damaged");
  kernel.phases = std::move(*phases);
  for (uint64_t count = reader.getInteger(); reader.isGood() && count != 0;
       --count) {
    uint64_t values[7];
    for (uint64_t &value : values) {
      value = reader.getInteger();
      if (value > kMostSize)
        return inputError("a kernel", "its code is damaged");
    }
    // Sizes are at least 1.
    for (uint64_t value : llvm::ArrayRef(values).drop_front())
      if (value == 0)
        return inputError("a kernel", "its code is damaged");
    kernel.repacked.push_back({unsigned(values[0]), int64_t(values[1]),
                               int64_t(values[2]), int64_t(values[3]),
                               int64_t(values[4]), int64_t(values[5]),
                               unsigned(values[6])});
  }
  if (!reader.isDone())
    return inputError("a kernel", "its code is damaged");
  return kernel;
}

std::string record::writeTimes(llvm::ArrayRef<double> seconds) {
  std::string bytes;
  ByteWriter writer(bytes);
  for (double time : seconds)
    writer.put(time);
  return bytes;
}

llvm::Expected<std::vector<double>> record::readTimes(llvm::StringRef bytes) {
  if (bytes.size() % sizeof(double) != 0)
    return inputError("the model", "the times of its kernels are damaged");
  ByteReader reader(bytes);
  std::vector<double> seconds(bytes.size() / sizeof(double));
  for (double &time : seconds)
    time = reader.getDouble();
  return reader.isDone()
             ? llvm::Expected<std::vector<double>>(std::move(seconds))
             : inputError("the model", "the times of its kernels are damaged");
}
