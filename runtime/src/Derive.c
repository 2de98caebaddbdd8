/*===- Derive.c - Results from a thread's block ----------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

static int64_t read_slot(const prt_block *block, uint32_t probe,
                         unsigned word) {
  uint32_t index = probe * PROF_RT_SLOT_WORDS + word;
  return RT_LOAD(&block->slots[index]) - block->baseline[index];
}

/* As described in prof_rt.h: from the last probe to the first, the nested
 * executions and their time. */
void prt_derive(prt_module *module, const prt_block *block) {
  /* Sums over the children of each probe. */
  int64_t *ticks = module->children;
  int64_t *called = ticks + module->probes;
  int64_t *executions = called + module->probes;
  int64_t *direct = executions + module->probes;
  for (uint64_t word = 0; word < 4 * (uint64_t)module->probes; ++word)
    module->children[word] = 0;
  for (uint32_t probe = module->probes; probe-- > 0;) {
    int64_t own = read_slot(block, probe, PROF_RT_SLOT_TICKS);
    int64_t count = read_slot(block, probe, PROF_RT_SLOT_COUNT);
    int64_t own_called = read_slot(block, probe, PROF_RT_SLOT_CALLED_TICKS);
    int64_t own_executions =
        read_slot(block, probe, PROF_RT_SLOT_CALLED_EXECUTIONS);
    prof_raw_slot *result = &module->derived[probe];
    result->ticks = own;
    result->count = (uint64_t)count;
    /* A worker's share of a region is not inside of the region's wall time,
     * which another thread measures. */
    result->inside_ticks =
        count ? own_called + ticks[probe] - called[probe] : 0;
    result->inside_executions =
        count ? (uint64_t)(own_executions + executions[probe]) : 0;
    result->direct_executions =
        count ? (uint64_t)(own_executions + direct[probe]) : 0;
    uint32_t parent = module->parents[probe];
    if (parent == PROF_RT_NO_PARENT)
      continue;
    ticks[parent] += own;
    called[parent] += own_called;
    executions[parent] += count + executions[probe];
    direct[parent] += count - own_executions;
  }
}

void prt_retire(prt_block *block) {
  prt_module *module = block->module;
  prt_derive(module, block);
  prt_flush_cells(block);
  for (uint32_t probe = 0; probe < module->probes; ++probe) {
    prof_raw_slot *sum = &module->ended[probe];
    const prof_raw_slot *slot = &module->derived[probe];
    sum->ticks += slot->ticks;
    sum->count += slot->count;
    sum->inside_ticks += slot->inside_ticks;
    sum->inside_executions += slot->inside_executions;
    sum->direct_executions += slot->direct_executions;
  }
  /* No thread uses the block now. */
  for (uint32_t word = 0; word < module->words; ++word)
    RT_STORE(&block->slots[word], 0);
  for (uint32_t word = 0; word < module->probes * PROF_RT_SLOT_WORDS; ++word)
    block->baseline[word] = 0;
  for (uint32_t table = 0; table < module->tables; ++table)
    block->flushed[table] = 0;
  prt_handler *handler = block->handler;
  if (handler) {
    handler->depth = handler->beyond = handler->lost = 0;
    handler->ids = NULL;
  }
  RT_STORE(&block->epoch, prt.epoch);
}

void prt_rebase(prt_block *block) {
  uint32_t words = block->module->probes * PROF_RT_SLOT_WORDS;
  for (uint32_t word = 0; word < words; ++word) {
    RT_STORE(&block->slots[word],
             RT_LOAD(&block->slots[word]) - block->baseline[word]);
    block->baseline[word] = 0;
  }
  RT_STORE(&block->epoch, prt.epoch);
}
