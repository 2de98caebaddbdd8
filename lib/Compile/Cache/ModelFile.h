//===- ModelFile.h - Compiled models as bytes -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_CACHE_MODELFILE_H
#define MLIR_PROF_LIB_COMPILE_CACHE_MODELFILE_H

#include "mlir-prof/Compile/ModelCache.h"

namespace mlirprof::compile {

/// The first bytes of a file, another one for each form.
inline constexpr llvm::StringLiteral kModelMagic = "MLPMODL7";
/// Mapped files begin at multiples of it. Whoever loads the model copies
/// constants of greater alignment.
inline constexpr uint64_t kFileAlignment = 4096;
/// The greatest alignment of a constant; LLVM's limit.
inline constexpr uint64_t kMostAlignment = uint64_t(1) << 32;

/// Tells where the bytes of a constant begin in those of all.
using PlaceConstant =
    llvm::function_ref<uint64_t(const ExternalConstant &constant)>;

/// The parts of a model that a file has one by one. The last one is the bytes
/// to which the table's places of constants refer.
struct ModelParts {
  llvm::StringRef table, program, levels, object, constants;
};

/// The table: all that is in no other part.
std::string writeTable(const CompiledModel &model,
                       const BuildWarnings &warnings, PlaceConstant place);
/// A profile with all levels of `model`, its own before those of its kernels.
std::string writeLevels(const CompiledModel &model);

/// The model of `parts`, which keep its constants; none if they are not whole.
std::optional<CompiledModel> parseParts(const ModelParts &parts,
                                        BuildWarnings &warnings);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_CACHE_MODELFILE_H
