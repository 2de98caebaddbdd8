//===- IreeStreamFuzzer.cpp - Fuzzes the reader of IREE's modules ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../lib/Import/Iree/StreamDump.h"

using namespace mlirprof;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto dump = importer::iree::readStreamDump(bytes, "input");
  if (!dump) {
    llvm::consumeError(dump.takeError());
    return 0;
  }
  for (const auto &sites : dump->executes)
    for (const importer::iree::DumpSite &site : sites)
      if (site.entries.empty() ||
          dump->locations.getNames(site.location).size() > size)
        __builtin_trap();
  return 0;
}
