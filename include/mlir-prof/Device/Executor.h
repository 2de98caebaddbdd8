//===- Executor.h - Running programs on a device ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEVICE_EXECUTOR_H
#define MLIR_PROF_DEVICE_EXECUTOR_H

#include "mlir-prof/Device/Driver.h"
#include "mlir-prof/Device/Program.h"
#include "mlir-prof/Support/HostTensor.h"

#include <map>
#include <string>
#include <vector>

namespace mlirprof::device {

/// Copies between the host and the device.
struct Transfer {
  /// "constants", "arguments", "results".
  std::string name;
  bool isToDevice = true;
  uint64_t bytes = 0;
  /// Between two events around it.
  int64_t durationPs = 0;
};

/// Whether program counters are sampled.
enum class Sampling : uint8_t { Off, On };

/// A program on a device: its code is loaded, its constants are there, and all
/// memory that runs need is allocated. Runs take turns with each other.
class Executor {
public:
  /// Loads `program` onto the device number `device`. Both must outlive the
  /// executor. Fails if the device cannot run the program.
  /// With Sampling::On, also if samples cannot be taken.
  static llvm::Expected<std::unique_ptr<Executor>>
  create(Driver &driver, const Program &program, unsigned device = 0,
         Sampling sampling = Sampling::Off);
  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  const DeviceInfo &getDevice() const { return info; }
  const Program &getProgram() const { return program; }
  Driver &getDriver() { return driver; }
  Handle getStream() const { return stream; }
  /// By index of the kernel.
  llvm::ArrayRef<FunctionInfo> getFunctions() const { return functionInfos; }
  /// All so far.
  llvm::ArrayRef<Transfer> getTransfers() const { return transfers; }

  /// Copies the arguments to the device. Fails if their types or shapes are
  /// not those of the program.
  llvm::Error setArguments(llvm::ArrayRef<HostTensor> arguments);
  /// Starts one step, without waiting for it.
  llvm::Error start(size_t step);
  /// Starts all steps.
  llvm::Error startAll();
  /// Runs all steps, and waits for each, so that an error names the kernel that
  /// caused it.
  llvm::Error runChecked();
  /// Waits for all that was started.
  llvm::Error wait();
  /// Copies the results from the device.
  llvm::Expected<std::vector<HostTensor>> readResults();
  /// Copies the arguments, runs once as runChecked does, and reads the results:
  /// those of the first run, since later ones may read what it wrote.
  llvm::Expected<std::vector<HostTensor>>
  runOnce(llvm::ArrayRef<HostTensor> arguments);
  /// Copies the buffer of probes from the device.
  llvm::Expected<std::vector<char>> readProbes();

  /// Runs all steps for at least `seconds`, while program counters are sampled.
  /// The executor was created with Sampling::On.
  llvm::Expected<DeviceSamples> sample(double seconds);

  /// "kernel 'matmul'" or "copy 3": a step, for messages.
  std::string describe(size_t step) const;

private:
  Executor(Driver &driver, const Program &program)
      : driver(driver), program(program) {}
  llvm::Error load(unsigned device, Sampling sampling);
  llvm::Error loadKernels();
  llvm::Error allocateAll();
  llvm::Error prepareSteps();
  llvm::Error copyConstants();
  /// Runs `copy` between two events.
  llvm::Error transfer(Transfer transfer,
                       llvm::function_ref<llvm::Error()> copy);
  Address getAddress(const Binding &binding) const;

  /// Sizes and arguments of a launch.
  struct PreparedLaunch {
    LaunchShape shape;
    std::vector<uint64_t> arguments;
  };

  Driver &driver;
  const Program &program;
  DeviceInfo info;
  Handle stream = nullptr;
  Handle transferBegin = nullptr;
  Handle transferEnd = nullptr;
  /// By assembly.
  std::map<llvm::StringRef, Handle> modules;
  std::vector<Handle> functions;
  std::vector<FunctionInfo> functionInfos;
  /// By Binding::Place and index; 0 for places without bytes.
  std::array<std::vector<Address>, 5> places;
  /// By step; empty for copies.
  std::vector<PreparedLaunch> launches;
  std::vector<Transfer> transfers;
  std::unique_ptr<Sampler> sampler;
};

} // namespace mlirprof::device

#endif // MLIR_PROF_DEVICE_EXECUTOR_H
