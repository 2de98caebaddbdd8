/*===- ScopePair.c - Scopes that begin and end together --------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

void prof_scope_begin_pair(prof_scope_site *outer, prof_scope_site *inner,
                           prof_scope_token tokens[2]) {
  prs_thread *thread = prs_current;
  uint32_t id = RT_LOAD(&inner->id);
  tokens[0] = prof_scope_begin(outer);
  uint32_t depth = tokens[0].slot + 1;
  if (PRS_UNLIKELY(!thread || tokens[0].thread != thread || !id ||
                   RT_LOAD(&thread->slow) ||
                   depth >= PROF_SCOPE_SLOTS_INLINE)) {
    tokens[1] = prof_scope_begin(inner);
    return;
  }
  /* As prs_push, without another reading of the clock. */
  prof_scope_slot *slot = &thread->open->slots[depth];
  uint32_t serial = RT_LOAD(&thread->serial) + 1;
  RT_STORE(&thread->serial, serial);
  RT_STORE(&slot->word, id | (uint64_t)serial << 32);
  RT_RELEASE(&slot->begin, RT_LOAD(&slot[-1].begin));
  RT_RELEASE(&thread->open->depth, depth + 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (PRS_UNLIKELY(RT_LOAD(&thread->serial) != serial))
    prs_push_again(thread, depth, id, serial);
  tokens[1].thread = thread;
  tokens[1].slot = depth;
  tokens[1].serial = serial;
}

void prof_scope_end_pair(const prof_scope_token tokens[2]) {
  prs_thread *thread = tokens[1].thread;
  if (PRS_UNLIKELY(!thread || thread != prs_current ||
                   tokens[0].thread != thread)) {
    prof_scope_end(tokens[1]);
    prof_scope_end(tokens[0]);
    return;
  }
  uint64_t now = prs_ticks();
  if (PRS_UNLIKELY(!prs_pop(thread, tokens[1], now)))
    prof_scope_end(tokens[1]);
  if (PRS_UNLIKELY(!prs_pop(thread, tokens[0], now)))
    prof_scope_end(tokens[0]);
}
