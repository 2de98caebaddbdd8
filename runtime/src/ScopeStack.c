/*===- ScopeStack.c - Open scopes of a thread ------------------------------===*
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

void prs_push_again(prs_thread *thread, uint32_t slot, uint32_t word,
                    uint32_t serial) {
  prof_scope_slot *used = &thread->open->slots[slot];
  uint64_t whole = word | (uint64_t)serial << 32;
  /* If it is the scope's, the handler ran after the push. */
  while (RT_LOAD(&used->word) != whole) {
    RT_STORE(&used->word, whole);
    RT_RELEASE(&used->begin, prs_ticks());
    RT_RELEASE(&thread->open->depth, slot + 1);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
}

int prs_is_interrupted(void) {
  if (!prs_current || !RT_LOAD(&prs_current->is_locking))
    return 0;
  prs_lose(PROF_SCOPE_LOSS_HANDLER, 1);
  return 1;
}

int prs_lock_thread(prs_thread *owner) {
  if (prs_is_interrupted())
    return 0;
  if (prs_current)
    RT_STORE(&prs_current->is_locking, 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  prt_acquire(&owner->lock);
  return 1;
}

void prs_unlock_thread(prs_thread *owner) {
  prt_release(&owner->lock);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (prs_current)
    RT_STORE(&prs_current->is_locking, 0);
}

uint32_t prs_make_number(void) {
  uint32_t number = __atomic_add_fetch(&prs->number, 1, __ATOMIC_RELAXED);
  /* 0 is none. */
  return number ? number : prs_make_number();
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
  prof_scope_record_words records[PROF_SCOPE_COUNTS + 2];
  uint32_t count = 0;
  if (ending->state & PROF_SCOPE_STATE_COUNTING)
    count = prs_end_counts(thread, slot, records);
  uint32_t low =
      slot < PROF_SCOPE_SLOTS_INLINE ? slot : PROF_SCOPE_SLOTS_INLINE;
  uint64_t second = ticks << 32 | (uint64_t)ending->site << 8 | low;
  enum prof_scope_kind kind = PROF_SCOPE_KIND_SCOPE;
  if (flags || ending->number || ticks >> 32 || low != slot) {
    records[count++] =
        prs_make_record(PROF_SCOPE_KIND_PREFIX, (uint64_t)flags << 32 | slot,
                        ticks >> 32 << 32 | ending->number);
    kind = PROF_SCOPE_KIND_PREFIXED;
  }
  records[count++] = prs_make_record(kind, ending->begin, second);
  prs_write_records(thread, records, count);
}

/* Tells where in the order of ends the scopes in `index`, and in the dead slots
 * right below it, were ended by other threads. */
static void write_marks(prs_thread *thread, uint32_t index) {
  prof_scope_slot *slots = thread->open->slots;
  uint32_t low = index;
  while (low && prs_get_state(&slots[low - 1]) & PROF_SCOPE_STATE_MOVED)
    --low;
  for (; low <= index; ++low) {
    uint32_t state = prs_get_state(&slots[low]);
    if (!(state & PROF_SCOPE_STATE_MOVED))
      continue;
    uint64_t flags = 0;
    if (low && prs_get_state(&slots[low - 1]) & PROF_SCOPE_STATE_DEAD)
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
  while (depth &&
         prs_get_state(&open->slots[depth - 1]) & PROF_SCOPE_STATE_DEAD) {
    /* Another thread that marks it as dead tells the rest under the lock. */
    prs_lock_thread(thread);
    prs_unlock_thread(thread);
    write_marks(thread, depth - 1);
    prs_count_popped(thread, depth - 1);
    RT_RELEASE(&open->depth, --depth);
    ++popped;
  }
  prs_lock_thread(thread);
  thread->dead -= popped < thread->dead ? popped : thread->dead;
  if (!depth)
    thread->dead = 0;
  if (!thread->dead)
    prs_clear_slow(thread, PRS_DEAD);
  prs_unlock_thread(thread);
}

void prs_catch_up(prs_thread *thread) {
  uint32_t slow = RT_LOAD(&thread->slow);
  if (slow & PRS_REFRESH)
    prs_refresh(thread);
  if (slow & PRS_DEAD)
    clean(thread);
}

int prs_is_open(prs_thread *thread, prof_scope_token token) {
  if (token.slot >= RT_LOAD(&thread->open->depth))
    return 0;
  uint64_t word = RT_LOAD(&thread->open->slots[token.slot].word);
  return PROF_SCOPE_SLOT_SERIAL(word) == token.serial &&
         !(PROF_SCOPE_SLOT_STATE(word) & PROF_SCOPE_STATE_DEAD);
}

prs_ending prs_read_slot(prs_thread *thread, uint32_t index) {
  const prof_scope_slot *slot = &thread->open->slots[index];
  uint64_t word = RT_LOAD(&slot->word);
  prs_ending ending = {RT_LOAD(&slot->begin), PROF_SCOPE_SLOT_SITE(word),
                       PROF_SCOPE_SLOT_STATE(word), 0,
                       PROF_SCOPE_SLOT_SERIAL(word)};
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
  prs_lock_thread(thread);
  add_state(&open->slots[index], PROF_SCOPE_STATE_DEAD);
  ++thread->dead;
  prs_set_slow(thread, PRS_DEAD);
  prs_unlock_thread(thread);
}

void prs_finish(prs_thread *thread, uint32_t index, uint64_t now,
                uint32_t flags, uint32_t number) {
  prof_scope_slot *slots = thread->open->slots;
  prs_ending ending = prs_read_slot(thread, index);
  if (number)
    ending.number = number;
  uint64_t ticks = now > ending.begin ? now - ending.begin : 0;
  if (index + 1 != RT_LOAD(&thread->open->depth))
    flags |= PROF_SCOPE_FLAG_OVERLAP;
  if (ending.state & PROF_SCOPE_STATE_RESUMED)
    flags |= PROF_SCOPE_FLAG_RESUMED;
  if (index && prs_get_state(&slots[index - 1]) & PROF_SCOPE_STATE_DEAD) {
    write_marks(thread, index - 1);
    flags |= PROF_SCOPE_FLAG_ORPHAN;
  }
  /* Nobody asked for what began after the stop. */
  if (PRS_UNLIKELY(!RT_LOAD(&prs->sessions) &&
                   ending.begin > RT_LOAD(&prs->stop_ticks))) {
    drop(thread, index);
    return;
  }
  int has_statistics = RT_LOAD(&prs->modes) & PROF_SCOPE_STATISTICS;
  if (ending.state & PROF_SCOPE_STATE_LINK) {
    prof_scope_record_words record = prs_make_record(
        PROF_SCOPE_KIND_LINK, (uint64_t)flags << 32 | index, ending.number);
    prs_write_records(thread, &record, 1);
    if (has_statistics)
      prs_count_link(thread, index, ending.serial);
  } else {
    if (!(ending.state & PROF_SCOPE_STATE_SKIPPED))
      write_scope(thread, index, &ending, ticks, flags);
    if (has_statistics)
      prs_count(thread, index, &ending, ticks, now, flags);
  }
  drop(thread, index);
}

prof_scope_token prs_push_any(prs_thread *thread, uint32_t site, uint32_t state,
                              uint32_t number, uint32_t counting) {
  static const prof_scope_token none;
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
    prs_clear_inside(thread, depth);
  if (counting && !(state & PROF_SCOPE_STATE_SKIPPED) &&
      prs_begin_counts(thread, depth, counting))
    state |= PROF_SCOPE_STATE_COUNTING;
  return prs_push(thread, site, state);
}

/* Marks an open scope as dead, if it is still that one: where its thread ends
 * it at the same time, another may be in its slot. */
static int claim(prs_thread *owner, prof_scope_token token) {
  prof_scope_slot *slot = &owner->open->slots[token.slot];
  uint64_t word = RT_LOAD(&slot->word);
  uint64_t dead = (uint64_t)PROF_SCOPE_STATE_DEAD << PROF_SCOPE_SITE_BITS;
  while (PROF_SCOPE_SLOT_SERIAL(word) == token.serial && !(word & dead))
    if (__atomic_compare_exchange_n(&slot->word, &word, word | dead, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return 1;
  return 0;
}

int prs_take_away(prof_scope_token token, uint64_t now, prs_ending *ending,
                  prs_inside *inside) {
  prs_thread *owner = token.thread;
  if (!prs_lock_thread(owner))
    return 0;
  int found = prs_is_open(owner, token) && claim(owner, token);
  if (found) {
    uint32_t *number = &prs_numbers(owner->open)[token.slot];
    *ending = prs_read_slot(owner, token.slot);
    if (!ending->number) {
      ending->number = prs_make_number();
      RT_STORE(number, ending->number);
    }
    *inside = prs_take_inside(owner, token.slot, ending, now);
    ending->state &= ~(uint32_t)PROF_SCOPE_STATE_DEAD;
    uint32_t state = PROF_SCOPE_STATE_NUMBERED;
    if (!(ending->state & PROF_SCOPE_STATE_SKIPPED))
      state |= PROF_SCOPE_STATE_MOVED;
    add_state(&owner->open->slots[token.slot], state);
    ++owner->dead;
    prs_set_slow(owner, PRS_DEAD);
  }
  prs_unlock_thread(owner);
  return found;
}
