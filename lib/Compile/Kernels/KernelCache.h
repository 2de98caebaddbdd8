//===- KernelCache.h - Compiled kernels on disk -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cache (CacheFolder.h) has a file for each kernel, which is checked when
// it is read, and is ignored if it is damaged.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_KERNELCACHE_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_KERNELCACHE_H

#include "KernelCompiler.h"

namespace mlirprof::compile {

/// The kernel `source` as it was compiled before, or else compiled in the
/// workshop that `open` returns, and kept for the next time. Several threads
/// and processes may call this.
llvm::Expected<CompiledKernel>
findOrCompile(const KernelSource &source, const CompileOptions &options,
              llvm::function_ref<KernelWorkshop &()> open);

/// `kernel` as bytes, and the reverse; none if they are not whole.
std::string serializeKernel(const CompiledKernel &kernel);
std::optional<CompiledKernel> parseKernel(llvm::StringRef bytes);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_KERNELCACHE_H
