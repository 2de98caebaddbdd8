/*===- Clock.c - The tick counter ------------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

#if !defined(__x86_64__) && !defined(__i386__) && !defined(__aarch64__) &&     \
    !defined(PROF_RT_FREESTANDING)
#include <time.h>
#endif

/* Counters with a constant rate on all processors, if there are any. */
__attribute__((weak)) int64_t prof_rt_ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
  return (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return (int64_t)ticks;
#elif defined(PROF_RT_FREESTANDING)
  return (int64_t)__builtin_readcyclecounter();
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

__attribute__((weak)) uint64_t prof_rt_ticks_per_second(void) { return 0; }

__attribute__((weak)) const char *prof_rt_counter(void) { return NULL; }
