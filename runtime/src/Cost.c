/*===- Cost.c - What probes cost -------------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"
#include "Work.h"

/* Two numbers per kind of probe. The window is what an empty probe measures,
 * the median of many in a row. The pair is by how much a probe lengthens the
 * code around it: the same loop is timed with and without one probe per
 * iteration, the fastest of several rounds each. In a row, probes wait for each
 * other's stores and counter readings; in a loop with other work they mostly do
 * not, so the window may be the larger one. */

/* As in generated code: the header's scratch is saved, the slot incremented. */
static inline int64_t begin_inline(volatile int64_t *words, int64_t saved[2]) {
  saved[0] = words[PROF_RT_HEADER_WORDS + PROF_RT_WORD_CALLED_TICKS];
  saved[1] = words[PROF_RT_HEADER_WORDS + PROF_RT_WORD_CALLED_EXECUTIONS];
  return prt_inline_ticks();
}

static inline int64_t end_inline(volatile int64_t *words, int64_t saved[2],
                                 int64_t begin) {
  int64_t ticks = prt_inline_ticks() - begin;
  volatile int64_t *slot = words + PROF_RT_HEADER_WORDS;
  slot[PROF_RT_SLOT_TICKS] += ticks;
  slot[PROF_RT_SLOT_COUNT] += 1;
  slot[PROF_RT_SLOT_CALLED_TICKS] += slot[PROF_RT_WORD_CALLED_TICKS] - saved[0];
  slot[PROF_RT_SLOT_CALLED_EXECUTIONS] +=
      slot[PROF_RT_WORD_CALLED_EXECUTIONS] - saved[1];
  slot[PROF_RT_WORD_EXECUTIONS] += 1;
  return ticks;
}

static int64_t time_plain(uint64_t *value) {
  int64_t begin = prt_inline_ticks();
  for (int iteration = 0; iteration < RT_ITERATIONS; ++iteration)
    *value = prt_work(*value);
  return prt_inline_ticks() - begin;
}

static int64_t time_inline(uint64_t *value, int64_t *words) {
  int64_t saved[2];
  int64_t begin = prt_inline_ticks();
  for (int iteration = 0; iteration < RT_ITERATIONS; ++iteration) {
    int64_t inner = begin_inline(words, saved);
    *value = prt_work(*value);
    end_inline(words, saved, inner);
  }
  return prt_inline_ticks() - begin;
}

static int64_t time_calls(uint64_t *value, prt_block *block) {
  /* Two addresses, like the two calls of a probe. */
  static const char addresses[2];
  int64_t begin = prt_inline_ticks();
  for (int iteration = 0; iteration < RT_ITERATIONS; ++iteration) {
    prt_handle(block, 0, &addresses[0], prof_rt_ticks());
    *value = prt_work(*value);
    prt_handle(block, 0, &addresses[1], prof_rt_ticks());
  }
  return prt_inline_ticks() - begin;
}

/* By how much the fastest round is longer with probes, per probe. */
static uint64_t pair_cost(prt_block *block, int64_t *words) {
  int64_t plain = INT64_MAX, probed = INT64_MAX;
  uint64_t value = 1;
  for (int round = 0; round < RT_ROUNDS; ++round) {
    int64_t time = time_plain(&value);
    plain = time < plain ? time : plain;
    time = block ? time_calls(&value, block) : time_inline(&value, words);
    probed = time < probed ? time : probed;
  }
  return probed > plain ? (uint64_t)(probed - plain) *
                              (PROF_RAW_COST_SCALE / RT_ITERATIONS)
                        : 0;
}

void prt_measure_inline_cost(void) {
  static int64_t words[PROF_RT_HEADER_WORDS + PROF_RT_SLOT_WORDS];
  int64_t windows[RT_WINDOWS], saved[2];
  for (unsigned index = 0; index < RT_WINDOWS; ++index) {
    int64_t begin = begin_inline(words, saved);
    windows[index] = end_inline(words, saved, begin);
  }
  prt.clock.inline_window =
      prt_median(windows, RT_WINDOWS) * PROF_RAW_COST_SCALE;
  prt.clock.inline_pair = pair_cost(NULL, words);
}

void prt_measure_call_cost(void) {
  /* A module and a block that are not in any list. */
  static uint32_t parents[1] = {PROF_RT_NO_PARENT};
  static uint32_t recorded[1];
  static prt_module module;
  static prt_block block;
  static int64_t words[PROF_RT_HEADER_WORDS + PROF_RT_SLOT_WORDS + 1];
  prt_acquire(&prt.registry);
  if (!prt.clock.call_pair) {
    module.probes = 1;
    module.parents = parents;
    module.recorded = recorded;
    module.open = PROF_RT_SLOT_WORDS;
    block.module = &module;
    block.slots = words + PROF_RT_HEADER_WORDS;
    int64_t windows[RT_WINDOWS];
    for (unsigned index = 0; index < RT_WINDOWS; ++index) {
      int64_t before = words[PROF_RT_HEADER_WORDS + PROF_RT_SLOT_TICKS];
      prt_handle(&block, 0, &module, prof_rt_ticks());
      prt_handle(&block, 0, &block, prof_rt_ticks());
      windows[index] =
          words[PROF_RT_HEADER_WORDS + PROF_RT_SLOT_TICKS] - before;
    }
    prt.clock.call_window =
        prt_median(windows, RT_WINDOWS) * PROF_RAW_COST_SCALE;
    prt.clock.call_pair = pair_cost(&block, NULL);
  }
  prt_release(&prt.registry);
}

void prt_measure_instance_cost(void) {
  /* The number of records in one piece of the list. */
  static uint32_t recorded[1];
  static prt_records records;
  static prt_module module;
  static prt_thread thread;
  static prt_block block;
  module.recorded = recorded;
  module.instances = RT_RECORDS;
  module.first_records = module.last_records = &records;
  block.module = &module;
  block.thread = &thread;
  int64_t fastest = INT64_MAX;
  for (int round = 0; round < RT_ROUNDS; ++round) {
    recorded[0] = records.used = 0;
    int64_t begin = prt_inline_ticks();
    for (int index = 0; index < RT_RECORDS; ++index)
      prt_record(&block, 0, begin, begin, &module, &module);
    int64_t time = prt_inline_ticks() - begin;
    fastest = time < fastest ? time : fastest;
  }
  prt.clock.instance =
      fastest > 0 ? (uint64_t)fastest * (PROF_RAW_COST_SCALE / RT_RECORDS) : 0;
}
