//===- NpyFuzzer.cpp - Fuzzes the reader of *.npy files -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Npy.h"

using namespace mlirprof;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  llvm::Expected<HostTensor> tensor = readNpy(input, "input");
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return 0;
  }
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  writeNpy(*tensor, os);
  llvm::Expected<HostTensor> again = readNpy(bytes, "again");
  if (!again)
    __builtin_trap();
  if (again->shape != tensor->shape || again->bytes != tensor->bytes ||
      again->elementType != tensor->elementType)
    __builtin_trap();
  return 0;
}
