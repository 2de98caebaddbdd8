/*===- Values.c - Tables of observed values --------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

/*===----------------------------------------------------------------------===*
 * Tables: entries are added under the module's lock, and found and counted
 * without one. So a reset does not free them: they are put aside, and used
 * again after the next reset at the earliest.
 *===----------------------------------------------------------------------===*/

static uint64_t hash_tuple(const int64_t *tuple, uint32_t length) {
  uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) + length;
  for (uint32_t index = 0; index < length; ++index) {
    hash = (hash ^ (uint64_t)tuple[index]) * UINT64_C(0xbf58476d1ce4e5b9);
    hash ^= hash >> 29;
  }
  return hash;
}

static prt_tuple *find(prt_table *table, uint64_t hash, const int64_t *tuple) {
  prt_tuple *entry = RT_ACQUIRE(&table->buckets[hash % RT_BUCKETS]);
  for (; entry; entry = entry->next) {
    if (entry->hash != hash)
      continue;
    uint32_t index = 0;
    while (index < table->length && entry->values[index] == tuple[index])
      ++index;
    if (index == table->length)
      return entry;
  }
  return NULL;
}

/* Under the module's lock. Null if the table is full or memory is exhausted. */
static prt_tuple *insert(prt_table *table, uint64_t hash,
                         const int64_t *tuple) {
  if (table->tuples == PROF_RT_TUPLES)
    return NULL;
  uint64_t size = sizeof(int64_t) * (uint64_t)table->length;
  prt_tuple *entry = table->unused;
  if (entry)
    table->unused = entry->aside;
  else
    entry = prt_allocate(sizeof(prt_tuple) + size);
  if (!entry) {
    prt_lose(PROF_RAW_LOSS_VALUE);
    return NULL;
  }
  entry->hash = hash;
  RT_STORE(&entry->count, 0);
  if (size)
    prt_copy(entry->values, tuple, (size_t)size);
  prt_tuple **bucket = &table->buckets[hash % RT_BUCKETS];
  entry->next = *bucket;
  RT_RELEASE(bucket, entry);
  RT_RELEASE(&table->tuples, table->tuples + 1);
  return entry;
}

static void observe(prt_module *module, uint32_t number, const int64_t *tuple,
                    uint64_t count) {
  prt_table *table = &module->table[number];
  uint64_t hash = hash_tuple(tuple, table->length);
  /* Before the search: an entry that another thread adds last is found, or
   * searched again under the lock. */
  int is_full = RT_ACQUIRE(&table->tuples) == PROF_RT_TUPLES;
  prt_tuple *entry = find(table, hash, tuple);
  if (!entry && !is_full) {
    prt_acquire(&module->lock);
    entry = find(table, hash, tuple);
    if (!entry)
      entry = insert(table, hash, tuple);
    prt_release(&module->lock);
  }
  RT_ADD(entry ? &entry->count : &table->other, count);
}

/* Moves the list `from` to the front of `to`. */
static void append_aside(prt_tuple **to, prt_tuple *from) {
  while (from) {
    prt_tuple *entry = from;
    from = entry->aside;
    entry->aside = *to;
    *to = entry;
  }
}

static void reset_table(prt_table *table) {
  append_aside(&table->unused, table->old);
  table->old = NULL;
  for (uint32_t bucket = 0; bucket < RT_BUCKETS; ++bucket) {
    /* A thread that searches the bucket still reaches its end. */
    for (prt_tuple *entry = table->buckets[bucket]; entry;
         entry = entry->next) {
      entry->aside = table->old;
      table->old = entry;
    }
    RT_RELEASE(&table->buckets[bucket], NULL);
  }
  RT_STORE(&table->tuples, 0);
  RT_STORE(&table->other, 0);
}

void prt_reset_tables(prt_module *module) {
  prt_acquire(&module->lock);
  for (uint32_t number = 0; number < module->tables; ++number)
    reset_table(&module->table[number]);
  prt_release(&module->lock);
}

/*===----------------------------------------------------------------------===*
 * Cells: COUNT is the owner's, all else is under the block's lock
 *===----------------------------------------------------------------------===*/

/* Moves the observations counted in a cell since the last time. */
static void flush_cell(prt_block *block, uint32_t table) {
  int64_t *cell = block->slots + block->module->cells[table];
  int64_t count = RT_LOAD(&cell[PROF_RT_CELL_COUNT]);
  if (count > block->flushed[table])
    observe(block->module, table, cell + PROF_RT_CELL_TUPLE,
            (uint64_t)(count - block->flushed[table]));
  block->flushed[table] = count;
}

void prt_flush_cells(prt_block *block) {
  prt_acquire(&block->cells_lock);
  for (uint32_t table = 0; table < block->module->tables; ++table)
    flush_cell(block, table);
  prt_release(&block->cells_lock);
}

void prof_rt_value_changed(prof_rt_module *module, uint32_t table,
                           int64_t *cell) {
  prt_module *known = RT_ACQUIRE(&module->state);
  prt_block *block =
      known && table < known->tables ? prt_get_block(known) : NULL;
  if (!block || cell != block->slots + known->cells[table]) {
    prt_lose(PROF_RAW_LOSS_VALUE);
    return;
  }
  int64_t *tuple = cell + PROF_RT_CELL_TUPLE;
  uint32_t length = known->table[table].length;
  prt_acquire(&block->cells_lock);
  flush_cell(block, table);
  for (uint32_t index = 0; index < length; ++index)
    tuple[index] = tuple[length + index];
  RT_STORE(&cell[PROF_RT_CELL_COUNT], 1);
  block->flushed[table] = 0;
  prt_release(&block->cells_lock);
}

void prof_rt_value(prof_rt_module *module, uint32_t table, uint32_t length,
                   const int64_t *tuple) {
  prt_module *known = RT_ACQUIRE(&module->state);
  if (!known)
    known = prt_register(module);
  if (table >= known->tables || length != known->table[table].length)
    prt_lose(PROF_RAW_LOSS_VALUE);
  else
    observe(known, table, tuple, 1);
}
