//===- Formats.h - The output formats of each verb --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_FORMATS_H
#define MLIR_PROF_TOOLS_FORMATS_H

#include "Verbs.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace mlirprof {

/// The names and descriptions of the entries of `registry`.
template <typename Registry>
std::vector<FormatInfo> listEntries(const Registry &registry) {
  std::vector<FormatInfo> entries;
  for (const auto &entry : registry)
    entries.push_back({entry.name, entry.description});
  return entries;
}

//===----------------------------------------------------------------------===//
// For Verb::getFormats
//===----------------------------------------------------------------------===//

/// The forms of a profile.
std::vector<FormatInfo> getProfileFormats();
/// Text, or a JSON document.
std::vector<FormatInfo> getDocumentFormats();
/// The formats of a registry.
template <auto getRegistry>
std::vector<FormatInfo> listFormats() {
  return listEntries(getRegistry());
}

//===----------------------------------------------------------------------===//
// By the name of a verb
//===----------------------------------------------------------------------===//

/// The index of the format that `arguments` name; the default without the
/// option.
llvm::Expected<unsigned> getFormat(const llvm::opt::InputArgList &arguments,
                                   llvm::StringRef verb);

/// "text (default), json or csv".
std::string describeFormats(llvm::StringRef verb);

/// `help` with the names of registered entries in place of "{formats}" (those
/// of `verb`), "{groups}", "{styles}", "{views}", "{rules}", "{techniques}",
/// "{pipelines}", "{targets}", "{containers}", "{tables}" and
/// "{palettes}", and with the texts of "{verb,verb:text}" for `verb` only.
std::string fillPlaceholders(llvm::StringRef help, llvm::StringRef verb);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_FORMATS_H
