/*===- ScopeClock.c - Clocks of recordings ---------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* Nanoseconds between two readings of the clocks that tell the frequency of
 * ticks, within 1e-4, to who reads the file of a process that was killed. */
#define PRS_CALIBRATION UINT64_C(1000000)
/* Nanoseconds between readings, at first. */
#define PRS_SPACING UINT64_C(10000000)
/* Readings of the clocks of which the one in the shortest time counts. */
#define PRS_ATTEMPTS 8
/* Part by which rates of clocks differ at most: the system adjusts its own by
 * up to half of it. */
#define PRS_TOLERANCE 1e-3
/* Part of the recording that lies between two readings in rings, at least. */
#define PRS_SPARSE 64

_Static_assert(sizeof(prof_scope_process) + sizeof(prof_scope_part) <=
                   PROF_SCOPE_PROCESS_OTHER,
               "two copies do not fit a page");

int64_t (*prs_clock)(void);

/*===----------------------------------------------------------------------===*
 * Choice of the clock
 *===----------------------------------------------------------------------===*/

static uint64_t read_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static int64_t read_system_clock(void) {
  return (int64_t)read_ns(CLOCK_MONOTONIC);
}

/* Other clocks may differ a little; readers' times have 63 bits of ps. The
 * clock of a test may be far from the system's, and both are given. */
int prs_is_possible(int64_t begin_ns, int64_t end_ns) {
  const int64_t most_ahead = INT64_C(1000000000);
  const int64_t most_ago = INT64_C(1) << 50;
  int64_t first = read_system_clock(), last = first;
  if (prs->process.clock == PROF_SCOPE_CLOCK_TEST) {
    int64_t now = (int64_t)prs_ticks();
    first = now < first ? now : first;
    last = now > last ? now : last;
  }
  return begin_ns <= end_ns && end_ns <= last + most_ahead &&
         begin_ns >= first - most_ago;
}

/* Whether the system's own clock is `name`. */
static int is_clock_source(const char *name) {
  static const char path[] =
      "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  char text[32] = "";
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  size_t length = __builtin_strlen(name);
  return size >= (ssize_t)length && !__builtin_memcmp(text, name, length);
}

/* Whether the processor's counter counts at one rate, on all processors. */
static int has_counter(void) {
#if defined(__x86_64__) || defined(__i386__)
  unsigned a, b, c, d = 0;
  int is_invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) && d >> 8 & 1;
  if (is_clock_source("tsc"))
    return 1;
  /* Systems choose these where they found the counter to be wrong. */
  return is_invariant && !is_clock_source("hpet") &&
         !is_clock_source("acpi_pm");
#elif defined(__aarch64__)
  return 1;
#else
  return 0;
#endif
}

uint32_t prs_choose_clock(void) {
  const char *wanted = getenv("MLIR_PROF_SCOPE_CLOCK");
  if (wanted && wanted[0] == 's')
    return PROF_SCOPE_CLOCK_SYSTEM;
  return has_counter() ? PROF_SCOPE_CLOCK_COUNTER : PROF_SCOPE_CLOCK_SYSTEM;
}

void prs_adopt_clock(const prs_state *state) {
  if (!prs_clock && state->process.clock == PROF_SCOPE_CLOCK_SYSTEM)
    RT_STORE(&prs_clock, read_system_clock);
}

void prof_scope_use_clock(int64_t (*clock)(void)) {
  if (!prs_attach())
    return;
  prt_acquire(&prs->lock);
  RT_STORE(&prs_clock, clock);
  prs->process.clock =
      clock ? (uint32_t)PROF_SCOPE_CLOCK_TEST : prs_choose_clock();
  prs_adopt_clock(prs);
  prs_read_clocks(1);
  prt_release(&prs->lock);
}

/*===----------------------------------------------------------------------===*
 * Readings
 *===----------------------------------------------------------------------===*/

static prof_scope_clocks read_clocks(void) {
  prof_scope_clocks clocks = {0, 0, 0, 0};
  if (prs->process.clock == PROF_SCOPE_CLOCK_TEST) {
    clocks.ticks = clocks.monotonic_ns = clocks.realtime_ns = prs_ticks();
    return clocks;
  }
  uint64_t shortest = UINT64_MAX;
  /* An interrupt between the readings would cause an error. */
  for (int attempt = 0; attempt < PRS_ATTEMPTS; ++attempt) {
    uint64_t before = prs_ticks(), now = read_ns(CLOCK_MONOTONIC);
    uint64_t taken = prs_ticks() - before;
    if (taken >= shortest)
      continue;
    shortest = taken;
    clocks.ticks = before + taken / 2;
    clocks.monotonic_ns = now;
    clocks.bracket = taken;
  }
  uint64_t since = read_ns(CLOCK_MONOTONIC);
  clocks.realtime_ns = read_ns(CLOCK_REALTIME) - since + clocks.monotonic_ns;
  return clocks;
}

/* Keeps the reading if it lies far enough from the one before; if there are too
 * many, every second one, and those that follow lie further apart. */
static void keep_reading(const prof_scope_clocks *now) {
  prof_scope_clocks *kept = prs->process.readings;
  const prof_scope_clocks *last =
      prs->reading_count ? &kept[prs->reading_count - 1] : &prs->process.first;
  if (now->monotonic_ns - last->monotonic_ns < prs->reading_spacing)
    return;
  if (prs->reading_count == PROF_SCOPE_READINGS) {
    for (uint32_t index = 0; index < PROF_SCOPE_READINGS / 2; ++index)
      kept[index] = kept[2 * index + 1];
    prs->reading_count = PROF_SCOPE_READINGS / 2;
    prt_zero(kept + prs->reading_count, PROF_SCOPE_READINGS / 2 * sizeof *kept);
    prs->reading_spacing *= 2;
    return;
  }
  kept[prs->reading_count++] = *now;
}

/* Whether ticks passed at another rate since the last reading than before, by
 * more than readings and adjustments of clocks explain. */
static int has_stopped(const prof_scope_clocks *now) {
  const prof_scope_clocks *first = &prs->process.first,
                          *last = &prs->process.last;
  uint64_t ns = last->monotonic_ns - first->monotonic_ns;
  uint64_t new_ns = now->monotonic_ns - last->monotonic_ns;
  if (prs->process.clock != PROF_SCOPE_CLOCK_COUNTER || ns < PRS_CALIBRATION ||
      new_ns < PRS_CALIBRATION)
    return 0;
  double rate = (double)(last->ticks - first->ticks) / (double)ns;
  double expected = rate * (double)new_ns;
  double error = (double)(int64_t)(now->ticks - last->ticks) - expected;
  double allowed =
      expected * PRS_TOLERANCE + (double)last->bracket + (double)now->bracket +
      (double)(first->bracket + last->bracket) * (double)new_ns / (double)ns;
  return error > allowed || -error > allowed;
}

static void read_first(void) {
  prs->process.first = prs->process.last;
  prt_zero(prs->process.readings, sizeof prs->process.readings);
  prs->reading_count = 0;
  prs->reading_spacing = PRS_SPACING;
}

/* Makes the other copy in the file the valid one. */
static void write_process(prof_scope_process *file,
                          const prof_scope_process *process) {
  const size_t begin = sizeof(prof_scope_block),
               end = offsetof(prof_scope_process, losses);
  uint32_t other = !RT_LOAD(&file->newest);
  prof_scope_process *to =
      other ? (prof_scope_process *)((char *)file + PROF_SCOPE_PROCESS_OTHER)
            : file;
  to->block.session = process->block.session;
  prt_copy((char *)to + begin, (const char *)process + begin, end - begin);
  RT_RELEASE(&file->newest, other);
}

void prs_read_clocks(int is_first) {
  prof_scope_process *process = &prs->process;
  prof_scope_clocks now = read_clocks();
  if (!is_first && has_stopped(&now))
    prs_lose(PROF_SCOPE_LOSS_CLOCK, 1);
  process->last = now;
  if (is_first)
    read_first();
  else
    keep_reading(&process->last);
  process->ticks_per_second =
      process->clock == PROF_SCOPE_CLOCK_COUNTER ? 0 : UINT64_C(1000000000);
  process->process = prs_self();
  process->parent = (uint64_t)getppid();
  process->modes = prs->modes;
  process->sample_every = prs->sample_every;
  process->ring_records = prs->ring_records;
  process->counting = prs->counting;
  prs_fill_header(&process->block, PROF_SCOPE_BLOCK_PROCESS,
                  prs_round_up(sizeof *process), 0);
  prof_scope_process *file = prs->process_in_file;
  if (!file)
    return;
  process->block.size = file->block.size;
  write_process(file, process);
}

void prs_read_clocks_sparsely(void) {
  const prof_scope_process *process = &prs->process;
  uint64_t all = process->last.ticks - process->first.ticks;
  if (prs_ticks() - process->last.ticks > all / PRS_SPARSE)
    prs_read_clocks(0);
}

void prs_wait_for_clock(void) {
  while (prs->process.clock == PROF_SCOPE_CLOCK_COUNTER &&
         read_clocks().monotonic_ns - prs->process.first.monotonic_ns <
             PRS_CALIBRATION)
    continue;
}

uint64_t prs_ns_to_ticks(uint64_t ns) {
  if (prs->process.clock != PROF_SCOPE_CLOCK_COUNTER)
    return ns;
  prt_acquire(&prs->lock);
  prs_wait_for_clock();
  prs_read_clocks(0);
  const prof_scope_clocks *first = &prs->process.first,
                          *last = &prs->process.last;
  uint64_t ticks = (uint64_t)((__uint128_t)ns * (last->ticks - first->ticks) /
                              (last->monotonic_ns - first->monotonic_ns));
  prt_release(&prs->lock);
  return ticks;
}
