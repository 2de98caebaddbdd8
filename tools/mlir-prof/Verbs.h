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

#include <vector>

namespace mlirprof {

/// Which positional arguments name files.
enum class Positionals : uint8_t {
  Files,
  /// All others are text.
  FirstIsFile,
  /// All are text.
  None,
  /// The output may replace one of the inputs without loss of data.
  FilesInPlace,
};

/// A value of --format.
struct FormatInfo {
  llvm::StringRef name;
  llvm::StringRef description;
};

/// One verb of the tool. To add one, add its options to Opts.td, a file here
/// and a line in Verbs.def.
struct Verb {
  /// As in Opts.td.
  llvm::StringRef name;
  /// A UsageError makes the tool exit with 2, any other error with 1.
  llvm::Error (*run)(const llvm::opt::InputArgList &arguments);
  /// The formats that --format accepts, the default first (export does not have
  /// a default); null for a verb without that option. See Formats.h.
  std::vector<FormatInfo> (*getFormats)() = nullptr;
  Positionals positionals = Positionals::Files;
};

llvm::ArrayRef<Verb> getVerbs();
/// The verb `name`, or null.
const Verb *findVerb(llvm::StringRef name);

namespace verb {
#define MLIRPROF_VERB(NAME) Verb NAME();
#include "Verbs.def"
} // namespace verb

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_VERBS_H
