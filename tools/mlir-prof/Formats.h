//===- Formats.h - The output formats of each verb --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_FORMATS_H
#define MLIR_PROF_TOOLS_FORMATS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace mlirprof {

struct FormatInfo {
  llvm::StringRef name;
  llvm::StringRef description;
};

/// The formats that `--format` of `verb` accepts, the default first; export
/// does not have a default. Empty for verbs without that option.
std::vector<FormatInfo> getFormatsOf(llvm::StringRef verb);

/// The index of the format that `arguments` name; the default without the
/// option.
llvm::Expected<unsigned> getFormat(const llvm::opt::InputArgList &arguments,
                                   llvm::StringRef verb);

/// "text (default), json or csv".
std::string describeFormats(llvm::StringRef verb);

/// `help` with the names of registered entries in place of "{formats}" (those
/// of `verb`), "{groups}", "{rules}", "{techniques}" and "{palettes}".
std::string fillPlaceholders(llvm::StringRef help, llvm::StringRef verb);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_FORMATS_H
