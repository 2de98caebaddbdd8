/*===- Lock.h - Protection from interruptions ----------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_LOCK_H
#define MLIR_PROF_RUNTIME_LOCK_H

#include "Atomic.h"

#include <pthread.h>
#include <signal.h>

struct prt_guard {
  sigset_t signals;
  int cancel;
};

/* Holds back signal handlers and cancellation of the calling thread until
 * prt_open. */
void prt_shut(prt_guard *guard);
void prt_open(const prt_guard *guard);

#endif /* MLIR_PROF_RUNTIME_LOCK_H */
