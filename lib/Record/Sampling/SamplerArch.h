//===- SamplerArch.h - Processor-specific parts of samplers -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that depends on the architecture: registers of an interrupted
// thread, and the form of calls. A port adds a branch here.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SAMPLING_SAMPLERARCH_H
#define MLIR_PROF_LIB_RECORD_SAMPLING_SAMPLERARCH_H

#include "mlir-prof/Support/CallInstruction.h"

#include <asm/perf_regs.h>
#include <cstdint>
#include <ucontext.h>

namespace mlirprof::record {

/// Registers of an interrupted thread.
struct ThreadRegisters {
  uint64_t instruction = 0;
  uint64_t stack = 0;
  /// The return address if the architecture keeps it in a register, else 0.
  uint64_t link = 0;
};

#if defined(__x86_64__)

inline ThreadRegisters getRegisters(const ucontext_t &context) {
  const greg_t *registers = context.uc_mcontext.gregs;
  return {uint64_t(registers[REG_RIP]), uint64_t(registers[REG_RSP]), 0};
}

/// Registers that perf_event must store, and their order.
inline constexpr uint64_t kPerfRegisters =
    (uint64_t(1) << PERF_REG_X86_SP) | (uint64_t(1) << PERF_REG_X86_IP);
inline constexpr unsigned kPerfRegisterCount = 2;
inline ThreadRegisters getRegisters(const uint64_t *stored) {
  return {stored[1], stored[0], 0};
}

/// Whether the code that ends at `code[offset]` is a call instruction.
inline bool endsWithCall(const uint8_t *code, uint64_t offset) {
  return endsWithCallOfX86(code, offset);
}

#elif defined(__aarch64__)

inline ThreadRegisters getRegisters(const ucontext_t &context) {
  return {context.uc_mcontext.pc, context.uc_mcontext.sp,
          context.uc_mcontext.regs[30]};
}

inline constexpr uint64_t kPerfRegisters = (uint64_t(1) << PERF_REG_ARM64_LR) |
                                           (uint64_t(1) << PERF_REG_ARM64_SP) |
                                           (uint64_t(1) << PERF_REG_ARM64_PC);
inline constexpr unsigned kPerfRegisterCount = 3;
inline ThreadRegisters getRegisters(const uint64_t *stored) {
  return {stored[2], stored[1], stored[0]};
}

inline bool endsWithCall(const uint8_t *code, uint64_t offset) {
  return endsWithCallOfAArch64(code, offset);
}

#else
#error "Samplers need the registers and calls of this architecture"
#endif

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SAMPLING_SAMPLERARCH_H
