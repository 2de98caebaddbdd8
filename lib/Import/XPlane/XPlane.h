//===- XPlane.h - Profiles of TensorFlow and JAX ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_XPLANE_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_XPLANE_H

#include "mlir-prof/Import/Importer.h"
#include "llvm/Support/Error.h"

namespace mlirprof::importer::xplane {

/// The binary form, `*.xplane.pb`, of TensorFlow's and JAX's profiler.
bool detectBinary(llvm::StringRef bytes);
llvm::Error readBinary(const ImportInput &input,
                       profile::ProfileBuilder &builder);

/// The same in protobuf's JSON mapping.
bool detectJson(llvm::StringRef bytes);
llvm::Error readJson(const ImportInput &input,
                     profile::ProfileBuilder &builder);

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_XPLANE_H
