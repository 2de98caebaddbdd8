//===- FindNamed.h - Finding entries of lists by name -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_FINDNAMED_H
#define MLIR_PROF_SUPPORT_FINDNAMED_H

#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace mlirprof {

/// The entry of `all` whose member `name` is `name`. Fails with a list of their
/// names; `what` describes the entries ("format").
template <typename T>
llvm::Expected<const T *> findNamed(llvm::ArrayRef<T> all, llvm::StringRef what,
                                    llvm::StringRef name) {
  for (const T &each : all)
    if (each.name == name)
      return &each;
  auto names = llvm::map_range(all, [](const T &each) { return each.name; });
  return inputError(what + " '" + name + "'", "does not exist",
                    "There are " + llvm::join(names, ", ") + ".");
}

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_FINDNAMED_H
