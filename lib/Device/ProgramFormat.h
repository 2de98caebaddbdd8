//===- ProgramFormat.h - The file form of programs --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEVICE_PROGRAMFORMAT_H
#define MLIR_PROF_LIB_DEVICE_PROGRAMFORMAT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlirprof::device::format {

inline constexpr llvm::StringLiteral kMagic = "mlprofdv";
inline constexpr uint16_t kMajor = 1;
inline constexpr uint16_t kMinor = 0;
/// Size of the begin of the file and of each section's header, and what
/// contents are padded to.
inline constexpr uint64_t kUnit = 64;

/// Names of sections, as 32 bits.
constexpr uint32_t makeTag(const char (&text)[5]) {
  return uint32_t(uint8_t(text[0])) | uint32_t(uint8_t(text[1])) << 8 |
         uint32_t(uint8_t(text[2])) << 16 | uint32_t(uint8_t(text[3])) << 24;
}
/// Target, bytes of the arena and of probes.
inline constexpr uint32_t kMain = makeTag("main");
/// One text of assembly; they are numbered in order.
inline constexpr uint32_t kAssembly = makeTag("code");
inline constexpr uint32_t kKernels = makeTag("kern");
inline constexpr uint32_t kSteps = makeTag("step");
inline constexpr uint32_t kArguments = makeTag("args");
inline constexpr uint32_t kResults = makeTag("rslt");
/// The bytes of one constant, in order.
inline constexpr uint32_t kConstant = makeTag("cnst");
inline constexpr uint32_t kProfile = makeTag("prof");
inline constexpr uint32_t kLast = makeTag("last");

/// Kinds of steps.
enum class StepKind : uint8_t { Launch = 0, Copy = 1 };

} // namespace mlirprof::device::format

#endif // MLIR_PROF_LIB_DEVICE_PROGRAMFORMAT_H
