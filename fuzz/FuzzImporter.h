//===- FuzzImporter.h - Importers in the fuzzer -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_FUZZ_FUZZIMPORTER_H
#define MLIR_PROF_FUZZ_FUZZIMPORTER_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof {

/// Reads `bytes` with the importer `format`, regardless of its detection, and
/// keeps all events, so that all of the reader and of the builder runs. Objects
/// that `bytes` names are looked up only in the folder `objects`.
void fuzzImporter(llvm::StringRef format, llvm::StringRef bytes,
                  llvm::StringRef objects = "");

/// Ends the process if readers reject values of `profile`, which an importer
/// created.
void requireReadable(profile::Profile &profile);

} // namespace mlirprof

#endif // MLIR_PROF_FUZZ_FUZZIMPORTER_H
