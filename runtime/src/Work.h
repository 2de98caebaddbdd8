/*===- Work.h - Measuring what a probe costs -----------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_WORK_H
#define MLIR_PROF_RUNTIME_WORK_H

#include <stdint.h>

#define RT_WINDOWS 255
#define RT_ROUNDS 24
#define RT_ITERATIONS 64

/* Work to measure: a dependence chain that cannot be shortened. */
static inline uint64_t prt_work(uint64_t value) {
  for (int step = 0; step < 64; ++step) {
    value = value * UINT64_C(0x5851f42d4c957f2d) + 1;
    __asm__ volatile("" : "+r"(value));
  }
  return value;
}

static inline uint64_t prt_median(int64_t *values, unsigned count) {
  for (unsigned index = 1; index < count; ++index) {
    int64_t value = values[index];
    unsigned place = index;
    for (; place && values[place - 1] > value; --place)
      values[place] = values[place - 1];
    values[place] = value;
  }
  return values[count / 2] > 0 ? (uint64_t)values[count / 2] : 0;
}

#endif /* MLIR_PROF_RUNTIME_WORK_H */
