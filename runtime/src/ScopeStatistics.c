/*===- ScopeStatistics.c - Sums and histograms of scopes -------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

int prs_reserve_inside(prs_thread *thread) {
  uint32_t capacity = thread->open->capacity;
  prt_acquire(&prs->lock);
  prs_inside *inside = prs_allocate(capacity * sizeof *inside);
  prt_release(&prs->lock);
  if (!inside)
    return 0;
  if (thread->inside_capacity)
    prt_copy(inside, thread->inside, thread->inside_capacity * sizeof *inside);
  thread->inside = inside;
  thread->inside_capacity = capacity;
  return 1;
}

static prof_scope_statistics *add_block(prs_thread *thread) {
  prof_scope_statistics *made = (prof_scope_statistics *)prs_make_block(
      PROF_SCOPE_BLOCK_STATISTICS, PRS_ROWS_BLOCK, thread->number);
  if (!made)
    return NULL;
  if (!prs_keep(thread, &made->block)) {
    prs_free_block(&made->block);
    return NULL;
  }
  made->generation = thread->generation;
  thread->statistics = made;
  return made;
}

static prof_scope_row *add_row(prs_thread *thread, uint32_t site) {
  if (site >= thread->sites && !prs_grow_sites(thread, site))
    return NULL;
  prt_acquire(&prs->lock);
  prof_scope_statistics *block = thread->statistics;
  if (!block || sizeof *block + (block->used + 1) * sizeof(prof_scope_row) >
                    block->block.size)
    block = add_block(thread);
  prof_scope_row *row = NULL;
  if (block) {
    row = &block->rows[block->used];
    row->site = site;
    row->min = UINT64_MAX;
    thread->rows[site] = row;
    RT_RELEASE(&block->used, block->used + 1);
  }
  prt_release(&prs->lock);
  return row;
}

/* Word by word: a wide read of words that were just written waits for them. */
static void add(uint64_t *word, uint64_t value) {
  RT_STORE(word, RT_LOAD(word) + value);
}

static void add_call(prof_scope_row *row, uint64_t ticks,
                     const prs_inside *inside) {
  uint64_t other = RT_LOAD(&inside->ticks);
  uint64_t self = ticks > other ? ticks - other : 0;
  uint32_t *count = &row->counts[get_bucket(ticks)];
  RT_STORE(&row->sequence, row->sequence + 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  RT_RELEASE(&row->calls, RT_LOAD(&row->calls) + 1);
  add(&row->total, ticks);
  add(&row->self, self);
  if (ticks < RT_LOAD(&row->min))
    RT_STORE(&row->min, ticks);
  if (ticks > RT_LOAD(&row->max))
    RT_STORE(&row->max, ticks);
  add(&row->children, RT_LOAD(&inside->children));
  add(&row->inside, RT_LOAD(&inside->inside));
  RT_STORE(count, RT_LOAD(count) + 1);
  RT_RELEASE(&row->sequence, row->sequence + 1);
}

void prs_count(prs_thread *thread, uint32_t slot, uint32_t site,
               uint64_t ticks) {
  static const prs_inside nothing;
  const prs_inside *inside =
      slot < thread->inside_capacity ? &thread->inside[slot] : &nothing;
  if (slot && slot <= thread->inside_capacity) {
    prs_inside *around = &thread->inside[slot - 1];
    add(&around->ticks, ticks);
    add(&around->children, 1);
    add(&around->inside, 1 + RT_LOAD(&inside->inside));
  }
  prof_scope_row *row = site < thread->sites ? thread->rows[site] : NULL;
  if (PRS_UNLIKELY(!row) && !(row = add_row(thread, site))) {
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
    return;
  }
  add_call(row, ticks, inside);
}
