//===- Onnx.h - Origins of optimized ONNX graphs ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_IMPORT_ONNX_H
#define MLIR_PROF_IMPORT_ONNX_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace mlirprof::importer {

/// Number of measured nodes, and how many of them are in the models.
struct OnnxCounts {
  uint64_t measured = 0;
  uint64_t found = 0;
};

/// Determines for each measured node (OnnxNodeKey) the nodes of the
/// model `originalPath` (*.onnx, possibly gzipped) whose work it does.
/// `optimizedPath` is the executed model, or "": then the origins follow from
/// names, and nodes fused into another one without a change of its name remain
/// unknown.
///
/// Only the names of nodes and values are read from both files; files that they
/// refer to are not opened.
llvm::Expected<OnnxCounts> addOnnxOrigins(profile::Profile &profile,
                                          llvm::StringRef originalPath,
                                          llvm::StringRef optimizedPath);

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_ONNX_H
