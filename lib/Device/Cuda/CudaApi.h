//===- CudaApi.h - Functions of NVIDIA's driver -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of the functions and the values of their constants are those of the
// CUDA Driver API Reference Manual. A build does not need NVIDIA's headers.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEVICE_CUDA_CUDAAPI_H
#define MLIR_PROF_LIB_DEVICE_CUDA_CUDAAPI_H

#include "mlir-prof/Device/Driver.h"

namespace mlirprof::device {

// The functions that are called: the member, the symbol, and the types of the
// arguments. A device is an int, a size a size_t.
#define MLIRPROF_CUDA_FUNCTIONS(F)                                             \
  F(init, cuInit, (unsigned))                                                  \
  F(getErrorName, cuGetErrorName, (int, const char **))                        \
  F(getVersion, cuDriverGetVersion, (int *))                                   \
  F(countDevices, cuDeviceGetCount, (int *))                                   \
  F(getDevice, cuDeviceGet, (int *, int))                                      \
  F(getDeviceName, cuDeviceGetName, (char *, int, int))                        \
  F(getDeviceAttribute, cuDeviceGetAttribute, (int *, int, int))               \
  F(getDeviceMemory, cuDeviceTotalMem_v2, (size_t *, int))                     \
  F(retainContext, cuDevicePrimaryCtxRetain, (Handle *, int))                  \
  F(releaseContext, cuDevicePrimaryCtxRelease_v2, (int))                       \
  F(setContext, cuCtxSetCurrent, (Handle))                                     \
  F(loadModule, cuModuleLoadDataEx,                                            \
    (Handle *, const void *, unsigned, int *, void **))                        \
  F(unloadModule, cuModuleUnload, (Handle))                                    \
  F(createLinker, cuLinkCreate_v2, (unsigned, int *, void **, Handle *))       \
  F(addToLinker, cuLinkAddData_v2,                                             \
    (Handle, int, void *, size_t, const char *, unsigned, int *, void **))     \
  F(finishLinker, cuLinkComplete, (Handle, void **, size_t *))                 \
  F(destroyLinker, cuLinkDestroy, (Handle))                                    \
  F(getFunction, cuModuleGetFunction, (Handle *, Handle, const char *))        \
  F(getFunctionAttribute, cuFuncGetAttribute, (int *, int, Handle))            \
  F(setFunctionAttribute, cuFuncSetAttribute, (Handle, int, int))              \
  F(allocate, cuMemAlloc_v2, (Address *, size_t))                              \
  F(release, cuMemFree_v2, (Address))                                          \
  F(createStream, cuStreamCreate, (Handle *, unsigned))                        \
  F(destroyStream, cuStreamDestroy_v2, (Handle))                               \
  F(synchronize, cuStreamSynchronize, (Handle))                                \
  F(copyToDevice, cuMemcpyHtoDAsync_v2,                                        \
    (Address, const void *, size_t, Handle))                                   \
  F(copyFromDevice, cuMemcpyDtoHAsync_v2, (void *, Address, size_t, Handle))   \
  F(copyOnDevice, cuMemcpyDtoDAsync_v2, (Address, Address, size_t, Handle))    \
  F(fillBytes, cuMemsetD8Async, (Address, unsigned char, size_t, Handle))      \
  F(launch, cuLaunchKernel,                                                    \
    (Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,       \
     unsigned, Handle, void **, void **))                                      \
  F(createEvent, cuEventCreate, (Handle *, unsigned))                          \
  F(destroyEvent, cuEventDestroy_v2, (Handle))                                 \
  F(recordEvent, cuEventRecordWithFlags, (Handle, Handle, unsigned))           \
  F(getElapsed, cuEventElapsedTime, (float *, Handle, Handle))                 \
  F(beginCapture, cuStreamBeginCapture_v2, (Handle, int))                      \
  F(endCapture, cuStreamEndCapture, (Handle, Handle *))                        \
  F(makeGraph, cuGraphInstantiateWithFlags,                                    \
    (Handle *, Handle, unsigned long long))                                    \
  F(launchGraph, cuGraphLaunch, (Handle, Handle))                              \
  F(destroyGraph, cuGraphDestroy, (Handle))                                    \
  F(destroyGraphExec, cuGraphExecDestroy, (Handle))

/// The functions of the loaded library. Each returns a CUresult, 0 for success.
struct CudaApi {
#define MLIRPROF_CUDA_MEMBER(MEMBER, SYMBOL, TYPES) int(*MEMBER) TYPES;
  MLIRPROF_CUDA_FUNCTIONS(MLIRPROF_CUDA_MEMBER)
#undef MLIRPROF_CUDA_MEMBER
};

/// Loads the library `path` for the rest of the process.
llvm::Expected<CudaApi> loadCudaApi(const std::string &path);

namespace cuda {
// CUdevice_attribute
inline constexpr int kMultiprocessors = 16;
inline constexpr int kMajor = 75;
inline constexpr int kMinor = 76;
inline constexpr int kSharedBytes = 97;
// CUfunction_attribute
inline constexpr int kMaxThreads = 0;
inline constexpr int kStaticSharedBytes = 1;
inline constexpr int kLocalBytes = 3;
inline constexpr int kRegisters = 4;
inline constexpr int kMaxDynamicSharedBytes = 8;
// CUjit_option
inline constexpr int kErrorLog = 5;
inline constexpr int kErrorLogBytes = 6;
inline constexpr int kLineInfo = 13;
// CUjitInputType
inline constexpr int kPtx = 1;
// CUstream_flags, CUstreamCaptureMode, CUevent_record_flags
inline constexpr unsigned kNonBlocking = 1;
inline constexpr int kCaptureThreadLocal = 1;
inline constexpr unsigned kRecordExternal = 1;
} // namespace cuda

} // namespace mlirprof::device

#endif // MLIR_PROF_LIB_DEVICE_CUDA_CUDAAPI_H
