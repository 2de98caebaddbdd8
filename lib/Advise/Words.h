//===- Words.h - The words of an identifier ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_ADVISE_WORDS_H
#define MLIR_PROF_LIB_ADVISE_WORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof::advise {

/// The words of a name in lower case: split at anything but letters and digits,
/// and before a capital ("_MklConv2D" is mkl, conv2, d; "DataLoader" is data,
/// loader; "HTTPServer" is http, server).
llvm::SmallVector<std::string> splitWords(llvm::StringRef name);

/// Whether one of the words of `name` is in `words`.
bool hasWord(llvm::StringRef name, llvm::ArrayRef<llvm::StringLiteral> words);

/// Whether it names something that waits for the work of others.
bool isWaiting(llvm::StringRef name);

} // namespace mlirprof::advise

#endif // MLIR_PROF_LIB_ADVISE_WORDS_H
