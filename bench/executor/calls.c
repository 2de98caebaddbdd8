/*===- calls.c - The calls of a compiled model
 * ------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A model of COUNT equal products in a row, and the same calls of its kernel in
 * a loop, in turns. Prints the ns of a product in each of 2000 rounds.
 *
 *===----------------------------------------------------------------------===*/

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void mlirprof_entry(void **addresses);
void KERNEL(void *const *bindings, const int64_t *parameters, uint32_t x,
            uint32_t y, uint32_t z);

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

static uint64_t get_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static float values[3][16] __attribute__((aligned(64)));

int main(void) {
  for (int i = 0; i != 16; ++i) {
    values[0][i] = (float)i;
    values[1][i] = i % 5 == 0 ? 1 : 0;
  }
  matrix x = {values[0], values[0], 0, {4, 4}, {4, 1}};
  matrix w = {values[1], values[1], 0, {4, 4}, {4, 1}};
  for (int round = 0; round != 2000; ++round) {
    matrix result;
    void *addresses[] = {&x, &w, &result};
    uint64_t begin = get_ns();
    mlirprof_entry(addresses);
    uint64_t middle = get_ns();
    void *there[] = {values[0], values[1], values[2]};
    void *back[] = {values[2], values[1], values[0]};
    for (int i = 0; i != COUNT / 2; ++i) {
      KERNEL(there, NULL, 0, 0, 0);
      KERNEL(back, NULL, 0, 0, 0);
    }
    uint64_t end = get_ns();
    if (memcmp(result.aligned, values[0], sizeof values[0]))
      return 1;
    free(result.allocated);
    printf("%.3f %.3f\n", (double)(middle - begin) / COUNT,
           (double)(end - middle) / COUNT);
  }
  return 0;
}
