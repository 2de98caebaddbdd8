//===- FrameworkOp.h - Names of TensorFlow's events -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_FRAMEWORKOP_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_FRAMEWORKOP_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <utility>

namespace mlirprof::importer::xplane {

/// Splits the name of an event that runs a node of a TensorFlow graph,
/// `NAME:TYPE`, as TSL's tf_op_utils does: NAME is
/// [A-Za-z0-9.][A-Za-z0-9_.\/>-]* and TYPE [A-Z_][A-Za-z0-9_]*. Trailing
/// `#key=value#` is ignored. None for other events (a type in lower case is
/// from JAX).
std::optional<std::pair<llvm::StringRef, llvm::StringRef>>
splitFrameworkOp(llvm::StringRef eventName);

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_FRAMEWORKOP_H
