/*===- ExecutorWait.c - Threads without work -------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorInternal.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

/* Sleeps while the word is `value`; may return earlier. Keeps errno: signal
 * handlers and kernels do not expect that it changes. */
static void sleep_while(uint32_t *word, uint32_t value) {
  int error = errno;
  if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0) &&
      errno == ENOSYS)
    prt_yield();
  errno = error;
}

static void wake(uint32_t *word, uint32_t count) {
  int error = errno;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE,
          count < INT_MAX ? (int)count : INT_MAX, NULL, NULL, 0);
  errno = error;
}

/*===----------------------------------------------------------------------===*
 * How long to spin
 *===----------------------------------------------------------------------===*/

#define SHORTEST_NS 2000

uint32_t pex_get_most_spin(const prof_executor *executor) {
  if (executor->options.spin_ns != PROF_EXECUTOR_SPIN_DEFAULT)
    return executor->options.spin_ns;
  /* More threads than processors: somebody else needs this one. */
  return RT_LOAD(&executor->threads) > executor->processors ? 0 : PEX_SPIN_NS;
}

/* Spins that end with work are worth it. Others become shorter: the threads
 * waited for may have lost their processors to other programs. */
static void adapt_spin(pex_thread *thread, int was_worth_it) {
  uint32_t most = pex_get_most_spin(thread->executor);
  uint32_t limit = thread->spin_ns;
  limit = was_worth_it ? limit * 2 : limit / 2;
  limit = limit > SHORTEST_NS ? limit : SHORTEST_NS;
  thread->spin_ns = limit < most ? limit : most;
}

/* Spins until `is_over`. Returns 0 if it did not come in time. */
static int spin(pex_thread *thread, int (*is_over)(void *), void *argument) {
  if (is_over(argument))
    return 1;
  if (!thread->spin_ns)
    return 0;
  uint64_t until = pex_now() + thread->spin_ns;
  do {
    for (int index = 0; index < 8; ++index) {
      pause_briefly();
      if (is_over(argument)) {
        adapt_spin(thread, 1);
        return 1;
      }
    }
  } while (pex_now() < until);
  return 0;
}

/* A thread slept since `begin`. If not for long, spinning would have been as
 * good. */
static void note_sleep(pex_thread *thread, uint64_t begin) {
  adapt_spin(thread, pex_now() - begin < PEX_SPIN_NS);
}

/*===----------------------------------------------------------------------===*
 * Callers
 *===----------------------------------------------------------------------===*/

static int is_over_in_run(void *argument) {
  pex_run *run = argument;
  return !PEX_LOAD(&run->unfinished) || pex_has_tasks(run);
}

void pex_wait_in_run(pex_thread *thread, pex_run *run) {
  uint32_t *slot = pex_get_slot();
  RT_STORE(slot, PROF_EXECUTOR_WAITING);
  if (!spin(thread, is_over_in_run, run)) {
    uint64_t begin = pex_now();
    PEX_STORE(&run->is_waiting, 1);
    for (;;) {
      uint32_t seen = PEX_LOAD(&run->signal);
      if (is_over_in_run(run))
        break;
      sleep_while(&run->signal, seen);
    }
    PEX_STORE(&run->is_waiting, 0);
    note_sleep(thread, begin);
  }
  RT_STORE(slot, PROF_EXECUTOR_STEALING);
}

void pex_wake_caller(pex_run *run) {
  if (!PEX_LOAD(&run->is_waiting))
    return;
  PEX_ADD(&run->signal, 1);
  wake(&run->signal, 1);
}

/*===----------------------------------------------------------------------===*
 * Helpers
 *===----------------------------------------------------------------------===*/

/* Callers are threads, too. */
static int has_room(prof_executor *executor, uint32_t helpers) {
  uint32_t callers =
      (uint32_t)__builtin_popcountll(PEX_LOAD(&executor->active));
  return helpers + callers < RT_LOAD(&executor->threads);
}

int pex_has_work(prof_executor *executor) {
  uint64_t active = PEX_LOAD(&executor->active);
  if (!active || !has_room(executor, PEX_LOAD(&executor->helpers)))
    return 0;
  for (; active; active &= active - 1)
    if (pex_has_tasks(&executor->runs[__builtin_ctzll(active)]))
      return 1;
  return 0;
}

int pex_help(pex_thread *thread) {
  prof_executor *executor = thread->executor;
  int found = 0;
  if (has_room(executor, PEX_ADD(&executor->helpers, 1))) {
    for (uint32_t count = 0; count < PEX_RUNS; ++count) {
      uint32_t place = (thread->place + count) % PEX_RUNS;
      if (!(PEX_LOAD(&executor->active) >> place & 1))
        continue;
      if (pex_work_on(thread, &executor->runs[place], PEX_NONE)) {
        thread->place = place;
        found = 1;
        break;
      }
    }
  }
  PEX_SUB(&executor->helpers, 1);
  return found;
}

static int is_over(void *argument) {
  pex_thread *thread = argument;
  return RT_LOAD(&thread->is_leaving) || pex_has_work(thread->executor);
}

int pex_spin_for_work(pex_thread *thread) {
  prof_executor *executor = thread->executor;
  PEX_ADD(&executor->spinning, 1);
  int found = spin(thread, is_over, thread);
  PEX_SUB(&executor->spinning, 1);
  return found;
}

void pex_sleep(pex_thread *thread) {
  prof_executor *executor = thread->executor;
  uint64_t begin = pex_now();
  PEX_ADD(&executor->sleepers, 1);
  for (;;) {
    uint32_t seen = PEX_LOAD(&executor->epoch);
    if (is_over(thread))
      break;
    sleep_while(&executor->epoch, seen);
  }
  PEX_SUB(&executor->sleepers, 1);
  note_sleep(thread, begin);
}

void pex_wake_all(prof_executor *executor) {
  PEX_ADD(&executor->epoch, 1);
  wake(&executor->epoch, UINT32_MAX);
}

void pex_call_helpers(prof_executor *executor, pex_run *run, uint32_t count) {
  if (!count)
    return;
  if (PEX_LOAD(&run->is_waiting)) {
    pex_wake_caller(run);
    --count;
  }
  uint32_t spinning = PEX_LOAD(&executor->spinning);
  if (count <= spinning)
    return;
  count -= spinning;
  if (executor->options.pool.submit) {
    pex_submit(executor, count);
    return;
  }
  uint32_t sleepers = PEX_LOAD(&executor->sleepers);
  if (!sleepers)
    return;
  PEX_ADD(&executor->epoch, 1);
  wake(&executor->epoch, count < sleepers ? count : sleepers);
}
