/*===- ModelSignals.c - Handlers of signals --------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Programs install handlers before and after ours, and theirs may call the one
 * that they found: ours. So all that were ever found are kept, and a signal
 * that comes back while it is passed on goes to the next older one.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelSignals.h"
#include "Atomic.h"

#include <stdint.h>

static int is_same(const struct sigaction *one, const struct sigaction *other) {
  if ((one->sa_flags & SA_SIGINFO) != (other->sa_flags & SA_SIGINFO))
    return 0;
  return one->sa_flags & SA_SIGINFO ? one->sa_sigaction == other->sa_sigaction
                                    : one->sa_handler == other->sa_handler;
}

/* Moves `found` to the newest place; 0 if there is no room for it. */
static int keep(pmd_handlers *handlers, const struct sigaction *found) {
  uint32_t count = handlers->count, from = 0;
  while (from < count && !is_same(&handlers->older[from], found))
    ++from;
  if (from == PMD_OLDER)
    return 0;
  /* Handlers that run meanwhile find each of the others, one perhaps twice. */
  for (; from + 1 < count; ++from)
    handlers->older[from] = handlers->older[from + 1];
  handlers->older[from] = *found;
  RT_STORE(&handlers->count, from + 1);
  return 1;
}

void pmd_install(pmd_handlers *handlers, pmd_handler handler, int flags) {
  struct sigaction ours = {.sa_sigaction = handler}, now;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | flags;
  sigemptyset(&ours.sa_mask);
  if (!sigaction(handlers->number, NULL, &now) && !is_same(&now, &ours) &&
      keep(handlers, &now))
    sigaction(handlers->number, &ours, NULL);
}

/* A signal that the thread passes on: how many handlers have seen it, and where
 * the stack was. One that was left by a jump is known by the stack. */
typedef struct passing {
  const pmd_handlers *handlers;
  uint32_t seen;
  uintptr_t stack;
} passing;
static _Thread_local passing current __attribute__((tls_model("initial-exec")));

/* A handler that was switched off, as Python's faulthandler can be, does
 * nothing, and the access that failed is made again at once. Others mend what
 * failed; they are not called for the same address so often. */
#define MOST_REPEATS 1000
static _Thread_local struct {
  const void *address;
  uint32_t count;
} repeats __attribute__((tls_model("initial-exec")));

/* How many handlers do nothing about a fault. */
static uint32_t count_idle(const siginfo_t *info) {
  if (info->si_code <= 0)
    return 0;
  if (repeats.address != info->si_addr)
    repeats.count = 0;
  repeats.address = info->si_addr;
  return repeats.count++ / MOST_REPEATS;
}

static void end(const struct sigaction *action, int number,
                const siginfo_t *info) {
  /* It happens again at once, or is sent again, and ends the process. */
  sigaction(number, action, NULL);
  if (info->si_code <= 0)
    raise(number);
}

void pmd_pass_on(const pmd_handlers *handlers, siginfo_t *info, void *context) {
  static const struct sigaction none = {.sa_handler = SIG_DFL};
  passing outer = current;
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  int is_back = outer.handlers == handlers && stack < outer.stack;
  uint32_t seen = is_back ? outer.seen : count_idle(info);
  uint32_t count = RT_LOAD(&handlers->count);
  const struct sigaction *action =
      seen < count ? &handlers->older[count - 1 - seen] : &none;
  current = (passing){handlers, seen + 1, stack};
  if (action->sa_flags & SA_SIGINFO)
    action->sa_sigaction(handlers->number, info, context);
  else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
    action->sa_handler(handlers->number);
  else if (handlers->number != PMD_WAKE)
    end(action, handlers->number, info);
  current = outer;
}
