/* instances.c - Two instances of a model with variables, in turn
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "model.h"

#include <stdio.h>
#include <string.h>

static _Alignas(64) unsigned char arena[MODEL_ARENA_BYTES + 64];
static _Alignas(
    MODEL_STATE_ALIGNMENT) unsigned char states[2][MODEL_STATE_BYTES];

static void run(int instance, int32_t number) {
  int32_t x[4] = {number, number, number, number}, sum[4], calls;
  int32_t code =
      model_run(x, sum, &calls, states[instance], arena, sizeof arena);
  printf("instance %d: %s, %d %d %d %d after %d\n", instance,
         model_describe(code), (int)sum[0], (int)sum[1], (int)sum[2],
         (int)sum[3], (int)calls);
}

int main(void) {
  memset(states, 99, sizeof states);
  model_reset(states[0]);
  model_reset(states[1]);
  run(0, 10);
  run(1, 100);
  run(0, 10);
  run(1, 100);
  model_reset(states[0]);
  run(0, 1);
  run(1, 1);
#if MODEL_CHECKS
  int32_t x[4] = {0}, sum[4], calls;
  puts(model_describe(model_run(x, sum, &calls, NULL, arena, sizeof arena)));
  puts(model_describe(
      model_run(x, sum, &calls, states[0] + 4, arena, sizeof arena)));
  puts(model_describe(model_run(x, (int32_t *)(void *)states[0], &calls,
                                states[0], arena, sizeof arena)));
#endif
  return 0;
}
