/*===- System.c - With an operating system ---------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"
#include "Output.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*===----------------------------------------------------------------------===*
 * Memory and clocks
 *===----------------------------------------------------------------------===*/

void *prt_map(uint64_t size) {
  void *pages = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

void prt_yield(void) { sched_yield(); }

static uint64_t read_nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* The fastest of several readings of the clock, and the middle of the tick
 * readings around it: an interrupt between them would cause an error of the
 * frequency. */
void prt_read_clock(uint64_t *ticks, uint64_t *nanoseconds) {
  uint64_t best = UINT64_MAX;
  for (int attempt = 0; attempt < 8; ++attempt) {
    uint64_t before = (uint64_t)prof_rt_ticks();
    uint64_t now = read_nanoseconds(CLOCK_MONOTONIC);
    uint64_t taken = (uint64_t)prof_rt_ticks() - before;
    if (taken >= best)
      continue;
    best = taken;
    *ticks = before + taken / 2;
    *nanoseconds = now;
  }
}

/* Nanoseconds between the two readings that determine the frequency within
 * 1e-5. */
#define RT_CALIBRATION UINT64_C(10000000)

void prt_finish_clock(void) {
  do
    prt_read_clock(&prt.clock.end_ticks, &prt.clock.end_ns);
  while (prt.clock.end_ns - prt.clock.start_ns < RT_CALIBRATION);
  prt.clock.epoch_ns = read_nanoseconds(CLOCK_REALTIME);
  prt.clock.process = (uint64_t)getpid();
}

/*===----------------------------------------------------------------------===*
 * Threads: what a thread measured stays when it ends
 *===----------------------------------------------------------------------===*/

static _Thread_local prt_thread *current;
static pthread_key_t key;
static int has_key;

prt_thread *prt_get_thread(void) { return current; }

uint64_t prt_thread_id(void) {
#ifdef SYS_gettid
  return (uint64_t)syscall(SYS_gettid);
#else
  return 0;
#endif
}

/* Does not free anything. Another destructor of the thread may still run
 * instrumented code: then it gets a record again, and this is called again. */
static void end_thread(void *thread) {
  current = NULL;
  RT_RELEASE(&((prt_thread *)thread)->ended, 1);
}

int prt_set_thread(prt_thread *thread) {
  /* Without the key the thread's end is not noticed: its record is not reused,
   * which only costs memory. */
  if (has_key)
    pthread_setspecific(key, thread);
  current = thread;
  return 1;
}

/* When the library is unloaded before its threads end, they must not call into
 * it. */
__attribute__((destructor)) static void delete_key(void) {
  if (has_key)
    pthread_key_delete(key);
  has_key = 0;
}

/*===----------------------------------------------------------------------===*
 * Forks: the child has one thread, and counts from zero
 *===----------------------------------------------------------------------===*/

static void for_all_locks(void (*act)(prt_lock *)) {
  for (prt_module *module = prt.modules; module; module = module->next)
    for (prt_block *block = module->blocks; block; block = block->next)
      act(&block->cells_lock);
  for (prt_module *module = prt.modules; module; module = module->next)
    act(&module->lock);
  act(&prt_memory);
}

static void before_fork(void) {
  prt_acquire(&prt.registry);
  for_all_locks(prt_acquire);
}

static void after_fork_in_parent(void) {
  for_all_locks(prt_release);
  prt_release(&prt.registry);
}

static void after_fork_in_child(void) {
  after_fork_in_parent();
  for (prt_thread *thread = prt.threads; thread; thread = thread->next)
    if (thread != current)
      RT_RELEASE(&thread->ended, 1);
    else
      thread->id = prt_thread_id();
  prof_rt_reset();
  prt_output_forked();
}

void prt_start(void) {
  prt_read_clock(&prt.clock.start_ticks, &prt.clock.start_ns);
  prt.clock.since_ticks = prt.clock.start_ticks;
  has_key = pthread_key_create(&key, end_thread) == 0;
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  atexit(prt_output_at_exit);
}
