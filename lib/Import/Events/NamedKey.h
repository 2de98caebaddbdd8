//===- NamedKey.h - Events named as ops -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_EVENTS_NAMEDKEY_H
#define MLIR_PROF_LIB_IMPORT_EVENTS_NAMEDKEY_H

#include "mlir-prof/Profile/OpKey.h"

namespace mlirprof::importer {

/// The key of an event of the generic form (docs/formats.md): `name` is the
/// event's name, `location` the measured op's location, `op` the op's name
/// ("linalg.matmul"); the last two may be empty. A name `NODE:Type` without
/// these is split.
profile::OpKey makeNamedKey(llvm::StringRef name, llvm::StringRef location = "",
                            llvm::StringRef op = "");

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_EVENTS_NAMEDKEY_H
