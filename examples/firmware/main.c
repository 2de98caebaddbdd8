/* main.c - Finds the keyword in a sound
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "keyword.h"

#include <stdio.h>

extern const int8_t keyword_input[KEYWORD_ARGUMENT0_BYTES];

static _Alignas(
    KEYWORD_ARENA_ALIGNMENT) unsigned char arena[KEYWORD_ARENA_BYTES];

#ifdef KEYWORD_PROFILE_BYTES
/* The package has probes. */
static _Alignas(64) unsigned char measurements[KEYWORD_PROFILE_BYTES];

void prof_counter_systick_wrap(void);
void arm_systick_isr(void) { prof_counter_systick_wrap(); }

static void put(char byte) { putchar(byte); }

static int begin_profile(void) {
  return keyword_profile_begin(measurements, sizeof measurements);
}
static int print_profile(void) { return keyword_profile_print(put); }
#else
static int begin_profile(void) { return 0; }
static int print_profile(void) { return 0; }
#endif

int main(void) {
  int8_t scores[KEYWORD_RESULT0_BYTES];
  if (begin_profile() != 0) {
    printf("error: the processor does not have a counter\n");
    return 1;
  }
  int32_t code = keyword_run(keyword_input, scores, arena, sizeof arena);
  if (code != KEYWORD_OK) {
    printf("error: %s\n", keyword_describe(code));
    return 1;
  }
  int best = 0;
  for (int i = 0; i < KEYWORD_RESULT0_BYTES; ++i) {
    printf("%d%s", scores[i], i + 1 < KEYWORD_RESULT0_BYTES ? " " : "\n");
    if (scores[i] > scores[best])
      best = i;
  }
  printf("keyword %d\n", best);
  return print_profile();
}
