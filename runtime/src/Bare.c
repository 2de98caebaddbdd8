/*===- Bare.c - Without an operating system --------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

/* A target with several processors builds with PROF_RT_THREADS above 1 and
 * defines this. */
__attribute__((weak)) uint32_t prof_rt_thread(void) { return 0; }

static prt_thread *threads[PROF_RT_THREADS];

prt_thread *prt_get_thread(void) {
  uint32_t number = prof_rt_thread();
  return number < PROF_RT_THREADS ? threads[number] : NULL;
}

int prt_set_thread(prt_thread *thread) {
  uint32_t number = prof_rt_thread();
  if (number >= PROF_RT_THREADS)
    return 0;
  threads[number] = thread;
  return 1;
}

uint64_t prt_thread_id(void) { return prof_rt_thread(); }

void *prt_map(uint64_t size) {
  (void)size;
  return NULL;
}

void prt_yield(void) {}

void prt_read_clock(uint64_t *ticks, uint64_t *nanoseconds) {
  *ticks = (uint64_t)prof_rt_ticks();
  *nanoseconds = 0;
}

void prt_start(void) {
  prt_read_clock(&prt.clock.start_ticks, &prt.clock.start_ns);
  prt.clock.since_ticks = prt.clock.start_ticks;
}

void prt_finish_clock(void) {
  prt_read_clock(&prt.clock.end_ticks, &prt.clock.end_ns);
  prt.clock.ticks_per_second = prof_rt_ticks_per_second();
}

/* Files are not supported: see prof_rt_serialize. The number is POSIX's ENOSYS
 * on most systems. */
int prof_rt_write(const char *path) {
  (void)path;
  return 38;
}
