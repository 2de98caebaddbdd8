//===- FileOptions.h - The files named on a command line --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opts.td states for each option whether its value names a file, and how that
// file is accessed. That alone makes an option part of the check.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_FILEOPTIONS_H
#define MLIR_PROF_TOOLS_MLIR_PROF_FILEOPTIONS_H

#include "Verbs.h"

#include <string>
#include <vector>

namespace mlirprof {

/// One occurrence of a file or folder on the command line.
struct FileUse {
  enum Access : unsigned {
    Reads = 1,
    Writes = 2,
    /// The files are in this folder; their names are not known yet.
    Folder = 4,
    /// An output may replace it.
    InPlace = 8,
  };
  /// The option as written ("--times"); "the input" without one.
  std::string name;
  /// "-" also represents other names of standard input and output.
  std::string path;
  unsigned access;
};

/// All files that the arguments of `verb` name, and standard output if it is a
/// regular file.
std::vector<FileUse> getFileUses(const Verb &verb,
                                 const llvm::opt::InputArgList &arguments);

/// Fails with a UsageError if a file would be written over another one that is
/// read or written, whatever names or links lead to it; if standard input would
/// be read twice; and if an option does not name a file. Devices may be named
/// any number of times.
llvm::Error checkFileUses(const std::vector<FileUse> &uses);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_FILEOPTIONS_H
