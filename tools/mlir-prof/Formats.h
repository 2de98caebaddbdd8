//===- Formats.h - The formats that each verb writes ------------*- C++ -*-===//
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

/// Those that `--format` of `verb` takes, the default first; export has no
/// default. Empty for verbs without that option.
std::vector<FormatInfo> getFormatsOf(llvm::StringRef verb);

/// Which of these `arguments` name; the default without the option.
llvm::Expected<unsigned> getFormat(const llvm::opt::InputArgList &arguments,
                                   llvm::StringRef verb);

/// "text (default), json or csv".
std::string describeFormats(llvm::StringRef verb);

/// `help` with the names of what is registered in place of "{formats}" (those
/// of `verb`), "{groups}", "{rules}", "{techniques}" and "{palettes}".
std::string fillPlaceholders(llvm::StringRef help, llvm::StringRef verb);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_FORMATS_H
