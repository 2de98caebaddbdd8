//===- ChildProcess.h - Trying what may crash in a child process *- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_MATCH_CHILDPROCESS_H
#define MLIRPROF_LIB_MATCH_CHILDPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace mlirprof {

/// Runs `action` in a copy of this process, silently and with limits of
/// processor time and memory, and says whether it came to its end. What it does
/// to memory is lost. Where no process can be made, says yes.
bool survivesInChild(llvm::function_ref<void()> action, uint64_t seconds,
                     uint64_t bytes);

} // namespace mlirprof

#endif // MLIRPROF_LIB_MATCH_CHILDPROCESS_H
