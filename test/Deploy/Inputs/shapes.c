/* Calls the model shapes.mlir with as many rows as it is told, and others.
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/* usage: shapes [FILE.mpm] <ROWS: both arguments of each call, one after the
   other Prints the numbers of the results. */

#include "model.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef LOADED
#include <sys/mman.h>

static int protect(void *context, void *begin, size_t bytes, int permissions) {
  (void)context;
  return mprotect(begin, bytes, permissions);
}

static const prof_loader_model *load(const char *path) {
  static unsigned char file[1 << 20];
  const prof_loader_system system = {NULL, 0, protect, NULL};
  const prof_loader_model *model = NULL;
  prof_loader_size size;
  FILE *stream = fopen(path, "rb");
  size_t bytes = stream ? fread(file, 1, sizeof file, stream) : 0;
  if (prof_loader_measure(file, bytes, &size) ||
      prof_loader_load(file, bytes,
                       aligned_alloc(4096, size.bytes + 4095 & ~(size_t)4095),
                       &system, &model))
    exit(1);
  return model;
}
#define RUN(...) model_run_loaded(loaded, __VA_ARGS__)
#else
#define RUN(...) model_run(__VA_ARGS__)
#endif

enum { COLUMNS = 6, RESULT = 4, MOST = MODEL_SIZE0_MOST };
static float x[MOST * COLUMNS], y[MOST * COLUMNS], product[MOST * RESULT + 1];
static float mean[COLUMNS];
static _Alignas(64) unsigned char arena[MODEL_ARENA_BYTES + 64];

int main(int argc, char **argv) {
#ifdef LOADED
  const prof_loader_model *loaded = load(argv[argc - 1]);
#else
  (void)argc, (void)argv;
#endif
  for (int rows; scanf("%d", &rows) == 1;) {
    for (int i = 0; i < rows * COLUMNS; ++i)
      if (scanf("%f", &x[i]) != 1)
        return 1;
    for (int i = 0; i < rows * COLUMNS; ++i)
      if (scanf("%f", &y[i]) != 1)
        return 1;
    /* Not written. */
    product[rows * RESULT] = 12345;
    arena[MODEL_ARENA_BYTES] = 0xA5;
    int32_t code = RUN(rows, x, y, product, mean, arena, MODEL_ARENA_BYTES);
    const int64_t sizes[] = {rows};
    if (code || product[rows * RESULT] != 12345 ||
        arena[MODEL_ARENA_BYTES] != 0xA5 ||
        model_bytes(sizes)[2] != (size_t)rows * RESULT * sizeof(float))
      return 2;
    for (int i = 0; i < rows * RESULT; ++i)
      printf("%a ", (double)product[i]);
    for (int i = 0; i < COLUMNS; ++i)
      printf("%a ", (double)mean[i]);
    printf("\n");
  }
  printf("%s\n", model_describe(
                     RUN(MOST + 1, x, y, product, mean, arena, sizeof arena)));
  printf("%s\n",
         model_describe(RUN(0, x, y, product, mean, arena, sizeof arena)));
  printf("%s\n",
         model_describe(RUN(1, x, y, product, NULL, arena, sizeof arena)));
  return 0;
}
