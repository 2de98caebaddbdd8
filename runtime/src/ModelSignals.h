/*===- ModelSignals.h - Handlers of signals ------------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_MODELSIGNALS_H
#define MLIR_PROF_RUNTIME_MODELSIGNALS_H

#include <signal.h>
#include <stdint.h>

/* The signal that lets threads of an executor leave a call. Without a handler
 * it does nothing, and programs that use it expect some that are not theirs. */
#define PMD_WAKE SIGURG

/* The most handlers of a signal that ours keeps. */
#define PMD_OLDER 16

/* Those of a signal that ours took the place of, the newest last. */
typedef struct pmd_handlers {
  int number;
  uint32_t count;
  struct sigaction older[PMD_OLDER];
} pmd_handlers;

typedef void (*pmd_handler)(int number, siginfo_t *info, void *context);

/* Makes `handler` the signal's, and keeps the one that it has. Under a lock. */
void pmd_install(pmd_handlers *handlers, pmd_handler handler, int flags);
/* Calls the newest of the others; if that sends the signal back to ours, the
 * next older one; last, the process ends as without handlers. */
void pmd_pass_on(const pmd_handlers *handlers, siginfo_t *info, void *context);

#endif /* MLIR_PROF_RUNTIME_MODELSIGNALS_H */
