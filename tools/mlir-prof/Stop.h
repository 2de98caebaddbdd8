//===- Stop.h - Work that the user stopped ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_STOP_H
#define MLIR_PROF_TOOLS_MLIR_PROF_STOP_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlirprof {

/// The user stopped the work, and what was done until then is kept; the tool
/// exits with 130, as shells do after Ctrl-C.
class StopError : public llvm::ErrorInfo<StopError> {
public:
  static char ID;
  explicit StopError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::interrupted);
  }

private:
  std::string message;
};

/// Turns an error into a StopError of the same text.
llvm::Error asStopError(llvm::Error error);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_STOP_H
