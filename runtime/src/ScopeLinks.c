/*===- ScopeLinks.c - Contexts, and intervals measured elsewhere -----------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

/* The number of an open scope, which is given one. Under the thread's lock. */
static uint32_t get_number(prs_thread *thread, uint32_t index) {
  prof_scope_slot *slot = &thread->open->slots[index];
  uint32_t *number = &prs_numbers(thread->open)[index];
  if (!(prs_get_state(slot) & PROF_SCOPE_STATE_NUMBERED)) {
    RT_STORE(number, prs_make_number());
    __atomic_fetch_or(&slot->word,
                      (uint64_t)PROF_SCOPE_STATE_NUMBERED
                          << PROF_SCOPE_SITE_BITS,
                      __ATOMIC_RELAXED);
  }
  return RT_LOAD(number);
}

prof_scope_context prof_scope_here(void) {
  prof_scope_context context = {0};
  prs_thread *thread = prs_current;
  if (!thread || prs_is_interrupted())
    return context;
  prs_catch_up(thread);
  prs_lock_thread(thread);
  for (uint32_t index = RT_LOAD(&thread->open->depth); index--;) {
    uint32_t state = prs_get_state(&thread->open->slots[index]);
    if (state & (PROF_SCOPE_STATE_DEAD | PROF_SCOPE_STATE_SKIPPED))
      continue;
    context.id = get_number(thread, index);
    break;
  }
  prs_unlock_thread(thread);
  return context;
}

prof_scope_context prof_scope_context_of(prof_scope_token token) {
  prof_scope_context context = {0};
  prs_thread *owner = token.thread;
  if (!owner)
    return context;
  if (owner == PRS_SUSPENDED) {
    context.id = token.serial;
    return context;
  }
  if (!prs_lock_thread(owner))
    return context;
  if (prs_is_open(owner, token) &&
      !(prs_get_state(&owner->open->slots[token.slot]) &
        PROF_SCOPE_STATE_SKIPPED))
    context.id = get_number(owner, token.slot);
  prs_unlock_thread(owner);
  return context;
}

prof_scope_token prof_scope_enter(prof_scope_context context) {
  prs_thread *thread = context.id ? prs_get_thread() : NULL;
  if (!thread || !RT_LOAD(&prs->sessions) || prs_is_interrupted())
    return (prof_scope_token){NULL, 0, 0};
  prs_catch_up(thread);
  return prs_push_any(thread, 0,
                      PROF_SCOPE_STATE_LINK | PROF_SCOPE_STATE_NUMBERED,
                      context.id, 0);
}

static void write_outside(prs_thread *thread, uint32_t site, int64_t begin_ns,
                          int64_t end_ns) {
  if (!site) {
    prs_lose(PROF_SCOPE_LOSS_NAME, 1);
    return;
  }
  if (prs_is_interrupted())
    return;
  if (!prs_is_possible(begin_ns, end_ns)) {
    prs_lose(PROF_SCOPE_LOSS_CLOCK, 1);
    return;
  }
  prs_catch_up(thread);
  uint64_t duration = (uint64_t)end_ns - (uint64_t)begin_ns;
  if (RT_LOAD(&prs->modes) & PROF_SCOPE_STATISTICS)
    prs_count_outside(thread, site, prs_ns_to_ticks(duration));
  if (!(RT_LOAD(&prs->modes) & PROF_SCOPE_EVENTS))
    return;
  prof_scope_record_words records[] = {
      prs_make_record(PROF_SCOPE_KIND_OUTSIDE, site, duration),
      prs_make_record(PROF_SCOPE_KIND_CONTINUATION, 0, (uint64_t)begin_ns)};
  prs_write_records(thread, records, 2);
}

void prof_scope_record(prof_scope_site *site, int64_t begin_ns,
                       int64_t end_ns) {
  prs_thread *thread = prof_scope_is_on(site->level) ? prs_get_thread() : NULL;
  if (!thread || !prs_has_level(site->level))
    return;
  if (prs_is_selected(site->type, site->role))
    write_outside(thread, prs_get_site_id(site), begin_ns, end_ns);
}

void prof_scope_record_name(const char *name, size_t length, unsigned type,
                            unsigned level, unsigned role, int64_t begin_ns,
                            int64_t end_ns) {
  prs_thread *thread = prof_scope_is_on((int)level) ? prs_get_thread() : NULL;
  if (!thread || !prs_has_level(level))
    return;
  if (!prs_is_selected(type, role))
    return;
  const prs_site *site = prs_find_name(thread, name, length, type, level, role);
  write_outside(thread, site ? site->entry.id : 0, begin_ns, end_ns);
}
