/* Runs the model int8 of make_models.py, by the code for this processor.
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/* usage: variants INPUT [NAME...]

   INPUT has the bytes of an argument. Prints which variant the first call
   takes, or what is wrong, and the bytes of its result; then the same for each
   variant NAME, and what asking for it returns. */

#include "model.h"

#include <stdio.h>

static int8_t input[MODEL_ARGUMENT0_BYTES];
static int8_t result[MODEL_RESULT0_BYTES];
static _Alignas(MODEL_ARENA_ALIGNMENT) unsigned char arena[MODEL_ARENA_BYTES];

static void run(void) {
  const char *name = model_variant();
  int32_t code = model_run(input, result, arena, sizeof arena);
  printf("%s: ", name ? name : "none");
  if (code != MODEL_OK)
    printf("%s", model_describe(code));
  for (size_t i = 0; code == MODEL_OK && i < sizeof result; ++i)
    printf("%02x", (unsigned)(unsigned char)result[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  FILE *file = argc < 2 ? NULL : fopen(argv[1], "rb");
  if (!file || fread(input, 1, sizeof input, file) != sizeof input)
    return 1;
  fclose(file);
  run();
  for (int i = 2; i < argc; ++i) {
    printf("%s: %s\n", argv[i], model_describe(model_use_variant(argv[i])));
    run();
  }
  if (model_use_variant(NULL) == MODEL_OK)
    run();
  return 0;
}
