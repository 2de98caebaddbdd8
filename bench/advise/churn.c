// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result of 64 MiB for each call, freed after it. Prints seconds a call.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const long kSize = 16 << 20;
static const int kCalls = 40;

__attribute__((noinline)) static void scale(float *out, const float *in) {
  for (long i = 0; i < kSize; ++i)
    out[i] = in[i] * 2;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(void) {
  float *x = malloc(kSize * sizeof(float));
  for (long i = 0; i < kSize; ++i)
    x[i] = i;
  double begin = now();
  for (int call = 0; call < kCalls; ++call) {
    float *y = malloc(kSize * sizeof(float));
    scale(y, x);
    if (y[call] < 0)
      return 1;
    free(y);
  }
  printf("%.9f\n", (now() - begin) / kCalls);
  return 0;
}
