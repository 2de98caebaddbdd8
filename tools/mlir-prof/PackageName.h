//===- PackageName.h - The name of a package's functions --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_PACKAGENAME_H
#define MLIR_PROF_TOOLS_PACKAGENAME_H

#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

namespace mlirprof {

/// Sets `name` to the value of --name, if it is given. A usage error if `name`
/// is not an identifier of C that programs may define.
llvm::Error getPackageName(const llvm::opt::InputArgList &arguments,
                           std::string &name);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_PACKAGENAME_H
