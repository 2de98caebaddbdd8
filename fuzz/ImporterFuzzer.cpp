//===- ImporterFuzzer.cpp - Fuzzes the reader of one format ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// MLIRPROF_FUZZ_FORMAT is the name of the format, MLIRPROF_FUZZ_OBJECTS the
// folder with objects that recordings may name, or "".

#include "FuzzImporter.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlirprof::fuzzImporter(
      MLIRPROF_FUZZ_FORMAT,
      llvm::StringRef(reinterpret_cast<const char *>(data), size),
      MLIRPROF_FUZZ_OBJECTS);
  return 0;
}
