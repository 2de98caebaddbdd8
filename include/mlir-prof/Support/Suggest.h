//===- Suggest.h - Names that were nearly written ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_SUGGEST_H
#define MLIR_PROF_SUPPORT_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof {

/// "; did you mean 'top'?" with the name of `names` nearest to `wanted`; "" if
/// all differ in more than a third of its letters. Dashes before a name do not
/// count.
std::string suggest(llvm::StringRef wanted, llvm::ArrayRef<std::string> names);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_SUGGEST_H
