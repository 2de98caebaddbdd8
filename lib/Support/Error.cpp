//===- Error.cpp - Errors with a place and a hint -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Printable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;

char InputError::ID = 0;
char UsageError::ID = 0;

void InputError::log(llvm::raw_ostream &os) const {
  if (!where.empty())
    os << printable(where) << ": ";
  os << what;
  if (!hint.empty())
    os << "\n  hint: " << hint;
}

std::error_code InputError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}

llvm::Error mlirprof::inputError(const llvm::Twine &where,
                                 const llvm::Twine &what,
                                 const llvm::Twine &hint) {
  return llvm::make_error<InputError>(where.str(), what.str(), hint.str());
}

void UsageError::log(llvm::raw_ostream &os) const { os << message; }

std::error_code UsageError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}

llvm::Error mlirprof::usageError(const llvm::Twine &message) {
  return llvm::make_error<UsageError>(message.str());
}
