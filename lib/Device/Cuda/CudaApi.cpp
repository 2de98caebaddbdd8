//===- CudaApi.cpp - Functions of NVIDIA's driver -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "mlir-prof/Support/Error.h"

#include <dlfcn.h>

using namespace mlirprof;
using namespace mlirprof::device;

llvm::Expected<CudaApi> device::loadCudaApi(const std::string &path) {
  // Never closed: the driver has threads of its own.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return inputError(
        path,
        "NVIDIA's driver cannot be loaded: " +
            llvm::Twine(reason ? reason : "unknown error"),
        "A machine with an NVIDIA GPU has the library once its driver is "
        "installed; MLIR_PROF_LIBCUDA names a library elsewhere. On a machine "
        "without one, 'mlir-prof compile --device=cuda' makes a file that "
        "'mlir-prof-gpu' runs where a GPU is.");
  }
  CudaApi api;
  const char *missing = nullptr;
#define MLIRPROF_CUDA_LOAD(MEMBER, SYMBOL, TYPES)                              \
  api.MEMBER =                                                                 \
      reinterpret_cast<decltype(api.MEMBER)>(dlsym(library, #SYMBOL));         \
  if (!api.MEMBER && !missing)                                                 \
    missing = #SYMBOL;
  MLIRPROF_CUDA_FUNCTIONS(MLIRPROF_CUDA_LOAD)
#undef MLIRPROF_CUDA_LOAD
  if (missing)
    return inputError(
        path, "NVIDIA's driver lacks the function " + llvm::Twine(missing),
        "Install a driver for CUDA 11.4 or later.");
  return api;
}
