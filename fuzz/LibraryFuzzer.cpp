//===- LibraryFuzzer.cpp - Fuzzing the tool's reader of *.mprof -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryHashes.h"
#include "mlir-prof/Compile/ModelLibrary.h"

using namespace mlirprof::compile;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes = getLibrary(data, size);
  auto library = readLibrary(bytes, "model.mprof");
  if (!library) {
    llvm::consumeError(library.takeError());
    return 0;
  }
  // The constants stay in the bytes.
  uint64_t sum = 0;
  for (const ExternalConstant &constant : library->model.constants)
    for (char byte : constant.bytes)
      sum += uint8_t(byte);
  // Keeps the reads.
  volatile uint64_t sink = sum;
  (void)sink;
  return 0;
}
