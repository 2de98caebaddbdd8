/* damage.c - Loads a file whose bytes are changed one after the other
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "mlir-prof/Runtime/prof_loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned loaded, refused;

/* Each file and its memory have exactly the bytes that they state. */
static void load(const char *bytes, size_t size) {
  prof_loader_size needed;
  const prof_loader_model *model;
  char *file = malloc(size ? size : 1);
  memcpy(file, bytes, size);
  if (prof_loader_measure(file, size, &needed) == PROF_LOADER_GOOD &&
      needed.bytes < 1 << 24) {
    size_t whole =
        (needed.bytes + needed.alignment - 1) & ~(needed.alignment - 1);
    char *memory = aligned_alloc(needed.alignment, whole);
    if (prof_loader_load(file, size, memory, NULL, &model) == PROF_LOADER_GOOD)
      ++loaded;
    else
      ++refused;
    free(memory);
  } else {
    ++refused;
  }
  free(file);
}

int main(int argc, char **argv) {
  static char bytes[1 << 20];
  FILE *file = fopen(argv[argc - 1], "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  /* Headers and tables are at the begin. */
  for (size_t at = 0; at < size && at < 2048; ++at) {
    static const unsigned char values[] = {0, 1, 127, 128, 255};
    char before = bytes[at];
    for (size_t i = 0; i != sizeof values; ++i) {
      bytes[at] = (char)values[i];
      load(bytes, size);
    }
    bytes[at] = before;
    load(bytes, at);
  }
  printf("%u loaded, %u refused\n", loaded, refused);
  return size == 0;
}
