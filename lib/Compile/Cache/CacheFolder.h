//===- CacheFolder.h - A folder with compiled code --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR_PROF_CACHE, or `mlir-prof` in the user's folder of caches;
// MLIR_PROF_CACHE=off disables it. A file appears whole or not at all. The
// oldest files are removed when the folder grows beyond MLIR_PROF_CACHE_SIZE
// megabytes (1024).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_CACHE_CACHEFOLDER_H
#define MLIR_PROF_LIB_COMPILE_CACHE_CACHEFOLDER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace mlirprof::compile {

/// The file that was written as `name`, or null. Several threads and processes
/// may read and write.
std::unique_ptr<llvm::MemoryBuffer> readCached(llvm::StringRef name);

/// How soon after the last time old files are looked for.
enum class Pruning { Seldom, Now };

/// Writes the file `name`, unless `write` fails or the folder cannot be written
/// to, which only costs time.
void writeCached(llvm::StringRef name, Pruning pruning,
                 llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// The size that the folder may have, in bytes; 0 if there is none.
uint64_t getCacheLimit();

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_CACHE_CACHEFOLDER_H
