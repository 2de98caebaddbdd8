/*===- ScopeStatistics.c - Sums and histograms of scopes -------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Sums are those of the events of the same scopes: a call is all parts of a
 * suspended scope, in the generation and on the thread in which the first one
 * began, and its self time is without the children that its thread began, for
 * the time that they share. A thread's slots hold the sums of what has ended
 * inside of them; those of contexts go to the scope around when they end.
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#define PRS_ROWS_BLOCK (UINT64_C(64) << 10)
/* Buckets an octave; a duration differs from the middle of its bucket by at
 * most 1/16. */
#define PRS_STEPS 8

static uint32_t get_bucket(uint64_t ticks) {
  if (ticks < PRS_STEPS)
    return (uint32_t)ticks;
  uint32_t shift = (uint32_t)(63 - __builtin_clzll(ticks)) - 3;
  return PRS_STEPS * shift + (uint32_t)(ticks >> shift);
}

#define PRS_NOTHING UINT32_MAX

int prs_reserve_inside(prs_thread *thread) {
  uint32_t capacity = thread->open->capacity;
  prt_acquire(&prs->lock);
  prs_inside *inside = prs_allocate(capacity * sizeof *inside);
  if (inside) {
    /* Others charge what they end. */
    prt_acquire(&thread->lock);
    if (thread->inside_capacity)
      prt_copy(inside, thread->inside,
               thread->inside_capacity * sizeof *inside);
    thread->inside = inside;
    thread->inside_capacity = capacity;
    prt_release(&thread->lock);
  }
  prt_release(&prs->lock);
  return inside != NULL;
}

/*===----------------------------------------------------------------------===*
 * Rows
 *===----------------------------------------------------------------------===*/

/* The thread and the generation in which a call began. */
typedef struct prs_origin {
  uint32_t thread;
  uint32_t generation;
} prs_origin;

static prof_scope_statistics *add_block(prs_thread *thread, prs_origin origin) {
  prof_scope_statistics *made = (prof_scope_statistics *)prs_make_block(
      PROF_SCOPE_BLOCK_STATISTICS, PRS_ROWS_BLOCK, origin.thread);
  if (!made)
    return NULL;
  if (!prs_keep(thread, &made->block)) {
    prs_free_block(&made->block);
    return NULL;
  }
  made->generation = origin.generation;
  return made;
}

static int has_room(const prof_scope_statistics *block) {
  return sizeof *block + (block->used + UINT64_C(1)) * sizeof(prof_scope_row) <=
         block->block.size;
}

static prof_scope_row *add_row(prof_scope_statistics *block, uint32_t site) {
  prof_scope_row *row = &block->rows[block->used];
  row->site = site;
  row->min = UINT64_MAX;
  RT_RELEASE(&block->used, block->used + 1);
  return row;
}

/* The thread's own row in its present generation, or null. */
static prof_scope_row *add_own_row(prs_thread *thread, uint32_t site) {
  if (site >= thread->sites && !prs_grow_sites(thread, site))
    return NULL;
  prt_acquire(&prs->lock);
  if (!thread->statistics || !has_room(thread->statistics))
    thread->statistics =
        add_block(thread, (prs_origin){thread->number, thread->generation});
  prof_scope_row *row =
      thread->statistics ? add_row(thread->statistics, site) : NULL;
  thread->rows[site] = row;
  prt_release(&prs->lock);
  return row;
}

/* The row of calls that began elsewhere, or in a generation before. */
static prof_scope_row *find_row(prs_thread *thread, prs_origin origin,
                                uint32_t site) {
  prof_scope_row *row = NULL;
  prof_scope_statistics *free = NULL;
  prt_acquire(&prs->lock);
  for (prs_memory *entry = thread->blocks; entry && !row; entry = entry->next) {
    prof_scope_statistics *block = (prof_scope_statistics *)entry->block;
    if (block->block.kind != PROF_SCOPE_BLOCK_STATISTICS ||
        block->block.thread != origin.thread ||
        block->generation != origin.generation)
      continue;
    for (uint32_t index = 0; index < block->used && !row; ++index)
      if (block->rows[index].site == site)
        row = &block->rows[index];
    if (has_room(block))
      free = block;
  }
  if (!row && (free || (free = add_block(thread, origin))))
    row = add_row(free, site);
  prt_release(&prs->lock);
  return row;
}

static prof_scope_row *get_row(prs_thread *thread, prs_origin origin,
                               uint32_t site) {
  if (origin.thread != thread->number ||
      origin.generation != thread->generation)
    return find_row(thread, origin, site);
  prof_scope_row *row = site < thread->sites ? thread->rows[site] : NULL;
  return row ? row : add_own_row(thread, site);
}

/* Word by word: a wide read of words that were just written waits for them. */
static void add(uint64_t *word, uint64_t value) {
  RT_STORE(word, RT_LOAD(word) + value);
}

static void add_call(prof_scope_row *row, uint64_t ticks, uint64_t self,
                     uint64_t children, uint64_t inside) {
  uint32_t *count = &row->counts[get_bucket(ticks)];
  RT_STORE(&row->sequence, row->sequence + 1);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  RT_RELEASE(&row->calls, RT_LOAD(&row->calls) + 1);
  add(&row->total, ticks);
  add(&row->self, self);
  if (ticks < RT_LOAD(&row->min))
    RT_STORE(&row->min, ticks);
  if (ticks > RT_LOAD(&row->max))
    RT_STORE(&row->max, ticks);
  add(&row->children, children);
  add(&row->inside, inside);
  /* Saturates. */
  RT_STORE(count, RT_LOAD(count) + (RT_LOAD(count) != UINT32_MAX));
  RT_RELEASE(&row->sequence, row->sequence + 1);
}

static uint64_t subtract(uint64_t ticks, uint64_t other) {
  return ticks > other ? ticks - other : 0;
}

/*===----------------------------------------------------------------------===*
 * What is inside of a slot
 *===----------------------------------------------------------------------===*/

static void add_inside(prs_inside *to, uint64_t ticks, uint64_t children,
                       uint64_t inside) {
  add(&to->ticks, ticks);
  add(&to->children, children);
  add(&to->inside, inside);
}

static int is_dead(uint64_t word) {
  return PROF_SCOPE_SLOT_STATE(word) & PROF_SCOPE_STATE_DEAD;
}

static int is_link(uint64_t word) {
  return PROF_SCOPE_SLOT_STATE(word) & PROF_SCOPE_STATE_LINK;
}

/* The slot around `slot` that is charged with it, or PRS_NOTHING. */
static uint32_t find_around(prs_thread *thread, uint32_t slot) {
  while (slot--) {
    uint64_t word = RT_LOAD(&thread->open->slots[slot].word);
    if (!is_dead(word))
      return slot < thread->inside_capacity &&
                     thread->inside[slot].serial == PROF_SCOPE_SLOT_SERIAL(word)
                 ? slot
                 : PRS_NOTHING;
    if (!is_link(word))
      return PRS_NOTHING;
  }
  return PRS_NOTHING;
}

static void charge(prs_thread *thread, uint32_t slot, uint64_t ticks,
                   uint64_t children, uint64_t inside) {
  uint32_t around = find_around(thread, slot);
  if (around != PRS_NOTHING)
    add_inside(&thread->inside[around], ticks, children, inside);
}

/* Adds what lies above `slot` and what it has not been charged with. */
static void add_above(prs_thread *thread, uint32_t slot, uint64_t now,
                      prs_inside *sums) {
  uint32_t depth = RT_LOAD(&thread->open->depth);
  while (++slot < depth && slot < thread->inside_capacity) {
    const prof_scope_slot *open = &thread->open->slots[slot];
    uint64_t word = RT_LOAD(&open->word), begin = RT_LOAD(&open->begin);
    const prs_inside *inside = &thread->inside[slot];
    uint32_t serial = PROF_SCOPE_SLOT_SERIAL(word);
    if (RT_LOAD(&inside->serial) != serial)
      return;
    int is_charged = !is_dead(word) || inside->charged_serial == serial;
    uint64_t within = RT_LOAD(&inside->inside);
    if (!is_link(word)) {
      if (is_charged)
        add_inside(sums, is_dead(word) ? inside->charge : subtract(now, begin),
                   1, 1 + (is_dead(word) ? inside->charged_inside : within));
      return;
    }
    if (is_charged)
      add_inside(sums, RT_LOAD(&inside->ticks), RT_LOAD(&inside->children),
                 within);
  }
}

static int is_valid(const prs_thread *thread, uint32_t slot, uint32_t serial) {
  return slot < thread->inside_capacity &&
         RT_LOAD(&thread->inside[slot].serial) == serial;
}

/*===----------------------------------------------------------------------===*
 * Suspended scopes
 *===----------------------------------------------------------------------===*/

static prs_pending *take_pending(uint32_t number) {
  prs_pending **at = &prs->pending[number % PRS_PENDING];
  while (*at && (*at)->number != number)
    at = &(*at)->next;
  prs_pending *found = *at;
  if (found)
    *at = found->next;
  return found;
}

static void give_pending(prs_pending *pending, prs_pending **to) {
  pending->next = *to;
  *to = pending;
}

void prs_forget_pending(void) {
  for (uint32_t bucket = 0; bucket < PRS_PENDING; ++bucket)
    while (prs->pending[bucket]) {
      prs_pending *first = prs->pending[bucket];
      prs->pending[bucket] = first->next;
      give_pending(first, &prs->spare_pending);
    }
}

static void add_part(prs_pending *to, const prs_pending *part) {
  to->ticks += part->ticks;
  to->self += part->self;
  to->children += part->children;
  to->inside += part->inside;
}

static void count_call(prs_thread *thread, uint32_t site,
                       const prs_pending *call) {
  prof_scope_row *row =
      get_row(thread, (prs_origin){call->thread, call->generation}, site);
  if (row)
    add_call(row, call->ticks, call->self, call->children, call->inside);
  else
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
}

/* Adds a part to those before, if there are any; 1 if the call is complete. */
static int join_parts(prs_pending *part, uint32_t flags) {
  prt_acquire(&prs->lock);
  prs_pending *before =
      flags & PROF_SCOPE_FLAG_RESUMED ? take_pending(part->number) : NULL;
  if (before) {
    add_part(before, part);
    *part = *before;
  }
  if (flags & PROF_SCOPE_FLAG_SUSPENDED) {
    if (!before && (before = prs->spare_pending))
      prs->spare_pending = before->next;
    if (!before)
      before = prs_allocate(sizeof *before);
    if (before) {
      *before = *part;
      give_pending(before, &prs->pending[part->number % PRS_PENDING]);
    } else {
      prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
    }
  } else if (before) {
    give_pending(before, &prs->spare_pending);
  }
  prt_release(&prs->lock);
  return !(flags & PROF_SCOPE_FLAG_SUSPENDED);
}

static void count_part(prs_thread *thread, uint32_t owner,
                       const prs_inside *inside, const prs_ending *ending,
                       uint64_t ticks, uint32_t flags) {
  prs_pending part = {NULL,
                      ending->number,
                      owner,
                      inside->generation,
                      ticks,
                      subtract(ticks, inside->ticks),
                      inside->children,
                      inside->inside};
  int has_parts = flags & (PROF_SCOPE_FLAG_SUSPENDED | PROF_SCOPE_FLAG_RESUMED);
  if (!has_parts || join_parts(&part, flags))
    count_call(thread, ending->site, &part);
}

/*===----------------------------------------------------------------------===*
 * Ends
 *===----------------------------------------------------------------------===*/

void prs_count_top(prs_thread *thread, uint32_t slot, uint32_t site,
                   uint32_t serial, uint64_t ticks) {
  if (PRS_UNLIKELY(!is_valid(thread, slot, serial)))
    return;
  const prs_inside *inside = &thread->inside[slot];
  uint64_t other = RT_LOAD(&inside->ticks), within = RT_LOAD(&inside->inside);
  if (slot)
    charge(thread, slot, ticks, 1, 1 + within);
  prs_origin origin = {thread->number, inside->generation};
  prof_scope_row *row = get_row(thread, origin, site);
  if (PRS_UNLIKELY(!row)) {
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
    return;
  }
  add_call(row, ticks, subtract(ticks, other), RT_LOAD(&inside->children),
           within);
}

void prs_count(prs_thread *thread, uint32_t slot, const prs_ending *ending,
               uint64_t ticks, uint64_t now, uint32_t flags) {
  if (!is_valid(thread, slot, ending->serial))
    return;
  prs_inside sums = thread->inside[slot];
  add_above(thread, slot, now, &sums);
  charge(thread, slot, ticks, 1, 1 + sums.inside);
  count_part(thread, thread->number, &sums, ending, ticks, flags);
}

void prs_count_link(prs_thread *thread, uint32_t slot, uint32_t serial) {
  if (!is_valid(thread, slot, serial))
    return;
  const prs_inside *inside = &thread->inside[slot];
  charge(thread, slot, inside->ticks, inside->children, inside->inside);
}

prs_inside prs_take_inside(prs_thread *owner, uint32_t slot,
                           const prs_ending *ending, uint64_t now) {
  prs_inside sums = {0};
  if (!(RT_LOAD(&prs->modes) & PROF_SCOPE_STATISTICS) ||
      !is_valid(owner, slot, ending->serial))
    return sums;
  prs_inside *inside = &owner->inside[slot];
  sums.serial = ending->serial;
  sums.generation = RT_LOAD(&inside->generation);
  sums.ticks = RT_LOAD(&inside->ticks);
  sums.children = RT_LOAD(&inside->children);
  sums.inside = RT_LOAD(&inside->inside);
  if (!(ending->state & PROF_SCOPE_STATE_LINK))
    add_above(owner, slot, now, &sums);
  inside->charge = subtract(now, ending->begin);
  inside->charged_inside = sums.inside;
  inside->charged_serial = ending->serial;
  return sums;
}

void prs_count_taken(prs_thread *thread, const prs_thread *owner,
                     const prs_inside *inside, const prs_ending *ending,
                     uint64_t ticks, uint32_t flags) {
  if (inside->serial == ending->serial)
    count_part(thread, owner->number, inside, ending, ticks, flags);
}

void prs_count_popped(prs_thread *thread, uint32_t slot) {
  uint64_t word = RT_LOAD(&thread->open->slots[slot].word);
  uint32_t serial = PROF_SCOPE_SLOT_SERIAL(word);
  if (!is_valid(thread, slot, serial) ||
      thread->inside[slot].charged_serial != serial)
    return;
  prs_inside *inside = &thread->inside[slot];
  inside->charged_serial = serial - 1;
  if (is_link(word))
    charge(thread, slot, inside->ticks, inside->children, inside->inside);
  else
    charge(thread, slot, inside->charge, 1, 1 + inside->charged_inside);
}

void prs_count_outside(prs_thread *thread, uint32_t site, uint64_t ticks) {
  prof_scope_row *row =
      get_row(thread, (prs_origin){thread->number, thread->generation}, site);
  if (row)
    add_call(row, ticks, ticks, 0, 0);
  else
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
}
