/*===- ScopeCost.c - What a scope costs ------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"
#include "Work.h"

/* Window and pair are those of Cost.c, measured on a thread that is not in any
 * list. */

#define PRS_COST_SLOTS 4
#define PRS_COST_RECORDS 64

typedef struct prs_cost_memory {
  uint64_t records[(sizeof(prof_scope_records) +
                    PRS_COST_RECORDS * sizeof(prof_scope_record_words)) /
                   sizeof(uint64_t)];
  uint64_t open[(sizeof(prof_scope_threads) +
                 PRS_COST_SLOTS * (sizeof(prof_scope_slot) + 4)) /
                    sizeof(uint64_t) +
                1];
} prs_cost_memory;

static int64_t time_plain(uint64_t *value) {
  int64_t begin = (int64_t)prs_ticks();
  for (int iteration = 0; iteration < RT_ITERATIONS; ++iteration)
    *value = prt_work(*value);
  return (int64_t)prs_ticks() - begin;
}

static int64_t time_scopes(uint64_t *value, prs_thread *thread) {
  int64_t begin = (int64_t)prs_ticks();
  for (int iteration = 0; iteration < RT_ITERATIONS; ++iteration) {
    prof_scope_token token = prs_push(thread, 1, 0);
    *value = prt_work(*value);
    prs_pop(thread, token, prs_ticks());
  }
  return (int64_t)prs_ticks() - begin;
}

static uint64_t measure_window(prs_thread *thread) {
  int64_t windows[RT_WINDOWS];
  for (unsigned index = 0; index < RT_WINDOWS; ++index) {
    prof_scope_token token = prs_push(thread, 1, 0);
    prs_pop(thread, token, prs_ticks());
    prof_scope_records *records = thread->records;
    windows[index] =
        (int64_t)(records->records[(records->used - 1) & thread->mask].second >>
                  32);
  }
  return prt_median(windows, RT_WINDOWS) * PROF_SCOPE_COST_SCALE;
}

static uint64_t measure_pair(prs_thread *thread) {
  int64_t plain = INT64_MAX, probed = INT64_MAX;
  uint64_t value = 1;
  for (int round = 0; round < RT_ROUNDS; ++round) {
    int64_t time = time_plain(&value);
    plain = time < plain ? time : plain;
    time = time_scopes(&value, thread);
    probed = time < probed ? time : probed;
  }
  return probed > plain ? (uint64_t)(probed - plain) *
                              (PROF_SCOPE_COST_SCALE / RT_ITERATIONS)
                        : 0;
}

void prs_measure_cost(void) {
  if (prs->process.clock == PROF_SCOPE_CLOCK_TEST) {
    prs->process.cost_window = prs->process.cost_pair = 0;
    return;
  }
  prs_cost_memory memory;
  static prs_thread thread;
  prt_zero(&memory, sizeof memory);
  thread.records = (prof_scope_records *)memory.records;
  thread.open = (prof_scope_threads *)memory.open;
  thread.limit = UINT64_MAX;
  thread.mask = PRS_COST_RECORDS - 1;
  uint64_t window = measure_window(&thread), pair = measure_pair(&thread);
  prs->process.cost_window = window;
  /* A scope lasts at least as long as it measures. */
  prs->process.cost_pair = pair > window ? pair : window;
  prt_zero(&thread, sizeof thread);
}
