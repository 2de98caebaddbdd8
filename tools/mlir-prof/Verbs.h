//===- Verbs.h - The verbs of mlir-prof -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_VERBS_H
#define MLIR_PROF_TOOLS_VERBS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

namespace mlirprof {

/// Which positional arguments name files.
enum class Positionals : uint8_t {
  Files,
  /// All others are text.
  FirstIsFile,
  /// The output may replace one of the inputs without loss of data.
  FilesInPlace,
};

/// One verb of the tool. Its options are in Opts.td, its code in a separate
/// file. A UsageError makes the tool exit with 2, any other error with 1.
struct Verb {
  llvm::StringRef name;
  llvm::Error (*run)(const llvm::opt::InputArgList &arguments);
  Positionals positionals = Positionals::Files;
};

llvm::ArrayRef<Verb> getVerbs();
/// The verb `name`, or null.
const Verb *findVerb(llvm::StringRef name);

#define MLIRPROF_VERB(Name, Text, Positionals)                                 \
  llvm::Error run##Name(const llvm::opt::InputArgList &arguments);
#include "Verbs.def"

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_VERBS_H
