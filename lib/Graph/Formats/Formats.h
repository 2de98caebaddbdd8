//===- Formats.h - The formats of Formats.def -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_GRAPH_FORMATS_FORMATS_H
#define MLIR_PROF_LIB_GRAPH_FORMATS_FORMATS_H

#include "mlir-prof/Graph/Format.h"

namespace mlirprof::graph::format {

#define MLIRPROF_GRAPH_FORMAT(NAME) GraphFormat NAME();
#include "Formats.def"

} // namespace mlirprof::graph::format

#endif // MLIR_PROF_LIB_GRAPH_FORMATS_FORMATS_H
