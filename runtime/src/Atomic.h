/*===- Atomic.h - Atomic operations and locks of the runtime -------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Without an operating system and with one thread (PROF_RT_THREADS is 1, the
 * default there) these are plain memory accesses: small processors do not have
 * 64-bit atomics, and their compilers would call a library for them.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_ATOMIC_H
#define MLIR_PROF_RUNTIME_ATOMIC_H

#include <stddef.h>
#include <stdint.h>

#ifdef PROF_RT_FREESTANDING
#ifndef PROF_RT_THREADS
#define PROF_RT_THREADS 1
#endif
#endif

#if defined(PROF_RT_FREESTANDING) && PROF_RT_THREADS == 1
#define RT_LOAD(address) (*(address))
#define RT_ACQUIRE(address) (*(address))
#define RT_STORE(address, value) ((void)(*(address) = (value)))
#define RT_RELEASE(address, value) ((void)(*(address) = (value)))
#define RT_ADD(address, value) ((void)(*(address) += (value)))
#else
/* Words that instrumented code changes while other threads read them. */
#define RT_LOAD(address) __atomic_load_n(address, __ATOMIC_RELAXED)
#define RT_STORE(address, value)                                               \
  __atomic_store_n(address, value, __ATOMIC_RELAXED)
/* Pointers to data that one thread created and others use. */
#define RT_ACQUIRE(address) __atomic_load_n(address, __ATOMIC_ACQUIRE)
#define RT_RELEASE(address, value)                                             \
  __atomic_store_n(address, value, __ATOMIC_RELEASE)
#define RT_ADD(address, value)                                                 \
  ((void)__atomic_fetch_add(address, value, __ATOMIC_RELAXED))
#endif

/* A lock that is all zero when free. Held only briefly; works before main, at
 * exit and without a C library. */
typedef struct prt_lock {
  uint32_t held;
} prt_lock;

/* Lets another thread run; call it while waiting for a lock. */
void prt_yield(void);

static inline void prt_acquire(prt_lock *lock) {
#if defined(PROF_RT_FREESTANDING) && PROF_RT_THREADS == 1
  lock->held = 1;
#else
  unsigned tries = 0;
  while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE))
    while (RT_LOAD(&lock->held))
      if (++tries > 64)
        prt_yield();
#endif
}

static inline void prt_release(prt_lock *lock) { RT_RELEASE(&lock->held, 0); }

#endif /* MLIR_PROF_RUNTIME_ATOMIC_H */
