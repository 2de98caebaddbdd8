/*===- Spread.c - How executions of a probe differ -------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

static uint32_t get_bucket(uint64_t ticks) {
  if (ticks < PROF_RAW_SPREAD_STEPS)
    return (uint32_t)ticks;
  uint32_t shift = (uint32_t)(63 - __builtin_clzll(ticks)) -
                   (uint32_t)__builtin_ctz(PROF_RAW_SPREAD_STEPS);
  uint64_t bucket = PROF_RAW_SPREAD_STEPS * (uint64_t)shift + (ticks >> shift);
  return bucket < PROF_RAW_SPREAD_BUCKETS ? (uint32_t)bucket
                                          : PROF_RAW_SPREAD_BUCKETS - 1;
}

static void add_executions(prt_spread *spread, int64_t self, uint64_t count) {
  if (self < 0)
    self = 0;
  int64_t each = self / (int64_t)count;
  if (!spread->added || each < spread->min)
    spread->min = each;
  if (!spread->added || each > spread->max)
    spread->max = each;
  spread->added += count;
  uint32_t bucket = get_bucket((uint64_t)each);
  uint64_t sum = spread->counts[bucket] + count;
  /* If the count does not fit, a reader notices the difference, and then uses
   * the sum alone. */
  spread->counts[bucket] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
  spread->sums[bucket] += self;
}

static void sum_up(prt_module *module, const prof_raw_slot *slots) {
  for (uint32_t probe = 0; probe < module->probes; ++probe) {
    module->spread[probe].self +=
        slots[probe].ticks - slots[probe].inside_ticks;
    module->spread[probe].count += slots[probe].count;
  }
}

void prt_mark(prt_module *module) {
  for (uint32_t probe = 0; probe < module->probes; ++probe)
    module->spread[probe].self = module->spread[probe].count = 0;
  sum_up(module, module->ended);
  for (prt_block *block = module->blocks; block; block = block->next) {
    prt_derive(module, block);
    sum_up(module, module->derived);
  }
  for (uint32_t probe = 0; probe < module->probes; ++probe) {
    prt_spread *spread = &module->spread[probe];
    if (spread->count > spread->marked_count)
      add_executions(spread, spread->self - spread->marked_self,
                     (uint64_t)(spread->count - spread->marked_count));
    spread->marked_self = spread->self;
    spread->marked_count = spread->count;
  }
}

void prof_rt_mark(void) {
  prt_acquire(&prt.registry);
  for (prt_module *module = prt.modules; module; module = module->next) {
    if (!module->spread)
      module->spread = prt_allocate_array(module->probes, sizeof(prt_spread));
    if (module->spread)
      prt_mark(module);
    else
      prt_lose(PROF_RAW_LOSS_SPREAD);
  }
  prt_release(&prt.registry);
}
