/*===- ModelFork.c - Models in forked processes ----------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A child has the models, but of the threads only that which forked. Locks that
 * are held for a short time are taken during the fork. Calls of other threads
 * may take long, so their locks are made anew in the child: variables are then
 * as these calls left them, which reset() mends.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelInternal.h"

static void before_fork(void) {
  pthread_mutex_lock(&pmd_registry);
  prt_acquire(&pmd_memory_lock);
  prt_acquire(&pmd_fault_lock);
}

static void after_fork_in_parent(void) {
  prt_release(&pmd_fault_lock);
  prt_release(&pmd_memory_lock);
  pthread_mutex_unlock(&pmd_registry);
}

static void after_fork_in_child(void) {
  for (prof_model *model = pmd_models; model; model = model->next)
    pthread_mutex_init(&model->lock, NULL);
  after_fork_in_parent();
}

/* Handlers that come before a fork run in the opposite order: the executor's
 * locks are taken after these, as by whoever loads a model. */
static void install(void) {
  pex_watch_forks();
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void pmd_watch_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}
