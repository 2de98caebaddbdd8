//===- CallInstruction.h - Recognizing calls in machine code ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_CALLINSTRUCTION_H
#define MLIR_PROF_SUPPORT_CALLINSTRUCTION_H

#include <cstdint>

namespace mlirprof {

/// Length of `call r/m64` of x86-64 with these second and third bytes, or 0 for
/// another instruction: Intel's manual, volume 2, tables 2-2 and 2-3.
inline unsigned getLengthOfIndirectCall(uint8_t modRm, uint8_t sib) {
  if ((modRm & 0x38) != 0x10)
    return 0;
  unsigned mode = modRm >> 6, base = modRm & 7;
  if (mode == 3)
    return 2;
  bool hasSib = base == 4;
  bool isFarFromNothing =
      mode == 0 && (base == 5 || (hasSib && (sib & 7) == 5));
  return 2 + hasSib + (mode == 2 || isFarFromNothing ? 4 : mode);
}

/// Whether the code of x86-64 that ends at `code[offset]` may be a call
/// instruction. Reads up to seven bytes before: safe in signal handlers.
inline bool endsWithCallOfX86(const uint8_t *code, uint64_t offset) {
  // call rel32
  if (offset >= 5 && code[offset - 5] == 0xe8)
    return true;
  // call r/m64
  for (unsigned length : {2u, 3u, 4u, 6u, 7u}) {
    if (offset < length || code[offset - length] != 0xff)
      continue;
    const uint8_t *call = code + offset - length;
    if (getLengthOfIndirectCall(call[1], length > 2 ? call[2] : 0) == length)
      return true;
  }
  return false;
}

/// The same for AArch64, whose instructions are little-endian on any machine.
inline bool endsWithCallOfAArch64(const uint8_t *code, uint64_t offset) {
  if (offset < 4 || offset % 4 != 0)
    return false;
  uint32_t instruction = 0;
  for (unsigned i = 0; i != 4; ++i)
    instruction |= uint32_t(code[offset - 4 + i]) << (8 * i);
  bool isBl = (instruction & 0xfc000000) == 0x94000000;
  bool isBlr = (instruction & 0xfffffc1f) == 0xd63f0000;
  // blraa and its variants, which authenticate the pointer.
  bool isAuthenticated = (instruction & 0xfefff800) == 0xd63f0800;
  return isBl || isBlr || isAuthenticated;
}

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_CALLINSTRUCTION_H
