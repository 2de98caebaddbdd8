/*===- ScopeCounts.c - Amounts that scopes count ---------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Amounts are read before the begin of a scope and after its end, so that they
 * do not lengthen it; a scope's amounts include a reading, whose share is
 * measured.
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PRS_PAGE 4096

/*===----------------------------------------------------------------------===*
 * Allocations, which threads report to any copy of the runtime
 *===----------------------------------------------------------------------===*/

static _Thread_local uint64_t allocated[2] PRS_FAST_TLS;
static uint32_t has_reports;

void prof_scope_allocated(size_t bytes) {
  if (PRS_UNLIKELY(!RT_LOAD(&has_reports)))
    RT_STORE(&has_reports, 1);
  allocated[0] += 1;
  allocated[1] += bytes;
}

static int read_own_allocations(uint64_t *values) {
  if (!RT_LOAD(&has_reports))
    return 0;
  values[PROF_SCOPE_COUNT_ALLOCATIONS] += allocated[0];
  values[PROF_SCOPE_COUNT_BYTES] += allocated[1];
  return 1;
}

void prs_add_reader(prs_state *state) {
  for (uint32_t index = 0; index < PRS_READERS; ++index)
    if (!state->readers[index]) {
      RT_RELEASE(&state->readers[index], read_own_allocations);
      return;
    }
}

void prs_remove_reader(void) {
  for (uint32_t index = 0; index < PRS_READERS; ++index)
    if (prs->readers[index] == read_own_allocations)
      RT_RELEASE(&prs->readers[index], NULL);
}

static uint32_t read_allocations(uint64_t *values) {
  int found = 0;
  values[PROF_SCOPE_COUNT_ALLOCATIONS] = values[PROF_SCOPE_COUNT_BYTES] = 0;
  for (uint32_t index = 0; index < PRS_READERS; ++index) {
    prs_reader *reader = RT_ACQUIRE(&prs->readers[index]);
    if (reader)
      found |= reader(values);
  }
  return found
             ? 1u << PROF_SCOPE_COUNT_ALLOCATIONS | 1u << PROF_SCOPE_COUNT_BYTES
             : 0;
}

/*===----------------------------------------------------------------------===*
 * Counters
 *===----------------------------------------------------------------------===*/

static const uint64_t events[PRS_COUNTERS] = {
    PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
    PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_BRANCH_MISSES};

static int open_counter(uint64_t event, int group) {
  struct perf_event_attr attributes;
  prt_zero(&attributes, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = event;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, group,
                      PERF_FLAG_FD_CLOEXEC);
}

static void open_counters(prs_thread *thread) {
  prs_counters *counters = &thread->counters;
  counters->state = PRS_OPEN;
  for (unsigned index = 0; index < PRS_COUNTERS; ++index) {
    int group = index ? counters->files[0] : -1;
    counters->files[index] =
        index && group < 0 ? -1 : open_counter(events[index], group);
    if (counters->files[index] < 0)
      continue;
    void *page =
        mmap(NULL, PRS_PAGE, PROT_READ, MAP_SHARED, counters->files[index], 0);
    counters->pages[index] = page == MAP_FAILED ? NULL : page;
  }
  if (counters->files[0] < 0)
    counters->state = PRS_FAILED;
}

void prs_close_counters(prs_thread *thread) {
  prs_counters *counters = &thread->counters;
  for (unsigned index = 0; counters->state == PRS_OPEN && index < PRS_COUNTERS;
       ++index) {
    if (counters->files[index] < 0)
      continue;
    if (counters->pages[index])
      munmap(counters->pages[index], PRS_PAGE);
    close(counters->files[index]);
  }
  prt_zero(counters, sizeof *counters);
}

#if defined(__x86_64__)
/* Reads a counter with an instruction; 0 if that cannot be done now. */
static int read_page(const void *address, uint64_t *value) {
  const volatile struct perf_event_mmap_page *page = address;
  uint32_t sequence;
  do {
    sequence = page->lock;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t index = page->index;
    if (!page->cap_user_rdpmc || !index)
      return 0;
    uint64_t counted = __builtin_ia32_rdpmc((int)index - 1);
    uint16_t unused = (uint16_t)(64 - page->pmc_width);
    *value = (uint64_t)page->offset +
             (uint64_t)((int64_t)(counted << unused) >> unused);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } while (page->lock != sequence);
  return 1;
}
#else
static int read_page(const void *address, uint64_t *value) {
  (void)address, (void)value;
  return 0;
}
#endif

static uint32_t read_hardware(prs_counters *counters, uint64_t *values) {
  uint32_t known = 0;
  for (unsigned index = 0; index < PRS_COUNTERS; ++index) {
    uint64_t *value = &values[PROF_SCOPE_COUNT_CYCLES + index];
    int file = counters->files[index];
    if (file < 0)
      continue;
    if ((counters->pages[index] && read_page(counters->pages[index], value)) ||
        read(file, value, sizeof *value) == sizeof *value)
      known |= 1u << (PROF_SCOPE_COUNT_CYCLES + index);
  }
  return known;
}

static uint32_t read_software(uint64_t *values) {
  struct rusage usage;
  if (getrusage(RUSAGE_THREAD, &usage))
    return 0;
  values[PROF_SCOPE_COUNT_PAGE_FAULTS] =
      (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
  values[PROF_SCOPE_COUNT_CONTEXT_SWITCHES] =
      (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
  return 1u << PROF_SCOPE_COUNT_PAGE_FAULTS |
         1u << PROF_SCOPE_COUNT_CONTEXT_SWITCHES;
}

/* All threads of a recording count alike. */
static uint32_t choose_counters(prs_thread *thread) {
  const char *wanted = getenv("MLIR_PROF_SCOPE_COUNTERS");
  if (wanted && wanted[0] == 's')
    return PROF_SCOPE_COUNTERS_SOFTWARE;
  open_counters(thread);
  if (thread->counters.state != PRS_OPEN)
    return PROF_SCOPE_COUNTERS_SOFTWARE;
  uint64_t value;
  return thread->counters.pages[0] &&
                 read_page(thread->counters.pages[0], &value)
             ? PROF_SCOPE_COUNTERS_INSTRUCTION
             : PROF_SCOPE_COUNTERS_CALL;
}

static uint32_t read_counters(prs_thread *thread, uint64_t *values) {
  uint32_t way = RT_LOAD(&prs->process.counters);
  if (!way) {
    way = choose_counters(thread);
    RT_STORE(&prs->process.counters, way);
  }
  if (way == PROF_SCOPE_COUNTERS_SOFTWARE)
    return read_software(values);
  if (thread->counters.state == PRS_UNTRIED)
    open_counters(thread);
  return thread->counters.state == PRS_OPEN
             ? read_hardware(&thread->counters, values)
             : 0;
}

/*===----------------------------------------------------------------------===*
 * Scopes
 *===----------------------------------------------------------------------===*/

static uint32_t read_cpu_time(uint64_t *values) {
  struct timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))
    return 0;
  values[PROF_SCOPE_COUNT_CPU_TIME] =
      (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
  return 1u << PROF_SCOPE_COUNT_CPU_TIME;
}

uint32_t prs_read_counts(prs_thread *thread, uint32_t counting,
                         uint64_t *values) {
  uint32_t known = 0;
  if (counting & PROF_SCOPE_COUNTERS)
    known |= read_counters(thread, values);
  if (counting & PROF_SCOPE_ALLOCATIONS)
    known |= read_allocations(values);
  if (counting & PROF_SCOPE_CPU_TIME)
    known |= read_cpu_time(values);
  return known;
}

static int reserve_counts(prs_thread *thread) {
  uint32_t capacity = thread->open->capacity;
  prt_acquire(&prs->lock);
  prs_counts *counts = prs_allocate(capacity * sizeof *counts);
  prt_release(&prs->lock);
  if (!counts)
    return 0;
  if (thread->counts_capacity)
    prt_copy(counts, thread->counts, thread->counts_capacity * sizeof *counts);
  thread->counts = counts;
  thread->counts_capacity = capacity;
  return 1;
}

int prs_begin_counts(prs_thread *thread, uint32_t slot, uint32_t counting) {
  if (slot >= thread->counts_capacity && !reserve_counts(thread)) {
    prs_lose(PROF_SCOPE_LOSS_COUNTS, 1);
    return 0;
  }
  prs_counts *counts = &thread->counts[slot];
  counts->counting = counting;
  counts->known = prs_read_counts(thread, counting, counts->values);
  /* Before the first report in the process, both are 0. */
  if (counting & PROF_SCOPE_ALLOCATIONS)
    counts->known |=
        1u << PROF_SCOPE_COUNT_ALLOCATIONS | 1u << PROF_SCOPE_COUNT_BYTES;
  return 1;
}

uint32_t prs_end_counts(prs_thread *thread, uint32_t slot,
                        prof_scope_record_words *records) {
  const prs_counts *begin = &thread->counts[slot];
  uint64_t now[PROF_SCOPE_COUNTS];
  uint32_t known = begin->known & prs_read_counts(thread, begin->counting, now);
  uint32_t count = 0;
  for (uint32_t kind = 0; kind < PROF_SCOPE_COUNTS; ++kind)
    if (known >> kind & 1)
      records[count++] = prs_make_record(PROF_SCOPE_KIND_COUNT, kind,
                                         now[kind] - begin->values[kind]);
  int has_all = (!(begin->counting & PROF_SCOPE_ALLOCATIONS) ||
                 known >> PROF_SCOPE_COUNT_ALLOCATIONS & 1) &&
                (!(begin->counting & PROF_SCOPE_CPU_TIME) ||
                 known >> PROF_SCOPE_COUNT_CPU_TIME & 1) &&
                (!(begin->counting & PROF_SCOPE_COUNTERS) ||
                 known >> PROF_SCOPE_COUNT_CYCLES);
  if (!has_all)
    prs_lose(PROF_SCOPE_LOSS_COUNTS, 1);
  return count;
}
