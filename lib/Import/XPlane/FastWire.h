//===- FastWire.h - Encoded tags --------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_FASTWIRE_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_FASTWIRE_H

#include "../Common/FastWire.h"

namespace mlirprof::importer::xplane {

/// Encoded tags of the fields of events and stats: field number and wire type
/// in one byte.
enum Tag : char {
  kVarint1 = 0x08,
  kVarint2 = 0x10,
  kVarint3 = 0x18,
  kVarint4 = 0x20,
  kBytes4 = 0x22,
  kVarint7 = 0x38,
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_FASTWIRE_H
