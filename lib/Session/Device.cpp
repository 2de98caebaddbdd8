//===- Device.cpp - Models on a device ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Device.h"
#include "Note.h"
#include "mlir-prof/Device/ProgramFile.h"
#include "mlir-prof/Device/RunFile.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::device;
using namespace mlirprof::profile;
using namespace mlirprof::record;

llvm::Expected<std::optional<DeviceModel>>
mlirprof::openDeviceModel(llvm::StringRef path) {
  // Standard input cannot be read twice.
  if (path == "-")
    return std::nullopt;
  auto opened = openInput(path);
  if (!opened)
    return opened.takeError();
  std::shared_ptr<llvm::MemoryBuffer> buffer = std::move(*opened);
  if (!isProgramFile(buffer->getBuffer()))
    return std::nullopt;
  DeviceModel model;
  model.hash = contentHash(buffer->getBuffer(), getBacking(*buffer));
  auto program = readProgram(buffer);
  if (!program)
    return program.takeError();
  model.program = std::move(*program);
  return std::move(model);
}

namespace {
/// The owner of the constants of a program, and of its levels.
struct DeviceStorage {
  std::shared_ptr<const void> constants;
  std::string levels;
};
} // namespace

llvm::Expected<DeviceModel> mlirprof::takeDeviceModel(BuiltModel &built) {
  DeviceModel model;
  model.program = std::move(*built.model.deviceProgram);
  auto storage = std::make_shared<DeviceStorage>();
  // Constants may be in the context, or in the model.
  storage->constants = std::make_shared<
      std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
      model.program.storage, built.model.storage);
  if (!built.model.program.nodes.empty()) {
    auto levels = makeDeviceLevels(built.model, model.program);
    if (!levels)
      return levels.takeError();
    llvm::raw_string_ostream os(storage->levels);
    if (llvm::Error error = writeProfile(*levels, os))
      return std::move(error);
  }
  model.program.profile =
      llvm::ArrayRef(storage->levels.data(), storage->levels.size());
  model.program.storage = std::move(storage);
  return std::move(model);
}

static std::vector<ValueSignature> getValues(llvm::ArrayRef<Array> arrays) {
  std::vector<ValueSignature> values;
  for (const Array &array : arrays) {
    ValueSignature &value = values.emplace_back();
    value.name = array.name;
    value.elementType = array.elementType;
    value.shape = array.shape;
    uint64_t elements = 1;
    for (int64_t size : array.shape)
      elements *= uint64_t(size);
    if (elements != 0)
      value.bytesPerElement = unsigned(array.bytes / elements);
  }
  return values;
}

Signature mlirprof::getSignature(const device::Program &program) {
  return {getValues(program.arguments), getValues(program.results)};
}

llvm::Expected<DeviceResult> mlirprof::runOnDevice(
    const device::Program &program, llvm::ArrayRef<HostTensor> arguments,
    const MeasureOptions &options, unsigned device, const NoteHandler &onNote) {
  auto driver = openCudaDriver();
  if (!driver)
    return driver.takeError();
  MeasureOptions measured = options;
  auto load = [&](Sampling sampling) {
    return Executor::create(**driver, program, device, sampling);
  };
  auto executor =
      load(options.sampleSeconds > 0 ? Sampling::On : Sampling::Off);
  if (!executor && options.sampleSeconds > 0) {
    // Without samples, either it works, or it fails for another reason.
    std::string reason = llvm::toString(executor.takeError());
    measured.sampleSeconds = 0;
    executor = load(Sampling::Off);
    if (executor)
      note(onNote, "the inside of kernels is not sampled: " + reason);
  }
  if (!executor)
    return executor.takeError();
  auto results = (*executor)->runOnce(arguments);
  if (!results)
    return results.takeError();
  auto run = measure(**executor, measured);
  if (!run)
    return run.takeError();
  if (!run->samplesFailed.empty())
    note(onNote, "the inside of kernels is not sampled: " + run->samplesFailed);
  if (!run->peakFailed.empty())
    note(onNote, "the peak of the device is not known: " + run->peakFailed);
  return DeviceResult{std::move(*run), std::move(*results)};
}

llvm::Expected<std::string> mlirprof::getDeviceTarget(unsigned device) {
  auto driver = openCudaDriver();
  if (!driver)
    return driver.takeError();
  auto info = (*driver)->open(device);
  if (!info)
    return info.takeError();
  // It has instructions that later ones do not have.
  constexpr unsigned kHopper = 9;
  return "sm_" + std::to_string(info->major) + std::to_string(info->minor) +
         (info->major == kHopper ? "a" : "");
}

llvm::Expected<DeviceRun> mlirprof::openDeviceRun(llvm::StringRef path,
                                                  const DeviceModel &model) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return unlessChanged(**buffer, readRun((*buffer)->getBuffer(), model.program,
                                         model.hash, path));
}

llvm::Expected<Profile> mlirprof::makeDeviceProfile(llvm::StringRef path,
                                                    const DeviceModel &model,
                                                    const DeviceRun &run,
                                                    KeepSamples keep) {
  Profile profile;
  if (llvm::ArrayRef<char> bytes = model.program.profile; !bytes.empty()) {
    auto levels = readProfile(llvm::StringRef(bytes.data(), bytes.size()),
                              (path + ": levels").str());
    if (!levels)
      return levels.takeError();
    profile = std::move(*levels);
  }
  addDeviceRun(model.program, run, profile, keep);
  profile.runs.back().source = path.str();
  return std::move(profile);
}
