/*===- RequestThreads.c - Requests on threads -----------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_request.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct threads {
  /* The first member: a scheduler is one of these. */
  prof_scheduler scheduler;
  prof_scheduler_options options;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  /* Under the mutex: the number of notifications, the calls of `work` that are
     on their way to the caller's pool or in it, and whether the scheduler
     ends. */
  uint64_t changes;
  uint32_t working;
  int is_ending;
  uint32_t count;
  pthread_t members[];
} threads;

static void lock(void *context) {
  pthread_mutex_lock(&((threads *)context)->mutex);
}

static void unlock(void *context) {
  pthread_mutex_unlock(&((threads *)context)->mutex);
}

/* Runs requests until none can run; `changes` tells whether that is still so
   afterwards, with the mutex held. */
static void run_all(threads *self) {
  uint64_t seen;
  do {
    seen = self->changes;
    unlock(self);
    while (prof_scheduler_run_one(&self->scheduler))
      ;
    lock(self);
  } while (self->changes != seen);
}

/*===----------------------------------------------------------------------===*
 * Threads of the scheduler
 *===----------------------------------------------------------------------===*/

static void *run_thread(void *argument) {
  threads *self = argument;
  lock(self);
  for (;;) {
    run_all(self);
    if (self->is_ending && !self->scheduler.queue)
      break;
    pthread_cond_wait(&self->changed, &self->mutex);
  }
  unlock(self);
  return NULL;
}

/*===----------------------------------------------------------------------===*
 * The caller's pool
 *===----------------------------------------------------------------------===*/

static void work(void *argument) {
  threads *self = argument;
  lock(self);
  run_all(self);
  --self->working;
  pthread_cond_broadcast(&self->changed);
  unlock(self);
}

static void notify(void *context) {
  threads *self = context;
  prof_scheduler_options *options = &self->options;
  ++self->changes;
  pthread_cond_broadcast(&self->changed);
  if (!options->submit || !self->scheduler.queue ||
      self->working == options->threads)
    return;
  ++self->working;
  if (options->submit(options->submit_context, work, self))
    --self->working;
}

/* Threads that wait do what the caller's pool has refused. */
static void sleep_until_change(void *context) {
  threads *self = context;
  uint64_t before = self->changes;
  if (self->options.submit && !self->working && self->scheduler.queue)
    run_all(self);
  if (self->changes == before)
    pthread_cond_wait(&self->changed, &self->mutex);
}

/*===----------------------------------------------------------------------===*
 * Creation
 *===----------------------------------------------------------------------===*/

static uint32_t count_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint32_t)count : 1;
}

static void release(threads *self) {
  pthread_cond_destroy(&self->changed);
  pthread_mutex_destroy(&self->mutex);
  free(self);
}

prof_scheduler *prof_scheduler_create(const prof_scheduler_options *options) {
  static const prof_scheduler_system system = {lock, unlock, notify,
                                               sleep_until_change};
  static const prof_scheduler_options defaults;
  uint32_t count =
      options && options->threads ? options->threads : count_processors();
  threads *self = calloc(1, sizeof *self + count * sizeof *self->members);
  if (!self)
    return NULL;
  self->options = options ? *options : defaults;
  self->options.threads = count;
  pthread_mutex_init(&self->mutex, NULL);
  pthread_cond_init(&self->changed, NULL);
  prof_scheduler_begin(&self->scheduler, &system, self, self->options.memory,
                       self->options.bytes);
  if (self->options.submit)
    return &self->scheduler;
  while (self->count != count &&
         !pthread_create(&self->members[self->count], NULL, run_thread, self))
    ++self->count;
  if (self->count)
    return &self->scheduler;
  release(self);
  return NULL;
}

void prof_scheduler_destroy(prof_scheduler *scheduler) {
  threads *self = (threads *)scheduler;
  uint32_t index;
  if (!self)
    return;
  lock(self);
  self->is_ending = 1;
  pthread_cond_broadcast(&self->changed);
  while (self->options.submit && (self->working || scheduler->queue))
    sleep_until_change(self);
  unlock(self);
  for (index = 0; index != self->count; ++index)
    pthread_join(self->members[index], NULL);
  release(self);
}
