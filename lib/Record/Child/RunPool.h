//===- RunPool.h - Memory of a running model --------------------*- C++ -*-===//
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

/// The allocator behind the model's malloc and related functions. Released
/// blocks are kept with their pages: from the second iteration on, the system
/// is not called, while malloc would unmap large blocks and fault their pages
/// in again on each call. One per process; for any number of threads.
namespace runpool {

/// Reserves up to `bytes` of addresses. False if they are not available.
bool initialize(uint64_t bytes);
void *allocate(size_t size, size_t alignment);
/// Ignores null. Ends the process with a message if the pool did not allocate
/// the block or has already released it.
void release(void *pointer);
/// Whether `pointer` is a block that the pool allocated.
bool owns(const void *pointer);
/// Begins to look for the peak anew; returns the requested bytes in use now.
uint64_t resetPeak();
/// The most requested bytes that were in use at once since then.
uint64_t getPeak();
/// The handler receives the message before the pool ends the process.
void setFailureHandler(void (*handler)(const char *message));

/// Calls `bind` with name and address of each function that replaces one of the
/// C library for the model.
void forEachFunction(
    llvm::function_ref<void(llvm::StringRef name, void *address)> bind);

} // namespace runpool
} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNPOOL_H
