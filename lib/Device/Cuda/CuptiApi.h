//===- CuptiApi.h - Functions of NVIDIA's CUPTI -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts are those of the PC Sampling API in the CUPTI documentation; each
// begins with its size, by which the library tells versions. A build does not
// need NVIDIA's headers.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEVICE_CUDA_CUPTIAPI_H
#define MLIR_PROF_LIB_DEVICE_CUDA_CUPTIAPI_H

#include "mlir-prof/Device/Driver.h"

namespace mlirprof::device::cupti {

/// Samples of one reason for which warps did not issue, or did.
struct StallSamples {
  uint32_t reason;
  uint32_t samples;
};

struct PcData {
  size_t size;
  uint64_t codeChecksum;
  uint64_t offset;
  uint32_t functionIndex;
  uint32_t padding;
  char *functionName;
  size_t stallCount;
  StallSamples *stalls;
  uint32_t correlation;
};

struct SamplingData {
  size_t size;
  /// The number of elements of `pcs`.
  size_t capacity;
  uint64_t samples;
  uint64_t dropped;
  /// The elements of `pcs` that are set, and those for the next call.
  size_t count;
  size_t remaining;
  uint64_t range;
  PcData *pcs;
  uint64_t otherSamples;
  uint8_t isBufferFull;
};

struct Attribute {
  int kind;
  int status;
  union {
    uint64_t all[3];
    uint32_t number;
    size_t bytes;
    void *buffer;
    struct {
      size_t count;
      uint32_t *indices;
    } reasons;
  };
};
// Kinds of attributes.
inline constexpr int kPeriod = 1;
inline constexpr int kReasons = 2;
inline constexpr int kScratchBytes = 3;
inline constexpr int kHardwareBytes = 4;
inline constexpr int kMode = 5;
inline constexpr int kIsStartedByHand = 6;
inline constexpr int kForm = 7;
inline constexpr int kBuffer = 8;
/// Kernels are not serialized.
inline constexpr uint32_t kContinuous = 1;
inline constexpr uint32_t kParsed = 1;

/// For the functions that take nothing else.
struct ContextCall {
  size_t size;
  void *unused;
  Handle context;
};
struct ConfigureCall {
  size_t size;
  void *unused;
  Handle context;
  size_t count;
  Attribute *attributes;
};
struct DataCall {
  size_t size;
  void *unused;
  Handle context;
  void *data;
};
struct ReasonCountCall {
  size_t size;
  void *unused;
  Handle context;
  size_t *count;
};
struct ReasonsCall {
  size_t size;
  void *unused;
  Handle context;
  size_t count;
  uint32_t *indices;
  char **names;
};
/// The library allocates the two names.
struct LineCall {
  size_t size;
  const void *code;
  const char *function;
  size_t codeBytes;
  uint32_t line;
  uint64_t offset;
  char *file;
  char *folder;
};
static_assert(sizeof(PcData) == 64 && sizeof(SamplingData) == 80 &&
                  sizeof(Attribute) == 32 && sizeof(ContextCall) == 24 &&
                  sizeof(ConfigureCall) == 40 && sizeof(DataCall) == 32 &&
                  sizeof(ReasonCountCall) == 32 && sizeof(ReasonsCall) == 48 &&
                  sizeof(LineCall) == 64,
              "layouts of a 64-bit machine");

// The functions that are called: the member, the symbol, and its argument.
#define MLIRPROF_CUPTI_FUNCTIONS(F)                                            \
  F(enable, cuptiPCSamplingEnable, ContextCall)                                \
  F(disable, cuptiPCSamplingDisable, ContextCall)                              \
  F(start, cuptiPCSamplingStart, ContextCall)                                  \
  F(stop, cuptiPCSamplingStop, ContextCall)                                    \
  F(configure, cuptiPCSamplingSetConfigurationAttribute, ConfigureCall)        \
  F(getData, cuptiPCSamplingGetData, DataCall)                                 \
  F(countReasons, cuptiPCSamplingGetNumStallReasons, ReasonCountCall)          \
  F(getReasons, cuptiPCSamplingGetStallReasons, ReasonsCall)                   \
  F(findLine, cuptiGetSassToSourceCorrelation, LineCall)

/// The functions of the loaded library. Each returns a CUptiResult, 0 for
/// success.
struct Api {
#define MLIRPROF_CUPTI_MEMBER(MEMBER, SYMBOL, TYPE) int (*MEMBER)(TYPE *);
  MLIRPROF_CUPTI_FUNCTIONS(MLIRPROF_CUPTI_MEMBER)
#undef MLIRPROF_CUPTI_MEMBER
};

} // namespace mlirprof::device::cupti

#endif // MLIR_PROF_LIB_DEVICE_CUDA_CUPTIAPI_H
