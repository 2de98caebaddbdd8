//===- RefusedForms.h - Forms of modules that MLIR misreads -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_REFUSEDFORMS_H
#define MLIR_PROF_LIB_MODULE_REFUSEDFORMS_H

#include "mlir/IR/MLIRContext.h"

#include <optional>
#include <string>

namespace mlirprof::module {

/// The fault of a module's form, and a hint.
struct Refusal {
  std::string what;
  std::string hint;
};

/// Whether `bytes` start like MLIR bytecode.
bool isBytecode(llvm::StringRef bytes);

/// Looks into bytecode for ops whose properties were written by a registered
/// dialect that `context` does not have. MLIR would silently misread them.
std::optional<Refusal> checkBytecode(llvm::StringRef bytes,
                                     mlir::MLIRContext &context);

/// Looks for brackets nested so deeply that MLIR's parser, which recurses for
/// each, would run out of stack.
std::optional<Refusal> checkNesting(llvm::StringRef text);

/// A hint after MLIR's parser failed with `message`; "" if none is known.
std::string getHint(llvm::StringRef bytes, llvm::StringRef message);

} // namespace mlirprof::module

#endif // MLIR_PROF_LIB_MODULE_REFUSEDFORMS_H
