//===- Onnx.h - What optimized ONNX graphs were made of ---------*- C++ -*-===//
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

/// How many nodes were measured, and how many of them are in the models.
struct OnnxCounts {
  uint64_t measured = 0;
  uint64_t found = 0;
};

/// Says of each node that was measured (OpKeyKind::OnnxNode) which nodes of the
/// model `originalPath` (*.onnx, perhaps gzipped) it does the work of.
/// `optimizedPath` is the model as it was run, or "": then names tell, and what
/// a node took in without a change of its name stays unknown.
///
/// Of both files only the names of nodes and values are read; files that they
/// refer to are not opened.
llvm::Expected<OnnxCounts> addOnnxOrigins(profile::Profile &profile,
                                          llvm::StringRef originalPath,
                                          llvm::StringRef optimizedPath);

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_ONNX_H
