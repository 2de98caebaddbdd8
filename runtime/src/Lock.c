/*===- Lock.c - Locks with an operating system -----------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A thread that waits sleeps: the one that holds the lock may have a lower
 * priority and need the same processor.
 *
 *===----------------------------------------------------------------------===*/

#include "Lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Attempts before a thread sleeps. */
#define RT_ATTEMPTS 64

void prt_wait_for(prt_lock *lock) {
  for (int attempt = 0; attempt < RT_ATTEMPTS; ++attempt) {
    uint32_t was_free = 0;
    if (!RT_LOAD(&lock->held) &&
        __atomic_compare_exchange_n(&lock->held, &was_free, PRT_HELD, 0,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
  }
  int error = errno;
  while (__atomic_exchange_n(&lock->held, PRT_AWAITED, __ATOMIC_ACQUIRE))
    if (syscall(SYS_futex, &lock->held, FUTEX_WAIT_PRIVATE, PRT_AWAITED, NULL,
                NULL, 0) &&
        errno == ENOSYS)
      prt_yield();
  errno = error;
}

void prt_wake(prt_lock *lock) {
  int error = errno;
  syscall(SYS_futex, &lock->held, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  errno = error;
}

/*===----------------------------------------------------------------------===*
 * Guards
 *===----------------------------------------------------------------------===*/

/* Signals that the thread causes itself are not held back: those end the
 * process. */
static void fill_held_back(sigset_t *set) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  sigfillset(set);
  for (unsigned index = 0; index < sizeof own / sizeof *own; ++index)
    sigdelset(set, own[index]);
}

void prt_shut(prt_guard *guard) {
  sigset_t held_back;
  fill_held_back(&held_back);
#ifdef PTHREAD_CANCEL_DISABLE
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel);
#endif
  pthread_sigmask(SIG_BLOCK, &held_back, &guard->signals);
}

void prt_open(const prt_guard *guard) {
  pthread_sigmask(SIG_SETMASK, &guard->signals, NULL);
#ifdef PTHREAD_CANCEL_DISABLE
  pthread_setcancelstate(guard->cancel, NULL);
#endif
}

void prt_acquire_guarded(prt_lock *lock) {
  prt_guard before;
  prt_shut(&before);
  prt_take(lock);
  *lock->guard = before;
}

void prt_release_guarded(prt_lock *lock) {
  prt_guard before = *lock->guard;
  prt_give(lock);
  prt_open(&before);
}
