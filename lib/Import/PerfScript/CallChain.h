//===- CallChain.h - Meaning of the addresses of a chain --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_CALLCHAIN_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_CALLCHAIN_H

#include "Lines.h"

namespace mlirprof::importer::perfscript {

/// The relation of a frame's address to the frame's current instruction.
enum class AddressUse : uint8_t {
  /// The address of that instruction: it ran, faulted, or was interrupted.
  Instruction,
  /// It follows that instruction, a call or a system call.
  ReturnAddress,
  /// Either, for a frame below a signal handler's: an unwinder that knows
  /// signals gives the interrupted instruction, one that follows frame pointers
  /// skips the interrupted function and gives the return address to its caller.
  Unsure,
};

/// Follows a sample's frames outward.
class CallChain {
public:
  /// Begins the next sample.
  void begin() { *this = CallChain(); }
  /// Takes the next frame, and returns the meaning of its address.
  AddressUse take(const Frame &frame);

private:
  AddressUse next = AddressUse::Instruction;
  bool isSystemCall = false;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_CALLCHAIN_H
