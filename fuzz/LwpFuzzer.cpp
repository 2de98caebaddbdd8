//===- LwpFuzzer.cpp - Fuzzes the readers of light-weight profiling -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzImporter.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  mlirprof::fuzzImporter("lwp-json", bytes);
  mlirprof::fuzzImporter("lwp-csv", bytes);
  // Records whose addresses are those of a program.
  mlirprof::fuzzImporter("lwp-json", bytes, MLIRPROF_FUZZ_OBJECTS);
  return 0;
}
