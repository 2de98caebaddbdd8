//===- CompiledModelFuzzer.cpp - Fuzzing the reader of *.mprof ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../runtime/src/ModelFile.h"
#include "LibraryHashes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes = getLibrary(data, size);
  char error[PROF_MODEL_TEXT];
  pmd_file file;
  if (!pmd_parse_file(bytes.data(), bytes.size(), "model", &file, error))
    return 0;
  uint64_t sum = 0;
  for (uint32_t offset = 0; offset < 4096; offset += 61) {
    uint32_t length = 0;
    const char *text = pmd_find_place(&file, offset, offset % 5, &length);
    for (uint32_t at = 0; text && at < length; ++at)
      sum += uint8_t(text[at]);
  }
  for (uint32_t index = 0; index < file.argument_count; ++index)
    for (uint32_t dim = 0; dim < file.arguments[index].rank; ++dim)
      sum += uint64_t(file.arguments[index].dims[dim]);
  pmd_free_file(&file);
  // Keeps the reads.
  volatile uint64_t sink = sum;
  (void)sink;
  return 0;
}
