/* calls.c - Two deployed models in one arena, and calls with wrong addresses
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "first.h"
#include "second.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGER(A, B) ((A) > (B) ? (A) : (B))
#define ARENA_BYTES LARGER(FIRST_ARENA_BYTES, SECOND_ARENA_BYTES)

static _Alignas(64) unsigned char arena[ARENA_BYTES + 64];
static int8_t first_input[FIRST_ARGUMENT0_BYTES];
static int8_t first_expected[FIRST_RESULT0_BYTES],
    first_result[FIRST_RESULT0_BYTES];
static float second_input[SECOND_ARGUMENT0_BYTES / sizeof(float)];
static float second_expected[SECOND_RESULT0_BYTES / sizeof(float)];
static float second_result[SECOND_RESULT0_BYTES / sizeof(float)];

static void require(int holds, const char *text) {
  if (!holds) {
    printf("wrong: %s\n", text);
    exit(1);
  }
}

static void read_file(const char *folder, const char *name, void *to,
                      size_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  require(file != NULL && fread(to, 1, bytes, file) == bytes, path);
  fclose(file);
}

/* Runs both models in turn, each in what the other one has left. */
static void run_in_turn(void) {
  for (int turn = 0; turn != 4; ++turn) {
    memset(first_result, 0, sizeof first_result);
    require(first_run(first_input, first_result, arena, ARENA_BYTES) ==
                FIRST_OK,
            "first_run");
    require(memcmp(first_result, first_expected, sizeof first_result) == 0,
            "first");
    memset(second_result, 0, sizeof second_result);
    require(second_run(second_input, second_result, arena, ARENA_BYTES) ==
                SECOND_OK,
            "second_run");
    for (size_t i = 0; i != sizeof second_result / sizeof(float); ++i) {
      float error = second_result[i] - second_expected[i];
      require(error < 1e-5f && error > -1e-5f, "second");
    }
  }
}

#if SECOND_CHECKS
static void say(int32_t code) {
  printf("%d: %s\n", (int)code, second_describe(code));
}
#endif

int main(int argc, char **argv) {
  require(argc == 2, "usage: calls FOLDER");
  read_file(argv[1], "first-in.bin", first_input, sizeof first_input);
  read_file(argv[1], "first-out.bin", first_expected, sizeof first_expected);
  read_file(argv[1], "second-in.bin", second_input, sizeof second_input);
  read_file(argv[1], "second-out.bin", second_expected, sizeof second_expected);
  run_in_turn();
  puts("both are right");
#if SECOND_CHECKS
  say(second_run(second_input, second_result, arena, SECOND_ARENA_BYTES));
  say(second_run(NULL, second_result, arena, SECOND_ARENA_BYTES));
  say(second_run(second_input, NULL, arena, SECOND_ARENA_BYTES));
  say(second_run(second_input, second_result, NULL, SECOND_ARENA_BYTES));
  say(second_run((const float *)((char *)second_input + 2), second_result,
                 arena, SECOND_ARENA_BYTES));
  say(second_run(second_input, second_result, arena + 4, SECOND_ARENA_BYTES));
  say(second_run(second_input, second_result, arena, SECOND_ARENA_BYTES - 1));
  say(second_run(second_input, second_input, arena, SECOND_ARENA_BYTES));
  say(second_run((const float *)arena, second_result, arena,
                 SECOND_ARENA_BYTES));
  say(-1);
#endif
  return 0;
}
