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
#define PRS_COUNT_ROUNDS 33

typedef struct prs_cost_memory {
  uint64_t records[(sizeof(prof_scope_records) +
                    PRS_COST_RECORDS * sizeof(prof_scope_record_words)) /
                   sizeof(uint64_t)];
  uint64_t open[(sizeof(prof_scope_threads) +
                 PRS_COST_SLOTS * (sizeof(prof_scope_slot) + 4)) /
                    sizeof(uint64_t) +
                1];
} prs_cost_memory;

/* Work that does not wait for results: what a scope adds to it is all that it
 * takes. */
static inline void work(uint64_t values[4]) {
  for (unsigned index = 0; index < 4; ++index) {
    values[index] += index;
    __asm__ volatile("" : "+r"(values[index]));
  }
}

static int64_t time_plain(uint64_t values[4]) {
  int64_t begin = (int64_t)prs_ticks();
  for (int iteration = 0; iteration < RT_ITERATIONS; ++iteration)
    work(values);
  return (int64_t)prs_ticks() - begin;
}

static int64_t time_scopes(uint64_t values[4], prof_scope_site *site) {
  int64_t begin = (int64_t)prs_ticks();
  for (int iteration = 0; iteration < RT_ITERATIONS; ++iteration) {
    prof_scope_token token = {NULL, 0, 0};
    if (RT_LOAD(&prof_scope_level) >= 0)
      token = prof_scope_begin(site);
    work(values);
    if (token.thread)
      prof_scope_end(token);
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

/* By how much scopes of a session with `modes` lengthen code, by the functions
 * that programs call. */
static uint64_t measure_pair(prs_thread *thread, uint32_t modes) {
  static prof_scope_row row;
  static prof_scope_row *rows[] = {&row, &row};
  static prs_inside inside[PRS_COST_SLOTS];
  prof_scope_site site = PROF_SCOPE_SITE("cost", 0, 1, 0);
  prs_thread *current = prs_current;
  int64_t plain = INT64_MAX, probed = INT64_MAX;
  uint64_t values[4] = {0};
  site.id = 1;
  thread->rows = rows;
  thread->sites = 2;
  thread->inside = inside;
  thread->inside_capacity = PRS_COST_SLOTS;
  thread->slow = modes == PROF_SCOPE_EVENTS ? 0 : PRS_MODES;
  RT_STORE(&prs->modes, modes);
  prs_current = thread;
  for (int round = 0; round < RT_ROUNDS; ++round) {
    int64_t time = time_plain(values);
    plain = time < plain ? time : plain;
    time = time_scopes(values, &site);
    probed = time < probed ? time : probed;
  }
  prs_current = current;
  RT_STORE(&prs->modes, 0);
  thread->slow = 0;
  thread->sites = thread->inside_capacity = 0;
  return probed > plain ? (uint64_t)(probed - plain) *
                              (PROF_SCOPE_COST_SCALE / RT_ITERATIONS)
                        : 0;
}

/*===----------------------------------------------------------------------===*
 * Counts: by the functions that count
 *===----------------------------------------------------------------------===*/

/* Times of empty scopes that count a group. */
typedef struct prs_count_times {
  int64_t pairs[PRS_COUNT_ROUNDS];
  int64_t windows[PRS_COUNT_ROUNDS];
  int64_t amounts[PROF_SCOPE_COUNTS][PRS_COUNT_ROUNDS];
} prs_count_times;

/* Reads the records of one scope, which are the last ones. */
static void read_amounts(prs_thread *thread, uint64_t from, unsigned round,
                         prs_count_times *times) {
  prof_scope_records *records = thread->records;
  for (uint64_t index = from; index < records->used; ++index) {
    prof_scope_record_words words = records->records[index & thread->mask];
    if (words.first >> PROF_SCOPE_KIND_SHIFT == PROF_SCOPE_KIND_COUNT)
      times->amounts[words.first & 255][round] = (int64_t)words.second;
    else
      times->windows[round] = (int64_t)(words.second >> 32);
  }
}

static void time_counts(prs_thread *thread, uint32_t counting,
                        prs_count_times *times) {
  for (unsigned round = 0; round < PRS_COUNT_ROUNDS; ++round) {
    uint64_t from = thread->records->used;
    int64_t begin = (int64_t)prs_ticks();
    prof_scope_token token = prs_push_any(thread, 1, 0, 0, counting);
    prs_finish(thread, token.slot, prs_ticks(), 0, 0);
    times->pairs[round] = (int64_t)prs_ticks() - begin;
    read_amounts(thread, from, round, times);
  }
}

static uint64_t subtract(uint64_t ticks, uint64_t other) {
  return ticks > other ? ticks - other : 0;
}

static void measure_counts(prs_thread *thread) {
  static prs_count_times times;
  prof_scope_process *process = &prs->process;
  /* Where nothing reports allocations, that is not a loss now. */
  uint64_t lost = process->losses[PROF_SCOPE_LOSS_COUNTS];
  for (unsigned group = 0; group < PROF_SCOPE_GROUPS; ++group) {
    prt_zero(&times, sizeof times);
    time_counts(thread, 1u << group, &times);
    for (unsigned kind = 0; kind < PROF_SCOPE_COUNTS; ++kind) {
      uint64_t amount = prt_median(times.amounts[kind], PRS_COUNT_ROUNDS);
      if (amount)
        process->empty_count[kind] = amount * PROF_SCOPE_COST_SCALE;
    }
    process->group_window[group] = subtract(
        prt_median(times.windows, PRS_COUNT_ROUNDS) * PROF_SCOPE_COST_SCALE,
        process->cost_window);
    process->group_pair[group] = subtract(
        prt_median(times.pairs, PRS_COUNT_ROUNDS) * PROF_SCOPE_COST_SCALE,
        process->cost_pair);
  }
  process->losses[PROF_SCOPE_LOSS_COUNTS] = lost;
  prs_close_counters(thread);
}

void prs_measure_cost(void) {
  prof_scope_process *process = &prs->process;
  prt_zero(process->group_window, sizeof process->group_window);
  prt_zero(process->group_pair, sizeof process->group_pair);
  prt_zero(process->empty_count, sizeof process->empty_count);
  if (process->clock == PROF_SCOPE_CLOCK_TEST) {
    process->cost_window = process->cost_pair = 0;
    prt_zero(prs->cost_pairs, sizeof prs->cost_pairs);
    return;
  }
  prs_cost_memory memory;
  static prs_thread thread;
  static prs_counts counts[PRS_COST_SLOTS];
  prt_zero(&memory, sizeof memory);
  thread.records = (prof_scope_records *)memory.records;
  thread.open = (prof_scope_threads *)memory.open;
  thread.limit = UINT64_MAX;
  thread.mask = PRS_COST_RECORDS - 1;
  thread.open->capacity = PRS_COST_SLOTS;
  thread.counts = counts;
  thread.counts_capacity = PRS_COST_SLOTS;
  uint64_t window = measure_window(&thread);
  process->cost_window = window;
  for (uint32_t modes = 1; modes < PRS_MODE_SETS; ++modes) {
    uint64_t pair = measure_pair(&thread, modes);
    /* A scope lasts at least as long as it measures. */
    prs->cost_pairs[modes] = pair > window ? pair : window;
  }
  process->cost_pair = prs->cost_pairs[PROF_SCOPE_EVENTS];
  measure_counts(&thread);
  prt_zero(&thread, sizeof thread);
}
