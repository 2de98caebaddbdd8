/*===- Executor.c - Executors ----------------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorInternal.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

_Static_assert(PEX_RANGE == ERANGE && PEX_CANCELED == ECANCELED, "Linux's");

uint64_t pex_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint32_t pex_count_processors(void) {
  cpu_set_t set;
  int count = 0;
  if (!sched_getaffinity(0, sizeof set, &set))
    count = CPU_COUNT(&set);
  /* More processors than the set has room for. */
  if (count < 1)
    count = (int)sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (uint32_t)count;
}

void prof_executor_default_options(prof_executor_options *options) {
  prt_zero(options, sizeof *options);
  options->spin_ns = PROF_EXECUTOR_SPIN_DEFAULT;
}

static uint32_t limit_threads(const prof_executor *executor, uint32_t threads) {
  threads = threads ? threads : executor->processors;
  return threads < PEX_THREADS ? threads : PEX_THREADS;
}

prof_executor *prof_executor_create(const prof_executor_options *options) {
  prof_executor *executor = prt_map(sizeof *executor);
  if (!executor)
    return NULL;
  if (options)
    executor->options = *options;
  else
    prof_executor_default_options(&executor->options);
  executor->processors = pex_count_processors();
  executor->threads = limit_threads(executor, executor->options.threads);
  executor->caller_spin_ns = pex_get_most_spin(executor);
  pex_register(executor);
  return executor;
}

prof_executor *prof_executor_get_default(void) {
  static prt_lock lock;
  static prof_executor *executor;
  prof_executor *made = RT_ACQUIRE(&executor);
  if (made)
    return made;
  prt_acquire(&lock);
  if (!executor) {
    prof_executor_options options;
    prof_executor_default_options(&options);
    const char *threads = getenv("PROF_EXECUTOR_THREADS");
    if (threads)
      options.threads = (uint32_t)strtoul(threads, NULL, 10);
    RT_RELEASE(&executor, prof_executor_create(&options));
  }
  made = executor;
  prt_release(&lock);
  return made;
}

void prof_executor_shut_down(prof_executor *executor) {
  RT_STORE(&executor->is_shut_down, 1);
}

void prof_executor_resize(prof_executor *executor, uint32_t threads) {
  threads = limit_threads(executor, threads);
  prt_acquire(&executor->resizing);
  RT_STORE(&executor->threads, threads);
  RT_STORE(&executor->caller_spin_ns, pex_get_most_spin(executor));
  RT_STORE(&executor->retry_ns, 0);
  pex_end_threads(executor, threads - 1);
  prt_release(&executor->resizing);
}

/* Nobody has anything to do with the executor any more. */
static int is_unused(prof_executor *executor) {
  return !PEX_LOAD(&executor->busy) && !PEX_LOAD(&executor->jobs) &&
         !PEX_LOAD(&executor->leaving);
}

void prof_executor_destroy(prof_executor *executor) {
  if (!executor)
    return;
  while (!is_unused(executor)) {
    const struct timespec briefly = {0, 100000};
    nanosleep(&briefly, NULL);
  }
  prt_acquire(&executor->resizing);
  pex_end_threads(executor, 0);
  pex_forget(executor);
  for (pex_block *block = executor->blocks; block;) {
    pex_block *next = block->next;
    munmap(block, block->size);
    block = next;
  }
  munmap(executor, sizeof *executor);
}

void *pex_allocate(prof_executor *executor, uint64_t size) {
  if (size > SIZE_MAX / 2)
    return NULL;
  /* Keeps the alignment of a page's begin. */
  size += PEX_LINE;
  pex_block *block = prt_map(size);
  if (!block)
    return NULL;
  block->size = size;
  prt_acquire(&executor->lock);
  block->next = executor->blocks;
  executor->blocks = block;
  prt_release(&executor->lock);
  return (char *)block + PEX_LINE;
}

void prof_executor_get_info(prof_executor *executor, prof_executor_info *info) {
  info->threads = RT_LOAD(&executor->threads);
  info->created = RT_LOAD(&executor->created);
  info->failures = RT_LOAD(&executor->failures);
  info->error = RT_LOAD(&executor->error);
}

void prof_executor_set_trace(prof_executor *executor,
                             const prof_executor_trace *trace) {
  RT_RELEASE(&executor->trace, trace);
}
