//===- Places.h - The program of a light-weight profile ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_LWP_PLACES_H
#define MLIR_PROF_LIB_IMPORT_LWP_PLACES_H

#include "Lwp.h"

namespace mlirprof::importer::lwp {

/// Sets the names of functions, the offsets of code in its function, and the
/// places in sources of `measured`, whose addresses are those of a program in
/// memory, from ImportInput::objects, if that is set: a folder with the
/// program, the only ELF file there. Addresses that the program does not have
/// are a loss.
llvm::Error findPlaces(const ImportInput &input,
                       std::map<uint32_t, Measured> &measured,
                       profile::ProfileBuilder &builder);

} // namespace mlirprof::importer::lwp

#endif // MLIR_PROF_LIB_IMPORT_LWP_PLACES_H
