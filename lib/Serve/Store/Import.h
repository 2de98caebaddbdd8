//===- Import.h - Reading uploads in a process of its own -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_STORE_IMPORT_H
#define MLIR_PROF_LIB_SERVE_STORE_IMPORT_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace mlirprof::serve {

/// Limits on a process that reads an upload.
struct ImportLimits {
  double seconds = 600;
  uint64_t memoryBytes = uint64_t(16) << 30;
  uint64_t outputBytes = uint64_t(16) << 30;
};

/// Runs prepareProfile() in a process of `program`, in the folder of `path`.
/// The folders of `path` and of `model` ("" for none) have one parent. `folder`
/// is absolute. The error is that of the process, or how it ended.
llvm::Error importFile(const std::string &program, const std::string &path,
                       const std::string &model, const std::string &folder,
                       const ImportLimits &limits = {});

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_STORE_IMPORT_H
