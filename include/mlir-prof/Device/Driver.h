//===- Driver.h - Drivers of devices ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEVICE_DRIVER_H
#define MLIR_PROF_DEVICE_DRIVER_H

#include "mlir-prof/Device/Sampler.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace mlirprof::device {

/// An address in the memory of a device.
using Address = uint64_t;

/// A module, function, stream, event or graph of the driver.
using Handle = void *;

/// A device and its driver.
struct DeviceInfo {
  /// "NVIDIA H100 80GB HBM3".
  std::string name;
  /// Compute capability: 9 and 0.
  unsigned major = 0;
  unsigned minor = 0;
  uint64_t memoryBytes = 0;
  unsigned multiprocessors = 0;
  /// The most bytes of shared memory that one workgroup may have.
  unsigned sharedBytes = 0;
  /// The newest CUDA version that the driver supports: 13000 for 13.0.
  unsigned driverVersion = 0;
};

/// The resources of a loaded kernel.
struct FunctionInfo {
  unsigned registers = 0;
  /// Bytes of a thread that did not fit into registers, or are arrays.
  unsigned localBytes = 0;
  /// Bytes of shared memory that its assembly declares.
  unsigned sharedBytes = 0;
  /// The most threads of a workgroup.
  unsigned maxThreads = 0;
};

/// The numbers of workgroups and threads, x first, and the bytes of dynamic
/// shared memory of a workgroup.
struct LaunchShape {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t sharedBytes = 0;
};

/// The driver of a kind of devices. Each call may fail; the error then says in
/// which call, for `what` ("kernel 'matmul'"), and what to do. All calls after
/// open() come from the thread that called it.
class Driver {
public:
  virtual ~Driver();

  virtual llvm::Expected<unsigned> countDevices() = 0;
  /// Makes a device the one of all further calls.
  virtual llvm::Expected<DeviceInfo> open(unsigned device) = 0;

  /// Turns assembly (PTX) into code. An error has the driver's log.
  virtual llvm::Expected<Handle> load(const std::string &assembly,
                                      llvm::StringRef what) = 0;
  virtual void unload(Handle module) = 0;
  virtual llvm::Expected<Handle> find(Handle module, const std::string &name,
                                      llvm::StringRef what) = 0;
  virtual llvm::Expected<FunctionInfo> describe(Handle function,
                                                llvm::StringRef what) = 0;
  /// Lets launches of `function` have that much dynamic shared memory.
  virtual llvm::Error allowShared(Handle function, uint32_t bytes,
                                  llvm::StringRef what) = 0;

  /// Memory at a multiple of 256 bytes.
  virtual llvm::Expected<Address> allocate(uint64_t bytes,
                                           llvm::StringRef what) = 0;
  virtual void release(Address address) = 0;

  virtual llvm::Expected<Handle> createStream() = 0;
  virtual void destroyStream(Handle stream) = 0;
  /// Waits until all work of the stream is done, and reports its errors.
  virtual llvm::Error synchronize(Handle stream, llvm::StringRef what) = 0;

  virtual llvm::Error copyToDevice(Address to, llvm::ArrayRef<char> from,
                                   Handle stream, llvm::StringRef what) = 0;
  virtual llvm::Error copyFromDevice(llvm::MutableArrayRef<char> to,
                                     Address from, Handle stream,
                                     llvm::StringRef what) = 0;
  virtual llvm::Error copyOnDevice(Address to, Address from, uint64_t bytes,
                                   Handle stream, llvm::StringRef what) = 0;
  virtual llvm::Error fillZero(Address to, uint64_t bytes, Handle stream,
                               llvm::StringRef what) = 0;

  /// Runs a function with arguments of 8 bytes each.
  virtual llvm::Error launch(Handle function, const LaunchShape &shape,
                             llvm::ArrayRef<uint64_t> arguments, Handle stream,
                             llvm::StringRef what) = 0;

  virtual llvm::Expected<Handle> createEvent() = 0;
  virtual void destroyEvent(Handle event) = 0;
  /// Also while the stream is captured: the graph then records it.
  virtual llvm::Error record(Handle event, Handle stream) = 0;
  /// Picoseconds between two recorded events of which the device is done.
  virtual llvm::Expected<int64_t> getElapsedPs(Handle begin, Handle end) = 0;

  /// From here on, work of the stream becomes part of a graph.
  virtual llvm::Error beginCapture(Handle stream) = 0;
  virtual llvm::Expected<Handle> endCapture(Handle stream) = 0;
  virtual llvm::Error launchGraph(Handle graph, Handle stream) = 0;
  virtual void destroyGraph(Handle graph) = 0;

  /// Makes a sampler for the code that is loaded from here on. Fails if the
  /// driver does not have one, which is the default.
  virtual llvm::Expected<std::unique_ptr<Sampler>> createSampler();
  /// The machine code of a module that was loaded after createSampler(), valid
  /// until the module is unloaded.
  virtual llvm::ArrayRef<char> getCode(Handle module) { return {}; }
};

/// Opens the driver of NVIDIA's devices: the library `path`, or libcuda.so.1 if
/// it is empty. MLIR_PROF_LIBCUDA names another library.
llvm::Expected<std::unique_ptr<Driver>>
openCudaDriver(llvm::StringRef path = "");

/// The error of a call of NVIDIA's driver: `code` is its CUresult, and `name`
/// the driver's name for it ("CUDA_ERROR_OUT_OF_MEMORY").
llvm::Error makeCudaError(int code, llvm::StringRef call, llvm::StringRef name,
                          llvm::StringRef what, llvm::StringRef log = "");

} // namespace mlirprof::device

#endif // MLIR_PROF_DEVICE_DRIVER_H
