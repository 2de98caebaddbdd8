/*===- ExecutorFork.c - Executors in forked processes ----------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A child has one thread, and the executors' threads do not exist there. It
 * creates its own when it first needs them. Runs of other threads are gone; so
 * are the executor's locks, but for those that are held during the fork.
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorInternal.h"

static prt_lock registry;
static prof_executor *executors;

static void before_fork(void) {
  prt_acquire(&registry);
  for (prof_executor *executor = executors; executor; executor = executor->next)
    prt_acquire(&executor->lock);
}

static void after_fork_in_parent(void) {
  for (prof_executor *executor = executors; executor; executor = executor->next)
    prt_release(&executor->lock);
  prt_release(&registry);
}

static void forget_run(pex_run *run) {
  for (unsigned index = 0; index < PEX_SLOTS; ++index)
    RT_STORE(&run->slots[index], 0);
  RT_STORE(&run->overflow, 0);
  RT_STORE(&run->is_waiting, 0);
}

static void forget_threads(prof_executor *executor) {
  RT_STORE(&executor->busy, 0);
  RT_STORE(&executor->active, 0);
  RT_STORE(&executor->helpers, 0);
  RT_STORE(&executor->spinning, 0);
  RT_STORE(&executor->sleepers, 0);
  RT_STORE(&executor->jobs, 0);
  RT_STORE(&executor->leaving, 0);
  RT_STORE(&executor->created, 0);
  RT_STORE(&executor->retry_ns, 0);
  executor->is_resizing = 0;
  RT_STORE(&executor->resizing.held, 0);
  for (unsigned index = 0; index < PEX_RUNS; ++index)
    forget_run(&executor->runs[index]);
}

static void after_fork_in_child(void) {
  for (prof_executor *executor = executors; executor; executor = executor->next)
    forget_threads(executor);
  after_fork_in_parent();
}

static void install(void) {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void pex_watch_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

void pex_register(prof_executor *executor) {
  /* Not under the lock: the C library may wait for a fork that waits for it. */
  pex_watch_forks();
  prt_acquire(&registry);
  executor->next = executors;
  executors = executor;
  prt_release(&registry);
}

void pex_forget(prof_executor *executor) {
  prt_acquire(&registry);
  prof_executor **link = &executors;
  while (*link != executor)
    link = &(*link)->next;
  *link = executor->next;
  prt_release(&registry);
}
