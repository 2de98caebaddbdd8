/*===- Instances.c - Records of single executions --------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

/* Returns space for one more record. Under the module's lock. */
static prof_raw_instance *add_record(prt_module *module) {
  prt_records *last = module->last_records;
  if (!last || last->used == RT_RECORDS) {
    prt_records *made = last ? last->next : NULL;
    if (!made && !(made = prt_allocate(sizeof(prt_records))))
      return NULL;
    if (last)
      last->next = made;
    else
      module->first_records = made;
    module->last_records = last = made;
  }
  return &last->records[last->used++];
}

void prt_record(prt_block *block, uint32_t probe, int64_t begin, int64_t end,
                const void *begin_address, const void *end_address) {
  prt_module *module = block->module;
  if (RT_LOAD(&module->recorded[probe]) >= module->instances)
    return;
  prt_acquire(&module->lock);
  prof_raw_instance *record = NULL;
  int is_wanted = module->recorded[probe] < module->instances;
  if (is_wanted && (record = add_record(module))) {
    RT_STORE(&module->recorded[probe], module->recorded[probe] + 1);
    record->probe = probe;
    record->thread = block->thread->number;
    record->begin_ticks = begin;
    record->end_ticks = end;
    record->begin_address = (uint64_t)(uintptr_t)begin_address;
    record->end_address = (uint64_t)(uintptr_t)end_address;
  }
  prt_release(&module->lock);
  if (is_wanted && !record)
    prt_lose(PROF_RAW_LOSS_INSTANCE);
}

void prt_reset_records(prt_module *module) {
  prt_acquire(&module->lock);
  for (uint32_t probe = 0; probe < module->probes; ++probe)
    RT_STORE(&module->recorded[probe], 0);
  for (prt_records *list = module->first_records; list; list = list->next)
    list->used = 0;
  module->last_records = module->first_records;
  prt_release(&module->lock);
}

void prof_rt_instance(prof_rt_module *module, uint32_t probe, int64_t begin,
                      int64_t end) {
  prt_module *known = RT_ACQUIRE(&module->state);
  prt_block *block =
      known && probe < known->probes ? prt_get_block(known) : NULL;
  if (block)
    prt_record(block, probe, begin, end, NULL, __builtin_return_address(0));
  else
    prt_lose(PROF_RAW_LOSS_INSTANCE);
}
