/*===- Registry.c - Modules, threads and their blocks ----------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

prt_state prt;

/* The `state` of a module that cannot be registered: it does not have probes or
 * tables, so that nothing in the module is measured, and registration is not
 * tried again. */
static prt_module refused;

/*===----------------------------------------------------------------------===*
 * Modules
 *===----------------------------------------------------------------------===*/

/* Number of words in a block of this module after its header, or 0 if they are
 * too many. */
static uint32_t count_words(const prof_rt_module *module) {
  uint64_t words = (uint64_t)module->probes * (PROF_RT_SLOT_WORDS + 1);
  for (uint32_t table = 0; table < module->tables; ++table)
    words += PROF_RT_CELL_WORDS((uint64_t)module->tuple_lengths[table]);
  return words < UINT32_MAX / 32 ? (uint32_t)words : 0;
}

static int allocate_probes(prt_module *made, const prof_rt_module *module) {
  uint32_t probes = module->probes;
  made->parents = prt_allocate_array(probes, sizeof(uint32_t));
  made->recorded = prt_allocate_array(probes, sizeof(uint32_t));
  made->ended = prt_allocate_array(probes, sizeof(prof_raw_slot));
  made->derived = prt_allocate_array(probes, sizeof(prof_raw_slot));
  made->children = prt_allocate_array(probes, 4 * sizeof(int64_t));
  if (!made->parents || !made->recorded || !made->ended || !made->derived ||
      !made->children)
    return 0;
  for (uint32_t probe = 0; probe < probes; ++probe) {
    uint32_t parent =
        module->parents ? module->parents[probe] : PROF_RT_NO_PARENT;
    made->parents[probe] = parent < probe ? parent : PROF_RT_NO_PARENT;
  }
  return 1;
}

static int allocate_tables(prt_module *made, const prof_rt_module *module) {
  made->table = prt_allocate_array(module->tables, sizeof(prt_table));
  made->cells = prt_allocate_array(module->tables, sizeof(uint32_t));
  if (!made->table || !made->cells)
    return 0;
  uint32_t position = module->probes * PROF_RT_SLOT_WORDS;
  for (uint32_t table = 0; table < module->tables; ++table) {
    made->table[table].length = module->tuple_lengths[table];
    made->cells[table] = position;
    position += PROF_RT_CELL_WORDS(module->tuple_lengths[table]);
  }
  return 1;
}

/* `count` places; a number without one names itself. */
static int copy_places(const uint64_t *places, uint32_t count,
                       uint64_t **made) {
  if (!places || !count)
    return 1;
  *made = prt_allocate_array(count, sizeof(uint64_t));
  if (!*made)
    return 0;
  prt_copy(*made, places, count * sizeof(uint64_t));
  return 1;
}

static int copy_all_places(prt_module *made, const prof_rt_module *module) {
  int is_listed = module->probe_places || module->table_places;
  made->listed_probes = is_listed ? module->listed_probes : module->probes;
  made->listed_tables = is_listed ? module->listed_tables : module->tables;
  return copy_places(module->probe_places, module->probes,
                     &made->probe_places) &&
         copy_places(module->table_places, module->tables, &made->table_places);
}

/* Copies everything that is read later: the module may be unloaded before. */
static prt_module *make_module(const prof_rt_module *module) {
  /* In another version, all fields but the first have other meanings. */
  if (module->abi != PROF_RT_ABI || (module->tables && !module->tuple_lengths))
    return NULL;
  uint32_t words = count_words(module);
  prt_module *made = prt_allocate(sizeof(prt_module));
  if (!made || (!words && (module->probes || module->tables)))
    return NULL;
  made->abi = module->abi;
  made->probes = module->probes;
  made->tables = module->tables;
  made->instances = module->instances;
  made->words = words;
  made->open = words - module->probes;
  made->code = (uint64_t)(uintptr_t)module->code;
  char *metadata = prt_allocate(module->metadata_size);
  if (!metadata || !allocate_probes(made, module) ||
      !allocate_tables(made, module) || !copy_all_places(made, module))
    return NULL;
  if (module->metadata_size)
    prt_copy(metadata, module->metadata, (size_t)module->metadata_size);
  made->metadata = metadata;
  made->metadata_size = module->metadata_size;
  return made;
}

static void add_module(prt_module *made) {
  made->index = prt.module_count++;
  if (prt.last_module)
    prt.last_module->next = made;
  else
    prt.modules = made;
  prt.last_module = made;
}

prt_module *prt_register(prof_rt_module *module) {
  prt_acquire(&prt.registry);
  if (!prt.started) {
    prt.started = 1;
    prt_start();
    prt_measure_inline_cost();
  }
  prt_module *known = module->state;
  if (!known) {
    known = make_module(module);
    if (known) {
      if (known->instances && !prt.clock.instance)
        prt_measure_instance_cost();
      add_module(known);
    } else {
      known = &refused;
      prt_lose(PROF_RAW_LOSS_MODULE);
    }
    RT_RELEASE(&module->state, (void *)known);
  }
  prt_release(&prt.registry);
  return known;
}

/*===----------------------------------------------------------------------===*
 * Threads
 *===----------------------------------------------------------------------===*/

/* Keeps the data in records of ended threads. */
static int note_ended(const prt_thread *thread) {
  prt_ended *last = prt.ended;
  if (!last || last->used == RT_ENDED) {
    if (!(last = prt_allocate(sizeof(prt_ended))))
      return 0;
    last->next = prt.ended;
    prt.ended = last;
  }
  last->threads[last->used].number = thread->number;
  last->threads[last->used++].id = thread->id;
  return 1;
}

/* A record whose thread has ended, with its measurements saved; or null. */
static prt_thread *take_over(void) {
  for (prt_thread *thread = prt.threads; thread; thread = thread->next) {
    if (!RT_ACQUIRE(&thread->ended))
      continue;
    if (!note_ended(thread))
      continue;
    for (uint32_t index = 0; index < thread->capacity; ++index)
      if (thread->blocks[index])
        prt_retire(thread->blocks[index]);
    return thread;
  }
  return NULL;
}

static prt_thread *add_thread(void) {
  prt_thread *thread = take_over();
  if (!thread) {
    if (!(thread = prt_allocate(sizeof(prt_thread))))
      return NULL;
    if (prt.last_thread)
      prt.last_thread->next = thread;
    else
      prt.threads = thread;
    prt.last_thread = thread;
  }
  thread->number = prt.thread_count++;
  thread->id = prt_thread_id();
  RT_RELEASE(&thread->ended, 0);
  if (prt_set_thread(thread))
    return thread;
  RT_RELEASE(&thread->ended, 1);
  return NULL;
}

static int grow_thread(prt_thread *thread, uint32_t index) {
  if (index < thread->capacity)
    return 1;
  uint32_t capacity = index + 8;
  prt_block **blocks = prt_allocate_array(capacity, sizeof(prt_block *));
  if (!blocks)
    return 0;
  if (thread->capacity)
    prt_copy(blocks, thread->blocks, thread->capacity * sizeof(prt_block *));
  thread->blocks = blocks;
  thread->capacity = capacity;
  return 1;
}

static prt_block *add_block(prt_thread *thread, prt_module *module) {
  if (!grow_thread(thread, module->index))
    return NULL;
  prt_block *block = prt_allocate(sizeof(prt_block));
  int64_t *words = prt_allocate_array(
      (uint64_t)module->words + PROF_RT_HEADER_WORDS, sizeof(int64_t));
  int64_t *baseline = prt_allocate_array(
      (uint64_t)module->probes * PROF_RT_SLOT_WORDS, sizeof(int64_t));
  int64_t *flushed = prt_allocate_array(module->tables, sizeof(int64_t));
  if (!block || !words || !baseline || !flushed)
    return NULL;
  block->module = module;
  block->thread = thread;
  block->epoch = prt.epoch;
  block->slots = words + PROF_RT_HEADER_WORDS;
  block->baseline = baseline;
  block->flushed = flushed;
  block->next = module->blocks;
  module->blocks = block;
  thread->blocks[module->index] = block;
  return block;
}

/*===----------------------------------------------------------------------===*
 * The calling thread's block
 *===----------------------------------------------------------------------===*/

static prt_block *find_block(prt_module *module) {
  prt_thread *thread = prt_get_thread();
  if (!thread || module->index >= thread->capacity)
    return NULL;
  return thread->blocks[module->index];
}

static prt_block *make_block(prt_module *module) {
  prt_acquire(&prt.registry);
  prt_thread *thread = prt_get_thread();
  if (!thread)
    thread = add_thread();
  prt_block *block = find_block(module);
  if (!block && thread)
    block = add_block(thread, module);
  if (block && block->epoch != prt.epoch)
    prt_rebase(block);
  prt_release(&prt.registry);
  return block;
}

prt_block *prt_get_block(prt_module *module) {
  prt_block *block = find_block(module);
  if (block && RT_LOAD(&block->epoch) == RT_LOAD(&prt.epoch))
    return block;
  return make_block(module);
}

int64_t *prof_rt_base(prof_rt_module *module) {
  prt_module *known = RT_ACQUIRE(&module->state);
  if (!known)
    known = prt_register(module);
  prt_block *block = known != &refused ? prt_get_block(known) : NULL;
  if (block)
    return block->slots;
  prt_lose(PROF_RAW_LOSS_BLOCK);
  return module->discard;
}

void prof_rt_reset(void) {
  prt_acquire(&prt.registry);
  uint64_t nanoseconds;
  prt_read_clock(&prt.clock.since_ticks, &nanoseconds);
  for (prt_module *module = prt.modules; module; module = module->next) {
    for (prt_block *block = module->blocks; block; block = block->next) {
      uint32_t words = module->probes * PROF_RT_SLOT_WORDS;
      for (uint32_t word = 0; word < words; ++word)
        block->baseline[word] = RT_LOAD(&block->slots[word]);
      prt_flush_cells(block);
    }
    prt_zero(module->ended, module->probes * sizeof(prof_raw_slot));
    if (module->spread)
      prt_zero(module->spread, module->probes * sizeof(prt_spread));
    prt_reset_tables(module);
    prt_reset_records(module);
  }
  /* None of their measurements remain. */
  for (prt_ended *list = prt.ended; list; list = list->next)
    list->used = 0;
  for (unsigned kind = 0; kind < PROF_RAW_LOSS_KINDS; ++kind)
    RT_STORE(&prt.losses[kind], 0);
  RT_STORE(&prt.epoch, prt.epoch + 1);
  prt_release(&prt.registry);
}
