//===- StyleOptions.h - Layouts of tables of scopes ----------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_STYLEOPTIONS_H
#define MLIR_PROF_TOOLS_STYLEOPTIONS_H

#include "Options.h"
#include "mlir-prof/Profile/Profile.h"

namespace mlirprof {

/// Checks that options of layouts fit each other and the rest of the command
/// line.
llvm::Error checkStyleOptions(const llvm::opt::InputArgList &arguments);

/// Prints the scopes of `profile` in the layout of --style.
llvm::Error printStyled(const llvm::opt::InputArgList &arguments,
                        const profile::Profile &profile);

/// The names of layouts, and of parts of a layout.
std::string describeStyles();
std::string describeViews();

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_STYLEOPTIONS_H
