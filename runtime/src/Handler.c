/*===- Handler.c - Probes that are calls -----------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

/* A call is a begin or an end; only the order distinguishes them. Probes nest,
 * so a call with the id of the innermost open probe is its end, except in a
 * function that calls itself directly: that begins at an address at which the
 * probe has begun before. */

static prt_handler *get_handler(prt_block *block) {
  if (!block->handler) {
    uint64_t begins =
        sizeof(void *) * RT_BEGINS * (uint64_t)block->module->probes;
    block->handler = prt_allocate(sizeof(prt_handler) + begins);
  }
  return block->handler;
}

static int is_begin(const prt_handler *handler, uint32_t id,
                    const void *address) {
  const void *const *begins = handler->begins + RT_BEGINS * (uint64_t)id;
  for (unsigned index = 0; index < RT_BEGINS; ++index)
    if (begins[index] == address)
      return address != NULL;
  return 0;
}

static void learn_begin(prt_handler *handler, uint32_t id,
                        const void *address) {
  const void **begins = handler->begins + RT_BEGINS * (uint64_t)id;
  for (unsigned index = 0; index < RT_BEGINS; ++index) {
    if (begins[index] == address)
      return;
    if (!begins[index]) {
      begins[index] = address;
      return;
    }
  }
}

static void add_word(prt_block *block, uint32_t id, unsigned word,
                     int64_t value) {
  int64_t *slot = block->slots + (uint64_t)id * PROF_RT_SLOT_WORDS + word;
  RT_STORE(slot, RT_LOAD(slot) + value);
}

/* The number of executions of a probe that have frames. */
static int64_t *get_open(prt_block *block, uint32_t id) {
  return block->slots + block->module->open + id;
}

/* Ends the innermost open probe, at `end` ticks. */
static void finish(prt_block *block, prt_handler *handler, const void *address,
                   int64_t end) {
  prt_frame *frame = &handler->frames[--handler->depth];
  prt_module *module = block->module;
  int64_t ticks = end - frame->begin;
  int64_t *open = get_open(block, frame->id);
  RT_STORE(open, RT_LOAD(open) - 1);
  if (RT_LOAD(open))
    add_word(block, frame->id, PROF_RT_SLOT_CALLED_TICKS, -ticks);
  else
    add_word(block, frame->id, PROF_RT_SLOT_TICKS, ticks);
  add_word(block, frame->id, PROF_RT_SLOT_COUNT, 1);
  add_word(block, frame->id, PROF_RT_SLOT_CALLED_TICKS, frame->called_ticks);
  add_word(block, frame->id, PROF_RT_SLOT_CALLED_EXECUTIONS,
           frame->called_executions);
  if (module->instances)
    prt_record(block, frame->id, frame->begin, end, frame->address, address);
  if (!handler->depth)
    return;
  prt_frame *outer = frame - 1;
  if (module->parents[frame->id] == outer->id) {
    outer->called_ticks += frame->called_ticks;
    outer->called_executions += frame->called_executions;
    return;
  }
  /* The outermost probe of a function that was called. */
  outer->called_ticks += ticks;
  outer->called_executions += handler->executions - frame->executions;
}

/* Beyond the last frame only the ids are kept: otherwise later ends could not
 * be assigned, and everything that follows would be measured wrongly. */

static int add_piece(prt_handler *handler) {
  prt_ids *last = handler->ids;
  prt_ids *made = last ? last->next : handler->first_ids;
  if (!made) {
    if (!(made = prt_allocate(sizeof(prt_ids))))
      return 0;
    made->previous = last;
    if (last)
      last->next = made;
    else
      handler->first_ids = made;
  }
  made->used = 0;
  handler->ids = made;
  return 1;
}

static void push_id(prt_handler *handler, uint32_t id) {
  prt_lose(PROF_RAW_LOSS_HANDLER);
  if ((!handler->ids || handler->ids->used == RT_IDS) && !add_piece(handler)) {
    handler->lost = 1;
    return;
  }
  handler->ids->ids[handler->ids->used++] = id;
  ++handler->beyond;
}

static void pop_id(prt_handler *handler) {
  --handler->beyond;
  if (--handler->ids->used == 0)
    handler->ids = handler->ids->previous;
}

/* The id of the innermost open probe, which must exist. */
static uint32_t get_innermost(const prt_handler *handler) {
  if (handler->beyond)
    return handler->ids->ids[handler->ids->used - 1];
  return handler->frames[handler->depth - 1].id;
}

void prt_handle(prt_block *block, uint32_t id, const void *address,
                int64_t now) {
  prt_handler *handler = get_handler(block);
  if (!handler)
    return prt_lose(PROF_RAW_LOSS_HANDLER);
  if (handler->lost)
    return prt_lose(PROF_RAW_LOSS_HANDLER);
  uint32_t depth = handler->depth;
  if (depth && get_innermost(handler) == id &&
      !is_begin(handler, id, address)) {
    if (handler->beyond)
      return pop_id(handler);
    return finish(block, handler, address, now);
  }
  learn_begin(handler, id, address);
  if (depth == RT_FRAMES)
    return push_id(handler, id);
  prt_frame *frame = &handler->frames[depth];
  frame->id = id;
  frame->address = address;
  frame->called_ticks = 0;
  frame->called_executions = 0;
  frame->executions = handler->executions++;
  handler->depth = depth + 1;
  int64_t *open = get_open(block, id);
  RT_STORE(open, RT_LOAD(open) + 1);
  /* Last, so that all of this is outside of the measurement. */
  frame->begin = prof_rt_ticks();
}

void prof_rt_handler(prof_rt_module *module, uint32_t id,
                     const void *return_address) {
  int64_t now = prof_rt_ticks();
  prt_module *known = RT_ACQUIRE(&module->state);
  if (!known)
    known = prt_register(module);
  prt_block *block = id < known->probes ? prt_get_block(known) : NULL;
  if (!block)
    return prt_lose(PROF_RAW_LOSS_HANDLER);
  if (!RT_LOAD(&known->called)) {
    RT_STORE(&known->called, 1);
    prt_measure_call_cost();
  }
  prt_handle(block, id, return_address, now);
}
