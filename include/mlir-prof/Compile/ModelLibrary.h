//===- ModelLibrary.h - Compiled models as shared libraries -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled model in a file (*.mprof): a shared library that the runtime loads
// without MLIR and LLVM, followed by what the tool needs to record the model.
// docs/compiled-models.md describes the layout, and prof_model_file.h defines
// it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_MODELLIBRARY_H
#define MLIR_PROF_COMPILE_MODELLIBRARY_H

#include "mlir-prof/Compile/ModelCache.h"

namespace mlirprof::compile {

/// The bytes of the parts of a file.
struct LibrarySizes {
  /// The library without its constants, the constants, and all of the file.
  uint64_t code = 0, constants = 0, file = 0;
};

/// Writes `model`, which was compiled for `target`, as a compiled model. Fails
/// if its code calls a function that the runtime does not have.
llvm::Expected<LibrarySizes> writeLibrary(const CompiledModel &model,
                                          const BuildWarnings &warnings,
                                          const codegen::TargetModel &target,
                                          llvm::raw_ostream &os);

/// Whether `bytes` begin as a library, or end as a compiled model of any form
/// does.
bool isLibrary(llvm::StringRef bytes);

/// The content of a file. The constants of the model stay in the file's bytes.
struct ModelLibrary {
  CompiledModel model;
  BuildWarnings warnings;
  /// Threads for which the code was made.
  unsigned threads = 1;
};

/// Reads the bytes of the file `path`; an error if they are damaged, of another
/// form, or for a processor unlike this one.
llvm::Expected<ModelLibrary> readLibrary(llvm::StringRef bytes,
                                         llvm::StringRef path);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_MODELLIBRARY_H
