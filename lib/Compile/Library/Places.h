//===- Places.h - Ops by places in the code ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_LIBRARY_PLACES_H
#define MLIR_PROF_LIB_COMPILE_LIBRARY_PLACES_H

#include "mlir-prof/Profile/Program.h"

namespace mlirprof::compile {

/// The section of places of `program`: it names ops of the first level, for
/// code that fails in a process without the program.
std::string writePlaces(const profile::Program &program);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_LIBRARY_PLACES_H
