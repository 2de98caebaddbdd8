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

/* The state of a thread before it acquired a lock with a guard. */
typedef struct prt_guard prt_guard;

/* A lock that is free when all is zero. Held only briefly; works before main,
 * at exit and without a C library. */
typedef struct prt_lock {
  /* 0, PRT_HELD, or PRT_AWAITED. */
  uint32_t held;
  /* If it is not null, signal handlers do not run on the thread that holds the
   * lock, and the thread is not canceled. */
  prt_guard *guard;
} prt_lock;

enum {
  PRT_HELD = 1,
  /* Other threads may be waiting. */
  PRT_AWAITED = 2,
};

/* Lets another thread run; call it while waiting for memory to change. */
void prt_yield(void);

#if defined(PROF_RT_FREESTANDING)
static inline void prt_acquire(prt_lock *lock) {
#if PROF_RT_THREADS == 1
  lock->held = PRT_HELD;
#else
  while (__atomic_exchange_n(&lock->held, PRT_HELD, __ATOMIC_ACQUIRE))
    while (RT_LOAD(&lock->held))
      prt_yield();
#endif
}

static inline void prt_release(prt_lock *lock) { RT_RELEASE(&lock->held, 0); }
#else
/* Lock.c */
void prt_wait_for(prt_lock *lock);
void prt_wake(prt_lock *lock);
void prt_acquire_guarded(prt_lock *lock);
void prt_release_guarded(prt_lock *lock);

static inline void prt_take(prt_lock *lock) {
  uint32_t was_free = 0;
  if (!__atomic_compare_exchange_n(&lock->held, &was_free, PRT_HELD, 0,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    prt_wait_for(lock);
}

static inline void prt_give(prt_lock *lock) {
  if (__atomic_exchange_n(&lock->held, 0, __ATOMIC_RELEASE) == PRT_AWAITED)
    prt_wake(lock);
}

static inline void prt_acquire(prt_lock *lock) {
  if (RT_LOAD(&lock->guard))
    prt_acquire_guarded(lock);
  else
    prt_take(lock);
}

static inline void prt_release(prt_lock *lock) {
  if (RT_LOAD(&lock->guard))
    prt_release_guarded(lock);
  else
    prt_give(lock);
}
#endif

#endif /* MLIR_PROF_RUNTIME_ATOMIC_H */
