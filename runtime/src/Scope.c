/*===- Scope.c - Begins and ends of scopes ---------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A thread's open scopes are a stack. One that ends below the top of the stack,
 * or on another thread, stays there, dead, until all above it have ended: so
 * the slot below a scope is always that of its parent.
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

static const prof_scope_token none;

/* Stands for the thread of a suspended scope, whose token has the site as slot
 * and the number as serial. */
#define PRS_SUSPENDED ((prs_thread *)1)

/* A scope that ends. */
typedef struct prs_ending {
  uint64_t begin;
  uint32_t site;
  uint32_t state;
  uint32_t number;
} prs_ending;

uint32_t prs_make_number(void) {
  return __atomic_add_fetch(&prs->number, 1, __ATOMIC_RELAXED);
}

static uint32_t get_state(const prof_scope_slot *slot) {
  return PROF_SCOPE_SLOT_STATE(RT_LOAD(&slot->word));
}

static void add_state(prof_scope_slot *slot, uint32_t state) {
  __atomic_fetch_or(&slot->word, (uint64_t)state << PROF_SCOPE_SITE_BITS,
                    __ATOMIC_RELAXED);
}

/*===----------------------------------------------------------------------===*
 * Records
 *===----------------------------------------------------------------------===*/

static void write_scope(prs_thread *thread, uint32_t slot,
                        const prs_ending *ending, uint64_t ticks,
                        uint32_t flags) {
  uint32_t low =
      slot < PROF_SCOPE_SLOTS_INLINE ? slot : PROF_SCOPE_SLOTS_INLINE;
  uint64_t second = ticks << 32 | (uint64_t)ending->site << 8 | low;
  if (!flags && !ending->number && !(ticks >> 32) && low == slot) {
    prof_scope_record_words record =
        prs_make_record(PROF_SCOPE_KIND_SCOPE, ending->begin, second);
    prs_write_records(thread, &record, 1);
    return;
  }
  prof_scope_record_words records[] = {
      prs_make_record(PROF_SCOPE_KIND_PREFIX, (uint64_t)flags << 32 | slot,
                      ticks >> 32 << 32 | ending->number),
      prs_make_record(PROF_SCOPE_KIND_PREFIXED, ending->begin, second)};
  prs_write_records(thread, records, 2);
}

/* Tells where in the order of ends the scopes in `index`, and in the dead slots
 * right below it, were ended by other threads. */
static void write_marks(prs_thread *thread, uint32_t index) {
  prof_scope_slot *slots = thread->open->slots;
  uint32_t low = index;
  while (low && get_state(&slots[low - 1]) & PROF_SCOPE_STATE_MOVED)
    --low;
  for (; low <= index; ++low) {
    uint32_t state = get_state(&slots[low]);
    if (!(state & PROF_SCOPE_STATE_MOVED))
      continue;
    uint64_t flags = 0;
    if (low && get_state(&slots[low - 1]) & PROF_SCOPE_STATE_DEAD)
      flags |= PROF_SCOPE_FLAG_ORPHAN;
    if (low + 1 != RT_LOAD(&thread->open->depth))
      flags |= PROF_SCOPE_FLAG_OVERLAP;
    prof_scope_record_words record = prs_make_record(
        state & PROF_SCOPE_STATE_LINK ? PROF_SCOPE_KIND_LINK
                                      : PROF_SCOPE_KIND_MARK,
        flags << 32 | low, RT_LOAD(&prs_numbers(thread->open)[low]));
    prs_write_records(thread, &record, 1);
    __atomic_fetch_and(
        &slots[low].word,
        ~((uint64_t)PROF_SCOPE_STATE_MOVED << PROF_SCOPE_SITE_BITS),
        __ATOMIC_RELAXED);
  }
}

/*===----------------------------------------------------------------------===*
 * The stack
 *===----------------------------------------------------------------------===*/

/* Pops dead scopes from the top. */
static void clean(prs_thread *thread) {
  prof_scope_threads *open = thread->open;
  uint32_t depth = RT_LOAD(&open->depth), popped = 0;
  while (depth && get_state(&open->slots[depth - 1]) & PROF_SCOPE_STATE_DEAD) {
    write_marks(thread, depth - 1);
    RT_RELEASE(&open->depth, --depth);
    ++popped;
  }
  prt_acquire(&thread->lock);
  thread->dead -= popped < thread->dead ? popped : thread->dead;
  if (!depth)
    thread->dead = 0;
  if (!thread->dead)
    prs_clear_slow(thread, PRS_DEAD);
  prt_release(&thread->lock);
}

void prs_catch_up(prs_thread *thread) {
  uint32_t slow = RT_LOAD(&thread->slow);
  if (slow & PRS_REFRESH)
    prs_refresh(thread);
  if (slow & PRS_DEAD)
    clean(thread);
}

/* Whether `token` is an open scope of `thread`. */
static int is_open(prs_thread *thread, prof_scope_token token) {
  if (token.slot >= RT_LOAD(&thread->open->depth))
    return 0;
  uint64_t word = RT_LOAD(&thread->open->slots[token.slot].word);
  return PROF_SCOPE_SLOT_SERIAL(word) == token.serial &&
         !(PROF_SCOPE_SLOT_STATE(word) & PROF_SCOPE_STATE_DEAD);
}

static prs_ending read_slot(prs_thread *thread, uint32_t index) {
  const prof_scope_slot *slot = &thread->open->slots[index];
  uint64_t word = RT_LOAD(&slot->word);
  prs_ending ending = {RT_LOAD(&slot->begin), PROF_SCOPE_SLOT_SITE(word),
                       PROF_SCOPE_SLOT_STATE(word), 0};
  if (ending.state & PROF_SCOPE_STATE_NUMBERED)
    ending.number = RT_LOAD(&prs_numbers(thread->open)[index]);
  return ending;
}

/* Takes a scope that has ended off the stack, or marks it as dead. */
static void drop(prs_thread *thread, uint32_t index) {
  prof_scope_threads *open = thread->open;
  if (index + 1 == RT_LOAD(&open->depth)) {
    RT_RELEASE(&open->depth, index);
    if (RT_LOAD(&thread->slow) & PRS_DEAD)
      clean(thread);
    return;
  }
  prt_acquire(&thread->lock);
  add_state(&open->slots[index], PROF_SCOPE_STATE_DEAD);
  ++thread->dead;
  prs_set_slow(thread, PRS_DEAD);
  prt_release(&thread->lock);
}

/* Ends an open scope of the calling thread in every case. */
static void finish(prs_thread *thread, uint32_t index, uint64_t now,
                   uint32_t flags, uint32_t number) {
  prof_scope_slot *slots = thread->open->slots;
  prs_ending ending = read_slot(thread, index);
  if (number)
    ending.number = number;
  uint64_t ticks = now > ending.begin ? now - ending.begin : 0;
  if (index + 1 != RT_LOAD(&thread->open->depth))
    flags |= PROF_SCOPE_FLAG_OVERLAP;
  if (ending.state & PROF_SCOPE_STATE_RESUMED)
    flags |= PROF_SCOPE_FLAG_RESUMED;
  if (index && get_state(&slots[index - 1]) & PROF_SCOPE_STATE_DEAD) {
    write_marks(thread, index - 1);
    flags |= PROF_SCOPE_FLAG_ORPHAN;
  }
  if (ending.state & PROF_SCOPE_STATE_LINK) {
    prof_scope_record_words record = prs_make_record(
        PROF_SCOPE_KIND_LINK, (uint64_t)flags << 32 | index, ending.number);
    prs_write_records(thread, &record, 1);
  } else {
    if (!(ending.state & PROF_SCOPE_STATE_SKIPPED))
      write_scope(thread, index, &ending, ticks, flags);
    if (RT_LOAD(&prs->modes) & PROF_SCOPE_STATISTICS)
      prs_count(thread, index, ending.site, ticks);
  }
  drop(thread, index);
}

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

static void clear_inside(prs_inside *inside) {
  RT_STORE(&inside->ticks, 0);
  RT_STORE(&inside->children, 0);
  RT_STORE(&inside->inside, 0);
}

/* Pushes a scope in every case. */
static prof_scope_token push_any(prs_thread *thread, uint32_t site,
                                 uint32_t state, uint32_t number) {
  uint32_t depth = RT_LOAD(&thread->open->depth);
  if (depth == thread->open->capacity && !prs_grow_open(thread)) {
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
    return none;
  }
  if (depth >= PROF_SCOPE_SLOTS_INLINE)
    state |= PROF_SCOPE_STATE_DEEP;
  if (state & PROF_SCOPE_STATE_NUMBERED)
    RT_STORE(&prs_numbers(thread->open)[depth], number);
  if (RT_LOAD(&prs->modes) & PROF_SCOPE_STATISTICS &&
      (depth < thread->inside_capacity || prs_reserve_inside(thread)))
    clear_inside(&thread->inside[depth]);
  return prs_push(thread, site, state);
}

static prof_scope_token begin_any(prs_thread *thread, uint32_t site,
                                  prs_class class) {
  if (!site) {
    prs_lose(PROF_SCOPE_LOSS_NAME, 1);
    return none;
  }
  prs_catch_up(thread);
  uint32_t state = RT_LOAD(&thread->slow) & PRS_MODES
                       ? select_scope(thread, site, class)
                       : 0;
  return state == UINT32_MAX ? none : push_any(thread, site, state, 0);
}

/* The short path where only statistics, types or sampling are to be seen to; 0
 * if there is more. */
static inline int begin_selected(prs_thread *thread, uint32_t site,
                                 prs_class class, prof_scope_token *token) {
  uint32_t depth = RT_LOAD(&thread->open->depth);
  if (!site || RT_LOAD(&thread->slow) != PRS_MODES ||
      depth >= PROF_SCOPE_SLOTS_INLINE || depth >= thread->inside_capacity)
    return 0;
  uint32_t state = select_scope(thread, site, class);
  if (state == UINT32_MAX) {
    *token = none;
    return 1;
  }
  clear_inside(&thread->inside[depth]);
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
  if (!thread || RT_LOAD(&prs->level) < site->level)
    return none;
  uint32_t id = RT_LOAD(&site->id);
  return begin_any(thread, id ? id : prs_register_site(site), class);
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
  if (!thread || RT_LOAD(&prs->level) < (int32_t)level)
    return none;
  const prs_site *site = prs_find_name(thread, name, length, type, level, role);
  if (PRS_UNLIKELY(!site || RT_LOAD(&thread->slow) ||
                   RT_LOAD(&thread->open->depth) >= PROF_SCOPE_SLOTS_INLINE))
    return begin_any(thread, site ? site->entry.id : 0,
                     (prs_class){(uint16_t)type, (uint8_t)role});
  return prs_push(thread, site->entry.id, 0);
}

/*===----------------------------------------------------------------------===*
 * Ends
 *===----------------------------------------------------------------------===*/

/* Marks the scope of another thread as dead; 0 if it is not open. */
static int take_away(prof_scope_token token, prs_ending *ending) {
  prs_thread *owner = token.thread;
  prt_acquire(&owner->lock);
  int found = is_open(owner, token);
  if (found) {
    uint32_t *number = &prs_numbers(owner->open)[token.slot];
    *ending = read_slot(owner, token.slot);
    if (!ending->number) {
      ending->number = prs_make_number();
      RT_STORE(number, ending->number);
    }
    uint32_t state = PROF_SCOPE_STATE_DEAD | PROF_SCOPE_STATE_NUMBERED;
    if (!(ending->state & PROF_SCOPE_STATE_SKIPPED))
      state |= PROF_SCOPE_STATE_MOVED;
    add_state(&owner->open->slots[token.slot], state);
    ++owner->dead;
    prs_set_slow(owner, PRS_DEAD);
  }
  prt_release(&owner->lock);
  return found;
}

/* Ends a scope of another thread; its number, or 0 if it was not open or is not
 * an event. */
static uint32_t end_elsewhere(prof_scope_token token, uint64_t now,
                              uint32_t flags, uint32_t *site) {
  prs_ending ending;
  prs_thread *thread = prs_get_thread();
  if (!take_away(token, &ending)) {
    prs_lose(PROF_SCOPE_LOSS_END, 1);
    return 0;
  }
  *site = ending.site;
  if (!thread) {
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
    return ending.number;
  }
  prs_catch_up(thread);
  if (ending.state & PROF_SCOPE_STATE_LINK)
    return 0;
  if (ending.state & PROF_SCOPE_STATE_RESUMED)
    flags |= PROF_SCOPE_FLAG_RESUMED;
  uint64_t ticks = now > ending.begin ? now - ending.begin : 0;
  if (RT_LOAD(&prs->modes) & PROF_SCOPE_STATISTICS)
    prs_count(thread, UINT32_MAX, ending.site, ticks);
  if (ending.state & PROF_SCOPE_STATE_SKIPPED)
    return 0;
  prof_scope_record_words records[] = {
      prs_make_record(PROF_SCOPE_KIND_MOVED,
                      (uint64_t)flags << 32 | ending.number,
                      (uint64_t)token.slot << 56 | (uint64_t)ending.site << 32 |
                          token.thread->number),
      prs_make_record(PROF_SCOPE_KIND_CONTINUATION, ending.begin, ticks)};
  prs_write_records(thread, records, 2);
  return ending.number;
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
    prs_count(thread, token.slot, PROF_SCOPE_SLOT_SITE(word), ticks);
  RT_RELEASE(&open->depth, token.slot);
  return 1;
}

__attribute__((noinline)) static void end_slowly(prof_scope_token token,
                                                 uint64_t now) {
  if (token.thread == PRS_SUSPENDED) {
    prof_scope_resume(&token);
    if (token.thread)
      end_slowly(token, RT_LOAD(&token.thread->open->slots[token.slot].begin));
    return;
  }
  uint32_t site;
  if (token.thread == prs_current && end_selected(token.thread, token, now))
    return;
  if (token.thread != prs_current) {
    end_elsewhere(token, now, 0, &site);
    return;
  }
  prs_catch_up(token.thread);
  if (is_open(token.thread, token))
    finish(token.thread, token.slot, now, 0, 0);
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

void prof_scope_suspend(prof_scope_token *token) {
  prs_thread *thread = token->thread;
  if (!thread)
    return;
  uint64_t now = prs_ticks();
  if (thread == PRS_SUSPENDED) {
    prs_lose(PROF_SCOPE_LOSS_RESUME, 1);
    return;
  }
  uint32_t number = 0, site = 0;
  if (thread != prs_current) {
    number = end_elsewhere(*token, now, PROF_SCOPE_FLAG_SUSPENDED, &site);
  } else {
    prs_catch_up(thread);
    if (!is_open(thread, *token)) {
      prs_lose(PROF_SCOPE_LOSS_RESUME, 1);
      return;
    }
    prs_ending ending = read_slot(thread, token->slot);
    site = ending.site;
    number = ending.number ? ending.number : prs_make_number();
    finish(thread, token->slot, now, PROF_SCOPE_FLAG_SUSPENDED, number);
    if (ending.state & (PROF_SCOPE_STATE_SKIPPED | PROF_SCOPE_STATE_LINK))
      number = 0;
  }
  prof_scope_token suspended = {PRS_SUSPENDED, site, number};
  *token = number ? suspended : none;
}

void prof_scope_resume(prof_scope_token *token) {
  if (!token->thread)
    return;
  if (token->thread != PRS_SUSPENDED) {
    prs_lose(PROF_SCOPE_LOSS_RESUME, 1);
    return;
  }
  prs_thread *thread = prs_get_thread();
  if (!thread) {
    *token = none;
    return;
  }
  prs_catch_up(thread);
  *token = push_any(thread, token->slot,
                    PROF_SCOPE_STATE_RESUMED | PROF_SCOPE_STATE_NUMBERED,
                    token->serial);
}

/*===----------------------------------------------------------------------===*
 * Contexts and intervals measured elsewhere
 *===----------------------------------------------------------------------===*/

prof_scope_context prof_scope_here(void) {
  prof_scope_context context = {0};
  prs_thread *thread = prs_current;
  if (!thread)
    return context;
  prs_catch_up(thread);
  prt_acquire(&thread->lock);
  uint32_t *numbers = prs_numbers(thread->open);
  for (uint32_t index = RT_LOAD(&thread->open->depth); index--;) {
    prof_scope_slot *slot = &thread->open->slots[index];
    uint32_t state = get_state(slot);
    if (state & (PROF_SCOPE_STATE_DEAD | PROF_SCOPE_STATE_SKIPPED))
      continue;
    if (!(state & PROF_SCOPE_STATE_NUMBERED)) {
      RT_STORE(&numbers[index], prs_make_number());
      add_state(slot, PROF_SCOPE_STATE_NUMBERED);
    }
    context.id = RT_LOAD(&numbers[index]);
    break;
  }
  prt_release(&thread->lock);
  return context;
}

prof_scope_context prof_scope_context_of(prof_scope_token token) {
  prof_scope_context context = {0};
  prs_thread *owner = token.thread;
  if (!owner || owner == PRS_SUSPENDED)
    return context;
  prt_acquire(&owner->lock);
  if (is_open(owner, token) && !(get_state(&owner->open->slots[token.slot]) &
                                 PROF_SCOPE_STATE_SKIPPED)) {
    prof_scope_slot *slot = &owner->open->slots[token.slot];
    uint32_t *number = &prs_numbers(owner->open)[token.slot];
    if (!(get_state(slot) & PROF_SCOPE_STATE_NUMBERED)) {
      RT_STORE(number, prs_make_number());
      add_state(slot, PROF_SCOPE_STATE_NUMBERED);
    }
    context.id = RT_LOAD(number);
  }
  prt_release(&owner->lock);
  return context;
}

prof_scope_token prof_scope_enter(prof_scope_context context) {
  prs_thread *thread = context.id ? prs_get_thread() : NULL;
  if (!thread)
    return none;
  prs_catch_up(thread);
  return push_any(thread, 0, PROF_SCOPE_STATE_LINK | PROF_SCOPE_STATE_NUMBERED,
                  context.id);
}

static void write_outside(prs_thread *thread, uint32_t site, int64_t begin_ns,
                          int64_t end_ns) {
  if (!site) {
    prs_lose(PROF_SCOPE_LOSS_NAME, 1);
    return;
  }
  prs_catch_up(thread);
  uint64_t duration =
      end_ns > begin_ns ? (uint64_t)end_ns - (uint64_t)begin_ns : 0;
  prof_scope_record_words records[] = {
      prs_make_record(PROF_SCOPE_KIND_OUTSIDE, site, duration),
      prs_make_record(PROF_SCOPE_KIND_CONTINUATION, 0, (uint64_t)begin_ns)};
  prs_write_records(thread, records, 2);
}

void prof_scope_record(prof_scope_site *site, int64_t begin_ns,
                       int64_t end_ns) {
  prs_thread *thread = prof_scope_is_on(site->level) ? prs_get_thread() : NULL;
  if (!thread || RT_LOAD(&prs->level) < site->level)
    return;
  uint32_t id = RT_LOAD(&site->id);
  write_outside(thread, id ? id : prs_register_site(site), begin_ns, end_ns);
}

void prof_scope_record_name(const char *name, size_t length, unsigned type,
                            unsigned level, unsigned role, int64_t begin_ns,
                            int64_t end_ns) {
  prs_thread *thread = prof_scope_is_on((int)level) ? prs_get_thread() : NULL;
  if (!thread || RT_LOAD(&prs->level) < (int32_t)level)
    return;
  const prs_site *site = prs_find_name(thread, name, length, type, level, role);
  write_outside(thread, site ? site->entry.id : 0, begin_ns, end_ns);
}
