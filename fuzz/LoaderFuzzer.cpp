//===- LoaderFuzzer.cpp - Fuzzes the loader of models ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files are loaded into memory of exactly the size that they state. Arrays of
// the loaded model must be in it; its code is not run.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_loader.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

static int protect(void *context, void *begin, size_t bytes, int permissions) {
  auto *memory = static_cast<std::pair<char *, size_t> *>(context);
  size_t offset = size_t(static_cast<char *>(begin) - memory->first);
  bool isInside = offset <= memory->second && bytes <= memory->second - offset;
  bool isBoth = (permissions & PROF_LOADER_WRITE) != 0 &&
                (permissions & PROF_LOADER_EXECUTE) != 0;
  if (!isInside || isBoth)
    std::abort();
  return 0;
}

/// Aligned memory of at least `bytes` bytes.
static char *allocate(size_t bytes, size_t alignment) {
  return static_cast<char *>(std::aligned_alloc(
      alignment, (bytes + alignment - 1) / alignment * alignment));
}

static void readModel(const prof_loader_model &model) {
  uint32_t sum = model.arena_bytes;
  for (uint32_t i = 0; i != model.argument_count + model.result_count; ++i)
    sum += model.bytes[i];
  [[maybe_unused]] static volatile uint32_t seen;
  seen = sum;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  prof_loader_size needed;
  std::unique_ptr<uint8_t[]> exact(new uint8_t[size]);
  if (size)
    std::memcpy(exact.get(), data, size);
  if (prof_loader_measure(exact.get(), size, &needed) != PROF_LOADER_GOOD ||
      needed.bytes > 1 << 22)
    return 0;
  const prof_loader_import imports[] = {{"expf", 16}, {"memcpy", 32}};
  const prof_loader_model *model = nullptr;
  char *memory = allocate(needed.bytes, needed.alignment);
  std::pair<char *, size_t> context(memory, needed.bytes);
  prof_loader_system system = {imports, 2, protect, &context};
  if (prof_loader_load(exact.get(), size, memory, &system, &model) ==
      PROF_LOADER_GOOD)
    readModel(*model);
  std::free(memory);
  // The parts that stay in the file have permissions there.
  system.protect = nullptr;
  if (needed.in_place_bytes) {
    char *file = allocate(size, needed.alignment);
    std::memcpy(file, data, size);
    memory = allocate(needed.in_place_bytes, needed.alignment);
    if (prof_loader_load_in_place(file, size, memory, &system, &model) ==
        PROF_LOADER_GOOD)
      readModel(*model);
    std::free(memory);
    std::free(file);
  }
  return 0;
}
