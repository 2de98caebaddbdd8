//===- ModelCache.h - Compiled models on disk -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The folder of compiled kernels also keeps whole models of pipelines that make
// kernels, so that a model that was compiled before is mapped into memory
// instead. A model is known by the bytes of its file, all options, and the
// builds of this program, MLIR and LLVM. Files that are damaged are ignored.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_MODELCACHE_H
#define MLIR_PROF_COMPILE_MODELCACHE_H

#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::compile {

/// Fails if an environment variable of the cache does not have a valid value.
llvm::Error checkCacheSettings();

/// Names what the compiler makes by `options` of a source with the content hash
/// `source`, whose locations may name `path`. Empty if the result is not kept:
/// the pipeline does not make kernels, or options call back.
std::string getModelKey(llvm::StringRef source, llvm::StringRef path,
                        const CompileOptions &options);

/// The warnings of a build, each once, for who builds the model again.
using BuildWarnings = std::vector<std::string>;

/// The model that keepModel kept as `key`, and the warnings of its build; none
/// if the cache lacks it. Its constants are in a mapped file. Several threads
/// and processes may find and keep models.
std::optional<CompiledModel> findModel(llvm::StringRef key,
                                       BuildWarnings &warnings);

/// Keeps `model` unless it does not fit into a quarter of the cache, or
/// `check`, which is called when all of it has been read, fails.
void keepModel(llvm::StringRef key, const CompiledModel &model,
               const BuildWarnings &warnings,
               llvm::function_ref<llvm::Error()> check = nullptr);

/// `model` and `warnings` as bytes, and the reverse; none if they are not
/// whole. The constants stay in `bytes`, where they are aligned to at most a
/// page, and only if `bytes` begins at one.
void writeModel(const CompiledModel &model, const BuildWarnings &warnings,
                llvm::raw_ostream &os);
std::optional<CompiledModel> parseModel(llvm::StringRef bytes,
                                        BuildWarnings &warnings);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_MODELCACHE_H
