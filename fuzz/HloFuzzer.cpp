//===- HloFuzzer.cpp - Fuzzes the reader of HLO protos --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/HloReader.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  HloModule module;
  LossList losses;
  if (llvm::Error error = readHloProto(bytes, "input", module, losses)) {
    llvm::consumeError(std::move(error));
    return 0;
  }
  // The index must handle everything that the reader accepts, including cycles.
  HloIndex index(module);
  for (uint32_t i = 0; i < module.instructions.size() && i < 64; ++i) {
    index.getMembers(i);
    index.getConsumers(i);
  }
  return 0;
}
