//===- ProgressLine.h - The progress of a search ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_PROGRESSLINE_H
#define MLIR_PROF_TOOLS_MLIR_PROF_PROGRESSLINE_H

#include "mlir-prof/Optimize/Optimizer.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

namespace mlirprof {

/// Prints the progress of a search to standard error: on a terminal one line
/// that is overwritten repeatedly, or for programs a line of JSON at each
/// change (mlir-prof.progress/1).
class ProgressLine {
public:
  /// Reads --progress. Fails on a value that it does not have.
  static llvm::Expected<ProgressLine>
  get(const llvm::opt::InputArgList &arguments);

  ProgressLine(ProgressLine &&other)
      : form(other.form), isShown(std::exchange(other.isShown, false)) {}
  ~ProgressLine() { clear(); }

  void show(const optimize::OptimizerProgress &progress);
  /// Makes room for other messages.
  void clear();

private:
  enum class Form : uint8_t { None, Terminal, Json };

  explicit ProgressLine(Form form) : form(form) {}

  Form form;
  bool isShown = false;
};

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_PROGRESSLINE_H
