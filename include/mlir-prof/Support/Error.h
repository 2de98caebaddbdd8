//===- Error.h - Errors with a place and a hint -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_ERROR_H
#define MLIR_PROF_SUPPORT_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlirprof {

/// An error about input or output: what is wrong, where, and what to do.
///
/// `where` is a file, with a byte offset, a line or a path inside it when that
/// helps ("trace.xplane.pb: byte 1204"); `hint` is a full sentence that tells
/// the user what to do next and may be empty. Prints as
/// `where: what` and, on a second line, `  hint: ...`.
class InputError : public llvm::ErrorInfo<InputError> {
public:
  static char ID;

  InputError(std::string where, std::string what, std::string hint)
      : where(std::move(where)), what(std::move(what)), hint(std::move(hint)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  llvm::StringRef getWhere() const { return where; }
  llvm::StringRef getWhat() const { return what; }
  llvm::StringRef getHint() const { return hint; }

private:
  std::string where;
  std::string what;
  std::string hint;
};

/// Creates an InputError.
llvm::Error inputError(const llvm::Twine &where, const llvm::Twine &what,
                       const llvm::Twine &hint = "");

/// Options or arguments that are incompatible, whatever the input; a tool exits
/// with 2.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;
  explicit UsageError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message;
};

/// Creates a UsageError.
llvm::Error usageError(const llvm::Twine &message);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_ERROR_H
