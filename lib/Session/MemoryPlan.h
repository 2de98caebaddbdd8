//===- MemoryPlan.h - The memory of a compiled model ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SESSION_MEMORYPLAN_H
#define MLIR_PROF_LIB_SESSION_MEMORYPLAN_H

#include "mlir-prof/Profile/Profile.h"

#include <string>

namespace mlirprof {

/// Adds the static plan of memory to the last run: the buffers of the function
/// `entry` at the level "bufferized" of the last program, with the ops between
/// which they live. Returns the reason if there is no plan, such as a size that
/// only a call tells; else "".
std::string addMemoryPlan(profile::Profile &profile, llvm::StringRef entry);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_SESSION_MEMORYPLAN_H
