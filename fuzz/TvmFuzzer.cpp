//===- TvmFuzzer.cpp - Fuzzes the readers of TVM's reports ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzImporter.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  mlirprof::fuzzImporter("tvm-json", bytes);
  mlirprof::fuzzImporter("tvm-csv", bytes);
  mlirprof::fuzzImporter("tvm-vm", bytes);
  mlirprof::fuzzImporter("tvm-tuning", bytes);
  return 0;
}
