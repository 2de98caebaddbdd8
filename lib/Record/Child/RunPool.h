//===- RunPool.h - Memory of a model that runs ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNPOOL_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNPOOL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>

namespace mlirprof::record {

/// Where the model's malloc and its like come from. What is given back is kept,
/// pages and all: from the second iteration on nothing asks the system, while
/// malloc would unmap large blocks and fault their pages in again on each call.
/// One a process; for any number of threads.
namespace runpool {

/// Reserves up to `bytes` of addresses. False when there are none.
bool initialize(uint64_t bytes);
void *allocate(size_t size, size_t alignment);
/// Ignores null. Ends the process, with a message, for what the pool did not
/// give out or has got back already.
void release(void *pointer);
/// Whether `pointer` is a block that the pool gave out.
bool owns(const void *pointer);
/// Called with a message before the pool ends the process.
void setFailureHandler(void (*handler)(const char *message));

/// Calls `bind` with name and address of each function that the model uses in
/// place of the C library's.
void forEachFunction(
    llvm::function_ref<void(llvm::StringRef name, void *address)> bind);

} // namespace runpool
} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNPOOL_H
