//===- Compile.h - Compiling a model to a file ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_COMPILE_H
#define MLIR_PROF_SESSION_COMPILE_H

#include "mlir-prof/Compile/ModelLibrary.h"
#include "mlir-prof/Session/Session.h"

namespace mlirprof {

/// A part of a build, its wall time, and the most memory that the process had
/// used when it ended.
struct BuildStage {
  std::string name;
  double seconds = 0;
  uint64_t peakBytes = 0;
};

/// The result of compileFile().
struct CompiledFile {
  compile::Signature signature;
  /// The function that was compiled.
  std::string entry;
  compile::LibrarySizes sizes;
  /// Bytes of the variables.
  uint64_t stateBytes = 0;
  /// The processor and the number of threads for which it was compiled.
  std::string cpu;
  unsigned threads = 1;
  /// Whether the model was in the cache.
  bool isFound = false;
  /// One after the other.
  std::vector<BuildStage> stages;
};

/// Compiles the module `path` by `options` and writes it as a compiled model to
/// the file `output`, whole or not at all.
llvm::Expected<CompiledFile> compileFile(llvm::StringRef path,
                                         const compile::CompileOptions &options,
                                         llvm::StringRef output,
                                         const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_COMPILE_H
