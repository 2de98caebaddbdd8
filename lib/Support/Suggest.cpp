//===- Suggest.cpp - Names that were nearly written -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Suggest.h"

using namespace mlirprof;

std::string mlirprof::suggest(llvm::StringRef wanted,
                              llvm::ArrayRef<std::string> names) {
  llvm::StringRef letters = wanted.ltrim('-');
  unsigned least = unsigned(letters.size() / 3) + 1;
  llvm::StringRef nearest;
  for (llvm::StringRef name : names) {
    unsigned distance = letters.edit_distance(
        name.ltrim('-'), /*AllowReplacements=*/true, /*MaxEditDistance=*/least);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest.empty() ? "" : ("; did you mean '" + nearest + "'?").str();
}
