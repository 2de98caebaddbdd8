//===- FileOptions.h - The files that a command line names ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opts.td says of each option whether its value names a file, and what happens
// to that file. An option takes part in the check by that alone.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_FILEOPTIONS_H
#define MLIR_PROF_TOOLS_MLIR_PROF_FILEOPTIONS_H

#include "Verbs.h"

#include <string>
#include <vector>

namespace mlirprof {

/// One place of the command line that names a file or a folder.
struct FileUse {
  enum Access : unsigned {
    Reads = 1,
    Writes = 2,
    /// The files are in this folder; their names are not known yet.
    Folder = 4,
    /// An output may take its place.
    InPlace = 8,
  };
  /// The option as it was written ("--times"); "the input" without one.
  std::string name;
  /// "-" also for other names of standard input and output.
  std::string path;
  unsigned access;
};

/// All files that the arguments of `verb` name, and standard output where that
/// is a regular file.
std::vector<FileUse> getFileUses(const Verb &verb,
                                 const llvm::opt::InputArgList &arguments);

/// Fails with a UsageError when a file would be written over another that is
/// read or written, whatever names or links lead to it; when standard input
/// would be read twice; and when an option names no file. Devices may be named
/// as often as one likes.
llvm::Error checkFileUses(const std::vector<FileUse> &uses);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_FILEOPTIONS_H
