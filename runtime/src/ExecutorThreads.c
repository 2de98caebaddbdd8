/*===- ExecutorThreads.c - Threads of executors ----------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorInternal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

/*===----------------------------------------------------------------------===*
 * Threads that are created
 *===----------------------------------------------------------------------===*/

static void *work(void *argument) {
  pex_thread *thread = argument;
  prof_executor *executor = thread->executor;
  uint32_t *slot = pex_get_slot();
  char name[16];
  snprintf(name, sizeof name, "prof_exec %u", thread->number);
  pthread_setname_np(pthread_self(), name);
  RT_STORE(slot, PROF_EXECUTOR_WAITING);
  if (executor->options.thread_started)
    executor->options.thread_started(executor->options.thread_context,
                                     thread->number);
  while (!RT_LOAD(&thread->is_leaving)) {
    RT_STORE(slot, PROF_EXECUTOR_STEALING);
    if (pex_help(thread))
      continue;
    RT_STORE(slot, PROF_EXECUTOR_WAITING);
    if (!pex_spin_for_work(thread))
      pex_sleep(thread);
  }
  RT_STORE(slot, PROF_EXECUTOR_OUTSIDE);
  return NULL;
}

/* Under the lock. Returns an error's number. */
static int create(prof_executor *executor, uint32_t number) {
  pex_thread *thread = &executor->workers[number - 1];
  prt_zero(thread, sizeof *thread);
  thread->executor = executor;
  thread->number = number;
  thread->spin_ns = pex_get_most_spin(executor);
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error)
    return error;
  size_t size = executor->options.stack_size;
  if (size)
    error = pthread_attr_setstacksize(&attributes, size);
  /* It has the control word of its creator. */
  thread->float_control = pex_get_float_control();
  if (!error)
    error = pthread_create(&thread->handle, &attributes, work, thread);
  pthread_attr_destroy(&attributes);
  return error;
}

void pex_start_threads(prof_executor *executor) {
  uint32_t wanted = RT_LOAD(&executor->threads) - 1;
  if (RT_LOAD(&executor->created) >= wanted || executor->options.pool.submit)
    return;
  uint64_t retry = RT_LOAD(&executor->retry_ns);
  if (retry && pex_now() < retry)
    return;
  prt_acquire(&executor->lock);
  while (!executor->is_resizing && executor->created < wanted) {
    int error = create(executor, executor->created + 1);
    if (error) {
      RT_ADD(&executor->failures, 1);
      RT_STORE(&executor->error, error);
      RT_STORE(&executor->retry_ns, pex_now() + UINT64_C(1000000000));
      break;
    }
    RT_RELEASE(&executor->created, executor->created + 1);
  }
  prt_release(&executor->lock);
}

void pex_signal_threads(const prof_executor *executor, int number) {
  uint32_t created = RT_ACQUIRE(&executor->created);
  for (uint32_t index = 0; index < created; ++index)
    pthread_kill(executor->workers[index].handle, number);
}

static void set_resizing(prof_executor *executor, uint32_t is_resizing) {
  prt_acquire(&executor->lock);
  executor->is_resizing = is_resizing;
  prt_release(&executor->lock);
}

void pex_end_threads(prof_executor *executor, uint32_t kept) {
  set_resizing(executor, 1);
  uint32_t created = executor->created;
  for (uint32_t index = kept; index < created; ++index)
    RT_STORE(&executor->workers[index].is_leaving, 1);
  if (kept < created)
    pex_wake_all(executor);
  for (uint32_t index = kept; index < created; ++index)
    pthread_join(executor->workers[index].handle, NULL);
  if (kept < created)
    RT_STORE(&executor->created, kept);
  set_resizing(executor, 0);
}

/*===----------------------------------------------------------------------===*
 * Threads of the caller's pool
 *===----------------------------------------------------------------------===*/

/* Counts one more job, unless there are enough. */
static int add_job(prof_executor *executor) {
  uint32_t jobs = PEX_LOAD(&executor->jobs);
  do
    if (jobs + 1 >= RT_LOAD(&executor->threads))
      return 0;
  while (!__atomic_compare_exchange_n(&executor->jobs, &jobs, jobs + 1, 1,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return 1;
}

/* Ends a job. If work came meanwhile, whoever brought it may have counted on
 * this job: then it goes on, and this returns 0. */
static int end_job(prof_executor *executor) {
  PEX_ADD(&executor->leaving, 1);
  PEX_SUB(&executor->jobs, 1);
  int goes_on = pex_has_work(executor) && add_job(executor);
  /* The executor may end now. */
  PEX_SUB(&executor->leaving, 1);
  return !goes_on;
}

static void do_job(void *argument) {
  prof_executor *executor = argument;
  pex_thread thread = {.executor = executor, .number = UINT32_MAX};
  thread.spin_ns = pex_get_most_spin(executor);
  uint64_t control = thread.float_control = pex_get_float_control();
  uint32_t *slot = pex_get_slot(), before = RT_LOAD(slot);
  do {
    do {
      RT_STORE(slot, PROF_EXECUTOR_STEALING);
      while (pex_help(&thread))
        ;
      RT_STORE(slot, PROF_EXECUTOR_WAITING);
    } while (pex_spin_for_work(&thread));
  } while (!end_job(executor));
  pex_set_float_control(&thread, control);
  RT_STORE(slot, before);
}

void pex_submit(prof_executor *executor, uint32_t count) {
  const prof_executor_pool *pool = &executor->options.pool;
  while (count-- && add_job(executor)) {
    int error = pool->submit(pool->context, do_job, executor);
    if (!error)
      continue;
    PEX_SUB(&executor->jobs, 1);
    RT_ADD(&executor->failures, 1);
    RT_STORE(&executor->error, error);
    return;
  }
}
