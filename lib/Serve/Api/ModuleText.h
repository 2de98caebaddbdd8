//===- ModuleText.h - A module as lines -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_API_MODULETEXT_H
#define MLIR_PROF_LIB_SERVE_API_MODULETEXT_H

#include "Sessions.h"

namespace mlirprof::serve {

/// The text of a level, and the lines of its ops. Lines count from 0.
struct ModuleText {
  std::vector<std::string> lines;
  /// By op of Ownership::ops; kNone for ops without a line.
  std::vector<uint32_t> firstLine;
  std::vector<uint32_t> lastLine;
};

/// The text of the session's level, made at its first use.
std::shared_ptr<const ModuleText> getModuleText(OpenProfile &profile);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_API_MODULETEXT_H
