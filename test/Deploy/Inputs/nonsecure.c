/* nonsecure.c - The other half of a program, which calls a secure model
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "board.h"

#include <stdint.h>

extern const float x[], w[], first[], last[];
static float results[128];

int32_t secure_run(const float *x, const float *w, float *results);

static void print(const char *text) {
  size_t length = 0;
  while (text[length] != 0)
    ++length;
  board_write(text, length);
}

static int is_right(void) {
  for (int i = 0; i < 64; ++i)
    if (results[i] != last[i] || results[64 + i] != first[i])
      return 0;
  return 1;
}

int main(void) {
  float *const secret = (float *)0x38200000;
  if (secure_run(x, w, results) != 0 || !is_right()) {
    print("wrong\n");
    return 1;
  }
  print("right\n");
  /* Memory of the other half is not taken. */
  print(secure_run(x, w, secret) == -1 ? "refused\n" : "taken\n");
#if ACTION == 1
  *(volatile float *)secret = 1;
#elif ACTION == 2
  results[0] = *(volatile float *)secret;
#endif
  print("no fault\n");
  return 0;
}
