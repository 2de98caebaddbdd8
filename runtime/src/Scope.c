/*===- Scope.c - Begins and ends of scopes ---------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

static const prof_scope_token none;

#define PRS_SUSPENDED_SKIPPED (UINT32_C(1) << 31)
#define PRS_SUSPENDED_COUNTING(slot) ((slot) >> PROF_SCOPE_SITE_BITS & 127)

/*===----------------------------------------------------------------------===*
 * Begins
 *===----------------------------------------------------------------------===*/

/* The properties by which a session selects scopes. */
typedef struct prs_class {
  uint16_t type;
  uint8_t role;
} prs_class;

/* The state with which a scope begins where only some are recorded, or
 * UINT32_MAX if this one is not. */
static uint32_t select_scope(prs_thread *thread, uint32_t site,
                             prs_class class) {
  if (!prs_is_selected(class.type, class.role))
    return UINT32_MAX;
  if (!(RT_LOAD(&prs->modes) & PROF_SCOPE_EVENTS))
    return PROF_SCOPE_STATE_SKIPPED;
  uint32_t every = RT_LOAD(&prs->sample_every);
  if (every < 2)
    return 0;
  if (site >= thread->sites && !prs_grow_sites(thread, site))
    return 0;
  uint32_t skipped = thread->skipped[site];
  thread->skipped[site] = skipped + 1 == every ? 0 : skipped + 1;
  return skipped ? PROF_SCOPE_STATE_SKIPPED : 0;
}

static prof_scope_token begin_any(prs_thread *thread, uint32_t site,
                                  prs_class class, uint32_t counting) {
  if (!site) {
    prs_lose(PROF_SCOPE_LOSS_NAME, 1);
    return none;
  }
  if (prs_is_interrupted())
    return none;
  prs_catch_up(thread);
  uint32_t state = RT_LOAD(&thread->slow) & PRS_MODES
                       ? select_scope(thread, site, class)
                       : 0;
  if (state == UINT32_MAX)
    return none;
  return prs_push_any(thread, site, state, 0,
                      counting | RT_LOAD(&prs->counting));
}

/* The short path where only statistics, types or sampling are to be seen to; 0
 * if there is more. */
static inline int begin_selected(prs_thread *thread, uint32_t site,
                                 prs_class class, prof_scope_token *token) {
  uint32_t depth = RT_LOAD(&thread->open->depth);
  if (!site || RT_LOAD(&thread->slow) != PRS_MODES ||
      depth >= PROF_SCOPE_SLOTS_INLINE || depth >= thread->inside_capacity ||
      RT_LOAD(&prs->counting))
    return 0;
  uint32_t state = select_scope(thread, site, class);
  if (state == UINT32_MAX) {
    *token = none;
    return 1;
  }
  prs_clear_inside(thread, depth);
  *token = prs_push(thread, site, state);
  return 1;
}

__attribute__((noinline)) static prof_scope_token
begin_slowly(prof_scope_site *site) {
  prs_thread *thread = prs_current;
  prs_class class = {site->type, site->role};
  prof_scope_token token;
  if (thread && begin_selected(thread, RT_LOAD(&site->id), class, &token))
    return token;
  thread = prs_get_thread();
  if (!thread || !prs_has_level(site->level))
    return none;
  return begin_any(thread, prs_get_site_id(site), class, site->counting);
}

prof_scope_token prof_scope_begin(prof_scope_site *site) {
  prs_thread *thread = prs_current;
  uint32_t id = RT_LOAD(&site->id);
  if (PRS_UNLIKELY(!thread || !id || RT_LOAD(&thread->slow) ||
                   RT_LOAD(&thread->open->depth) >= PROF_SCOPE_SLOTS_INLINE))
    return begin_slowly(site);
  return prs_push(thread, id, 0);
}

prof_scope_token prof_scope_begin_name(const char *name, size_t length,
                                       unsigned type, unsigned level,
                                       unsigned role) {
  prs_thread *thread = prs_get_thread();
  if (!thread || !prs_has_level(level))
    return none;
  const prs_site *site = prs_find_name(thread, name, length, type, level, role);
  if (PRS_UNLIKELY(!site || RT_LOAD(&thread->slow) ||
                   RT_LOAD(&thread->open->depth) >= PROF_SCOPE_SLOTS_INLINE))
    return begin_any(thread, site ? site->entry.id : 0,
                     (prs_class){(uint16_t)type, (uint8_t)role}, 0);
  return prs_push(thread, site->entry.id, 0);
}

prof_scope_token prof_scope_begin_counting(const char *name, size_t length,
                                           unsigned type, unsigned level,
                                           unsigned role, unsigned counting) {
  prs_thread *thread = prs_get_thread();
  if (!thread || !prs_has_level(level))
    return none;
  const prs_site *site = prs_find_name(thread, name, length, type, level, role);
  return begin_any(thread, site ? site->entry.id : 0,
                   (prs_class){(uint16_t)type, (uint8_t)role}, counting);
}

/*===----------------------------------------------------------------------===*
 * Ends
 *===----------------------------------------------------------------------===*/

static void write_moved(prs_thread *thread, prof_scope_token token,
                        const prs_ending *ending, uint64_t ticks,
                        uint32_t flags) {
  prof_scope_record_words records[] = {
      prs_make_record(PROF_SCOPE_KIND_MOVED,
                      (uint64_t)flags << 32 | ending->number,
                      (uint64_t)token.slot << 56 |
                          (uint64_t)ending->site << 32 | token.thread->number),
      prs_make_record(PROF_SCOPE_KIND_CONTINUATION, ending->begin, ticks)};
  prs_write_records(thread, records, 2);
}

/* Ends a scope of another thread; 0 if it was not open or is a context. */
static int end_elsewhere(prof_scope_token token, uint64_t now, uint32_t flags,
                         prs_ending *ending) {
  prs_inside inside;
  prs_thread *thread = prs_get_thread();
  prs_join_ended(token);
  if (!prs_take_away(token, now, ending, &inside)) {
    prs_lose(PROF_SCOPE_LOSS_END, 1);
    return 0;
  }
  if (!thread) {
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
    return 1;
  }
  prs_catch_up(thread);
  if (ending->state & PROF_SCOPE_STATE_LINK)
    return 0;
  if (ending->state & PROF_SCOPE_STATE_RESUMED)
    flags |= PROF_SCOPE_FLAG_RESUMED;
  if (ending->state & PROF_SCOPE_STATE_COUNTING)
    prs_lose(PROF_SCOPE_LOSS_COUNTS, 1);
  uint64_t ticks = now > ending->begin ? now - ending->begin : 0;
  if (RT_LOAD(&prs->modes) & PROF_SCOPE_STATISTICS)
    prs_count_taken(thread, token.thread, &inside, ending, ticks, flags);
  if (!(ending->state & PROF_SCOPE_STATE_SKIPPED))
    write_moved(thread, token, ending, ticks, flags);
  return 1;
}

/* As begin_selected. */
static inline int end_selected(prs_thread *thread, prof_scope_token token,
                               uint64_t now) {
  prof_scope_threads *open = thread->open;
  if (RT_LOAD(&thread->slow) != PRS_MODES ||
      RT_LOAD(&open->depth) != token.slot + 1)
    return 0;
  uint64_t word = RT_LOAD(&open->slots[token.slot].word);
  uint64_t begin = RT_LOAD(&open->slots[token.slot].begin);
  uint64_t ticks = now - begin;
  uint32_t state = PROF_SCOPE_SLOT_STATE(word);
  if (PROF_SCOPE_SLOT_SERIAL(word) != token.serial || ticks >> 32 ||
      state & ~(uint32_t)PROF_SCOPE_STATE_SKIPPED)
    return 0;
  if (!state) {
    prof_scope_records *records = thread->records;
    uint64_t used = RT_LOAD(&records->used);
    if (used >= thread->limit)
      return 0;
    prs_write(thread, used, begin, ticks, word, token.slot);
  }
  if (RT_LOAD(&prs->modes) & PROF_SCOPE_STATISTICS)
    prs_count_top(thread, token.slot, PROF_SCOPE_SLOT_SITE(word), token.serial,
                  ticks);
  RT_RELEASE(&open->depth, token.slot);
  return 1;
}

/* Ends a scope of a signal handler without a record. */
static void leave_handler(prof_scope_token token) {
  prs_thread *thread = token.thread;
  if (thread == prs_current && prs_is_open(thread, token) &&
      RT_LOAD(&thread->open->depth) == token.slot + 1)
    RT_RELEASE(&thread->open->depth, token.slot);
}

__attribute__((noinline)) static void end_slowly(prof_scope_token token,
                                                 uint64_t now) {
  if (token.thread == PRS_SUSPENDED) {
    prof_scope_resume(&token);
    if (token.thread)
      end_slowly(token, RT_LOAD(&token.thread->open->slots[token.slot].begin));
    return;
  }
  prs_ending ending;
  if (token.thread == prs_current && end_selected(token.thread, token, now))
    return;
  if (prs_is_interrupted()) {
    leave_handler(token);
    return;
  }
  if (token.thread != prs_current) {
    end_elsewhere(token, now, 0, &ending);
    return;
  }
  prs_catch_up(token.thread);
  if (prs_is_open(token.thread, token))
    prs_finish(token.thread, token.slot, now, 0, 0);
  else
    prs_lose(PROF_SCOPE_LOSS_END, 1);
}

void prof_scope_end(prof_scope_token token) {
  prs_thread *thread = token.thread;
  if (!thread)
    return;
  uint64_t now = prs_ticks();
  if (PRS_UNLIKELY(thread != prs_current || !prs_pop(thread, token, now)))
    end_slowly(token, now);
}

static prof_scope_token make_suspended(const prs_ending *ending,
                                       uint32_t counting) {
  uint32_t word = ending->site | (counting & 127) << PROF_SCOPE_SITE_BITS;
  if (ending->state & PROF_SCOPE_STATE_SKIPPED)
    word |= PRS_SUSPENDED_SKIPPED;
  prof_scope_token token = {PRS_SUSPENDED, word, ending->number};
  return token;
}

/* Suspends an open scope of the calling thread. */
static prof_scope_token suspend_own(prs_thread *thread, prof_scope_token token,
                                    uint64_t now) {
  prs_ending ending = prs_read_slot(thread, token.slot);
  uint32_t counting = ending.state & PROF_SCOPE_STATE_COUNTING
                          ? thread->counts[token.slot].counting
                          : 0;
  if (!ending.number)
    ending.number = prs_make_number();
  prs_finish(thread, token.slot, now, PROF_SCOPE_FLAG_SUSPENDED, ending.number);
  if (ending.state & PROF_SCOPE_STATE_LINK)
    return none;
  return make_suspended(&ending, counting);
}

void prof_scope_suspend(prof_scope_token *token) {
  prs_thread *thread = token->thread;
  if (!thread)
    return;
  uint64_t now = prs_ticks();
  if (thread == PRS_SUSPENDED) {
    prs_lose(PROF_SCOPE_LOSS_RESUME, 1);
    return;
  }
  if (prs_is_interrupted())
    return;
  if (thread != prs_current) {
    prs_ending ending;
    *token = end_elsewhere(*token, now, PROF_SCOPE_FLAG_SUSPENDED, &ending)
                 ? make_suspended(&ending, 0)
                 : none;
    return;
  }
  prs_catch_up(thread);
  if (prs_is_open(thread, *token))
    *token = suspend_own(thread, *token, now);
  else
    prs_lose(PROF_SCOPE_LOSS_RESUME, 1);
}

void prof_scope_resume(prof_scope_token *token) {
  if (!token->thread)
    return;
  if (token->thread != PRS_SUSPENDED) {
    prs_lose(PROF_SCOPE_LOSS_RESUME, 1);
    return;
  }
  prs_thread *thread = prs_get_thread();
  /* After the stop, there is nothing to go on with. */
  if (!thread || !RT_LOAD(&prs->sessions) || prs_is_interrupted()) {
    *token = none;
    return;
  }
  prs_catch_up(thread);
  uint32_t state = PROF_SCOPE_STATE_RESUMED | PROF_SCOPE_STATE_NUMBERED;
  if (token->slot & PRS_SUSPENDED_SKIPPED)
    state |= PROF_SCOPE_STATE_SKIPPED;
  *token = prs_push_any(thread, token->slot & PROF_SCOPE_SITES_MAX, state,
                        token->serial, PRS_SUSPENDED_COUNTING(token->slot));
}
