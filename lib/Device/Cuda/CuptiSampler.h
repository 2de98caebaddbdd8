//===- CuptiSampler.h - Samples by NVIDIA's CUPTI ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEVICE_CUDA_CUPTISAMPLER_H
#define MLIR_PROF_LIB_DEVICE_CUDA_CUPTISAMPLER_H

#include "mlir-prof/Device/Driver.h"
#include "mlir-prof/Device/Sampler.h"

namespace mlirprof::device {

/// Opens CUPTI and makes a sampler of a context of the driver.
/// MLIR_PROF_LIBCUPTI names the library; without it, it is one of CUDA 11 to 13
/// where the system or /usr/local/cuda has it.
llvm::Expected<std::unique_ptr<Sampler>> openCuptiSampler(Handle context);

} // namespace mlirprof::device

#endif // MLIR_PROF_LIB_DEVICE_CUDA_CUPTISAMPLER_H
