//===- SamplerArch.h - What samplers know of the processor -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that depends on the architecture: registers of an interrupted thread, and
// what a call looks like. A port adds a branch here.
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_RECORD_SAMPLERARCH_H
#define MLIRPROF_LIB_RECORD_SAMPLERARCH_H

#include <asm/perf_regs.h>
#include <cstdint>
#include <cstring>
#include <ucontext.h>

namespace mlirprof {

/// Registers of an interrupted thread.
struct ThreadRegisters {
  uint64_t instruction = 0;
  uint64_t stack = 0;
  /// The return address where the architecture keeps it in a register, else 0.
  uint64_t link = 0;
};

#if defined(__x86_64__)

inline ThreadRegisters getRegisters(const ucontext_t &context) {
  const greg_t *registers = context.uc_mcontext.gregs;
  return {uint64_t(registers[REG_RIP]), uint64_t(registers[REG_RSP]), 0};
}

/// Registers that perf_event is to store, and how they then lie.
inline constexpr uint64_t kPerfRegisters =
    (uint64_t(1) << PERF_REG_X86_SP) | (uint64_t(1) << PERF_REG_X86_IP);
inline constexpr unsigned kPerfRegisterCount = 2;
inline ThreadRegisters getRegisters(const uint64_t *stored) {
  return {stored[1], stored[0], 0};
}

/// Whether the code that ends at `code[offset]` is a call instruction.
inline bool endsWithCall(const uint8_t *code, uint64_t offset) {
  // call rel32
  if (offset >= 5 && code[offset - 5] == 0xe8)
    return true;
  // call r/m64: the opcode, then /2 in the middle of the next byte, which with
  // what follows it tells the length.
  for (unsigned length : {2u, 3u, 4u, 6u, 7u})
    if (offset >= length && code[offset - length] == 0xff &&
        (code[offset - length + 1] & 0x38) == 0x10)
      return true;
  return false;
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
  if (offset < 4 || offset % 4 != 0)
    return false;
  uint32_t instruction;
  std::memcpy(&instruction, code + offset - 4, sizeof instruction);
  bool isBl = (instruction & 0xfc000000) == 0x94000000;
  bool isBlr = (instruction & 0xfffffc1f) == 0xd63f0000;
  return isBl || isBlr;
}

#else
#error "Samplers need the registers and calls of this architecture"
#endif

} // namespace mlirprof

#endif // MLIRPROF_LIB_RECORD_SAMPLERARCH_H
