/*===- prof_scope_file.h - Format of recordings of scopes ----------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A recording is a sequence of blocks in the byte order of the machine, each of
 * a whole number of pages; pages of zeros between them are skipped. Memory of
 * the running program has the same layout, so that a file which is mapped is
 * complete at any moment.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_SCOPE_FILE_H
#define MLIR_PROF_RUNTIME_PROF_SCOPE_FILE_H

#include <stdint.h>

#define PROF_SCOPE_FILE_MAGIC UINT32_C(0x53504c4d)
#define PROF_SCOPE_FILE_VERSION 2
#define PROF_SCOPE_PAGE 4096

enum prof_scope_block_kind {
  PROF_SCOPE_BLOCK_PROCESS = 1,
  PROF_SCOPE_BLOCK_SITES = 2,
  PROF_SCOPE_BLOCK_THREAD = 3,
  PROF_SCOPE_BLOCK_RECORDS = 4,
  PROF_SCOPE_BLOCK_STATISTICS = 5,
};

/* The beginning of every block. */
typedef struct prof_scope_block {
  uint32_t magic;
  uint16_t version;
  uint16_t kind;
  /* Bytes of the block, this header included. */
  uint64_t size;
  /* Blocks of other sessions than the process block's are stale, but for
   * threads and sites. */
  uint32_t session;
  /* Number of the thread that it belongs to. */
  uint32_t thread;
} prof_scope_block;

enum prof_scope_loss {
  /* Ends of scopes that had ended or never begun. */
  PROF_SCOPE_LOSS_END,
  /* Scopes for whose record, or statistics, memory or disk space was
   * missing. */
  PROF_SCOPE_LOSS_MEMORY,
  /* Records that were overwritten in rings of threads that had ended. */
  PROF_SCOPE_LOSS_RING,
  /* Names for which memory was missing: their scopes are not recorded. */
  PROF_SCOPE_LOSS_NAME,
  /* Calls of prof_scope_stop without a session. */
  PROF_SCOPE_LOSS_STOP,
  /* Resumed scopes that were not suspended, and the reverse. */
  PROF_SCOPE_LOSS_RESUME,
  /* Files that could not be made. */
  PROF_SCOPE_LOSS_FILE,
  /* Sessions that asked for devices where none could be recorded. */
  PROF_SCOPE_LOSS_DEVICE,
  /* Scopes that other threads ended, and whose counts are missing, or for which
   * nothing reported allocations. */
  PROF_SCOPE_LOSS_COUNTS,
  /* Copies of the runtime that could not join the registry of the others: their
   * scopes are not here. */
  PROF_SCOPE_LOSS_REGISTRY,
  /* Resets while several sessions were recording. */
  PROF_SCOPE_LOSS_RESET,
  /* Calls of signal handlers that interrupted the profiler itself, and scopes
   * that those calls overwrote. */
  PROF_SCOPE_LOSS_HANDLER,
  /* Readings of the clocks that differ by more than 1e-3 from those before, as
   * after a suspension of the machine: times may be wrong by as much. And
   * intervals measured elsewhere that are not recorded, since they cannot be
   * right. */
  PROF_SCOPE_LOSS_CLOCK,
  PROF_SCOPE_LOSSES,
};

/* A reading of the tick counter and the clocks at the same moment. */
typedef struct prof_scope_clocks {
  uint64_t ticks;
  /* Time of CLOCK_MONOTONIC. */
  uint64_t monotonic_ns;
  /* Since the epoch. */
  uint64_t realtime_ns;
  /* The clocks were read within so many ticks around `ticks`. */
  uint64_t bracket;
} prof_scope_clocks;

/* The clock whose ticks these are. */
enum prof_scope_clock {
  /* The processor's counter, which counts at one rate. */
  PROF_SCOPE_CLOCK_COUNTER = 1,
  /* CLOCK_MONOTONIC, in nanoseconds: the processor does not have such a
   * counter. */
  PROF_SCOPE_CLOCK_SYSTEM = 2,
  /* One that a test has set, in nanoseconds. */
  PROF_SCOPE_CLOCK_TEST = 3,
};

/* Readings between the first and the last one. */
#define PROF_SCOPE_READINGS 8

/* The amounts that a scope may count. */
enum prof_scope_count {
  PROF_SCOPE_COUNT_ALLOCATIONS,
  PROF_SCOPE_COUNT_BYTES,
  /* Nanoseconds. */
  PROF_SCOPE_COUNT_CPU_TIME,
  PROF_SCOPE_COUNT_CYCLES,
  PROF_SCOPE_COUNT_INSTRUCTIONS,
  PROF_SCOPE_COUNT_CACHE_MISSES,
  PROF_SCOPE_COUNT_BRANCH_MISSES,
  PROF_SCOPE_COUNT_PAGE_FAULTS,
  PROF_SCOPE_COUNT_CONTEXT_SWITCHES,
  PROF_SCOPE_COUNTS,
};

/* The way in which counters are read. */
enum prof_scope_counters {
  PROF_SCOPE_COUNTERS_NONE = 0,
  /* Those of the processor, by an instruction of the thread. */
  PROF_SCOPE_COUNTERS_INSTRUCTION = 1,
  /* Those of the processor, by a call of the system. */
  PROF_SCOPE_COUNTERS_CALL = 2,
  /* Page faults and context switches, by a call of the system. */
  PROF_SCOPE_COUNTERS_SOFTWARE = 3,
};

/* The groups of counts that are read together. */
enum prof_scope_group {
  PROF_SCOPE_GROUP_ALLOCATIONS,
  PROF_SCOPE_GROUP_CPU_TIME,
  PROF_SCOPE_GROUP_COUNTERS,
  PROF_SCOPE_GROUPS,
};

/* Costs are in 1/PROF_SCOPE_COST_SCALE ticks. */
#define PROF_SCOPE_COST_SCALE 1024

/* The first block. It has a second copy of this, PROF_SCOPE_PROCESS_OTHER
 * bytes behind the first one: a process writes the one that is not valid, and
 * then makes it the valid one, so that a kill leaves one that is whole. */
typedef struct prof_scope_process {
  prof_scope_block block;
  uint64_t process;
  uint64_t parent;
  /* The first reading and the last one. */
  prof_scope_clocks first;
  prof_scope_clocks last;
  /* Duration that an empty scope measures, and time that a scope adds to the
   * code around it, its own duration included. */
  uint64_t cost_window;
  uint64_t cost_pair;
  /* If the readings do not tell it; else 0. */
  uint64_t ticks_per_second;
  uint32_t modes;
  uint32_t sample_every;
  uint64_t ring_records;
  /* prof_scope_clock. */
  uint32_t clock;
  /* prof_scope_counters. */
  uint32_t counters;
  /* Any of prof_scope_counting that the session counts in every scope. */
  uint32_t counting;
  /* 1 if scopes of devices were asked for. */
  uint32_t devices;
  /* By how much the costs above grow with a group of counts, and the counts of
   * an empty scope, in 1/PROF_SCOPE_COST_SCALE. */
  uint64_t group_window[PROF_SCOPE_GROUPS];
  uint64_t group_pair[PROF_SCOPE_GROUPS];
  uint64_t empty_count[PROF_SCOPE_COUNTS];
  /* In order of time; unused ones are 0. */
  prof_scope_clocks readings[PROF_SCOPE_READINGS];
  /* 1 if the recording was stopped: all records are complete. */
  uint32_t closed;
  uint32_t reserved;
  /* In the first copy only, with `newest` and the block but its session. */
  uint64_t losses[PROF_SCOPE_LOSSES];
  /* The valid copy, 0 or 1. */
  uint32_t newest;
  uint32_t reserved_too;
} prof_scope_process;

#define PROF_SCOPE_PROCESS_OTHER 2048

/* The part of the recording that counts, at the end of the first page: scopes
 * that began before `from_ticks` are left out, and those that ended after
 * `to_ticks` are open. All zero: everything. */
typedef struct prof_scope_part {
  uint64_t from_ticks;
  uint64_t to_ticks;
  uint32_t from_generation;
  uint32_t to_generation;
} prof_scope_part;

#define PROF_SCOPE_PART (PROF_SCOPE_PAGE - sizeof(prof_scope_part))

typedef struct prof_scope_sites {
  prof_scope_block block;
  /* Bytes of entries that follow. */
  uint64_t used;
} prof_scope_sites;

/* A site, followed by its name, its file and padding to 8 bytes. */
typedef struct prof_scope_site_entry {
  uint32_t id;
  uint32_t line;
  uint16_t type;
  uint8_t level;
  uint8_t role;
  uint32_t name_size;
  uint32_t file_size;
  uint32_t reserved;
} prof_scope_site_entry;

/* A scope that is open: begin, and site | state << 24 | serial << 32. */
typedef struct prof_scope_slot {
  uint64_t begin;
  uint64_t word;
} prof_scope_slot;

/* Records that a thread may be writing; those that it overwrites in a ring may
 * be torn. */
#define PROF_SCOPE_IN_FLIGHT 11

#define PROF_SCOPE_SITE_BITS 24
#define PROF_SCOPE_SITES_MAX ((UINT32_C(1) << PROF_SCOPE_SITE_BITS) - 1)
#define PROF_SCOPE_SLOT_SITE(word) ((uint32_t)((word) & PROF_SCOPE_SITES_MAX))
#define PROF_SCOPE_SLOT_STATE(word)                                            \
  ((uint32_t)((word) >> PROF_SCOPE_SITE_BITS & 255))
#define PROF_SCOPE_SLOT_SERIAL(word) ((uint32_t)((word) >> 32))

/* Bits of the state of a slot. */
enum prof_scope_state {
  /* Has ended, but a scope above it is open. */
  PROF_SCOPE_STATE_DEAD = 1,
  /* Was ended by another thread, and its mark was not written. */
  PROF_SCOPE_STATE_MOVED = 2,
  /* Has a number by which others refer to it. */
  PROF_SCOPE_STATE_NUMBERED = 4,
  /* Is a context, not a scope. */
  PROF_SCOPE_STATE_LINK = 8,
  /* Is a resumed scope. */
  PROF_SCOPE_STATE_RESUMED = 16,
  /* Is not an event, because of sampling. */
  PROF_SCOPE_STATE_SKIPPED = 32,
  /* Does not fit the slot field of a record. */
  PROF_SCOPE_STATE_DEEP = 64,
  /* Counts something. */
  PROF_SCOPE_STATE_COUNTING = 128,
};

/* A thread with its open scopes, outermost first: slots and then as many
 * numbers of scopes. */
typedef struct prof_scope_threads {
  prof_scope_block block;
  uint64_t id;
  char name[32];
  uint32_t depth;
  uint32_t capacity;
  /* Ticks at its end; 0 while it runs. */
  uint64_t ended;
  /* 1 while it is being made: the block before it is valid. */
  uint32_t replaced;
  /* The number of the device of which it is a track, with `id`; or 0. */
  uint32_t device;
  /* For a device, ticks of its clock a second, or 0. */
  uint64_t ticks_per_second;
  /* 1 if it was mapped from a file. */
  uint32_t in_file;
  uint32_t reserved;
  prof_scope_slot slots[];
} prof_scope_threads;

/* The id of the thread that has the readings of a device's clock; its name is
 * the device's. */
#define PROF_SCOPE_TRACK_CLOCK UINT64_MAX

/* 16 bytes, written when a scope ends: a thread's records are in the order of
 * ends. The kind is in the highest 4 bits of the first word, 0 for a scope:
 *   first  = begin in ticks
 *   second = ticks << 32 | site << 8 | slot
 * where slot is the number of the thread's scopes around it. */
typedef struct prof_scope_record_words {
  uint64_t first;
  uint64_t second;
} prof_scope_record_words;

#define PROF_SCOPE_KIND_SHIFT 60
#define PROF_SCOPE_TICKS_MASK ((UINT64_C(1) << PROF_SCOPE_KIND_SHIFT) - 1)
#define PROF_SCOPE_SLOTS_INLINE 255

enum prof_scope_kind {
  PROF_SCOPE_KIND_SCOPE = 0,
  /* Precedes a record of a scope with more than fits there:
   *   first  = flags << 32 | slot
   *   second = ticks >> 32 << 32 | number, or 0 */
  PROF_SCOPE_KIND_PREFIX = 1,
  /* A scope that follows a prefix. */
  PROF_SCOPE_KIND_PREFIXED = 2,
  /* The scope in a slot of this thread was ended by another one:
   *   first  = flags << 32 | slot
   *   second = its number */
  PROF_SCOPE_KIND_MARK = 3,
  /* A context ends:
   *   first  = flags << 32 | slot
   *   second = number of the scope */
  PROF_SCOPE_KIND_LINK = 4,
  /* This thread ended a scope of another one; a continuation with its begin
   * and ticks follows:
   *   first  = flags << 32 | number
   *   second = (slot & 255) << 56 | site << 32 | number of the thread */
  PROF_SCOPE_KIND_MOVED = 5,
  /* Measured elsewhere; a continuation with 0 and the begin follows:
   *   first  = site
   *   second = duration, both in ns of CLOCK_MONOTONIC */
  PROF_SCOPE_KIND_OUTSIDE = 6,
  /* On a track of a device; a continuation with the duration and the begin
   * follows, on the device's clock:
   *   first  = number of readings of the device's clock before << 24 | site
   *   second = correlation, or 0 */
  PROF_SCOPE_KIND_DEVICE = 7,
  /* A reading of a device's clock; a continuation with the ticks before and the
   * device's time follows:
   *   first  = 0
   *   second = ticks until after it */
  PROF_SCOPE_KIND_READING = 8,
  /* The scope `number` gives work to a device:
   *   first  = device << 32 | number
   *   second = correlation */
  PROF_SCOPE_KIND_LAUNCH = 9,
  /* The scope whose record follows the counts has counted:
   *   first  = prof_scope_count
   *   second = amount */
  PROF_SCOPE_KIND_COUNT = 10,
  PROF_SCOPE_KIND_CONTINUATION = 15,
};

enum prof_scope_flags {
  /* The scope in the slot below had ended; its record is the last one of that
   * slot. */
  PROF_SCOPE_FLAG_ORPHAN = 1,
  /* A scope that began within it was still open. */
  PROF_SCOPE_FLAG_OVERLAP = 2,
  /* Was suspended, not ended; its number is that of the further parts. */
  PROF_SCOPE_FLAG_SUSPENDED = 4,
  /* Is a further part of a scope. */
  PROF_SCOPE_FLAG_RESUMED = 8,
};

typedef struct prof_scope_records {
  prof_scope_block block;
  /* Records of the thread before this block. */
  uint64_t before;
  /* Records written here; a ring keeps the last `capacity`. */
  uint64_t used;
  /* Records that fit. */
  uint64_t capacity;
  /* Ticks when it was full; 0 before. */
  uint64_t until;
  /* 1 unless it was mapped from a file. */
  uint64_t in_memory;
  prof_scope_record_words records[];
} prof_scope_records;

/* Durations up to 2^63 ticks: those below 8, then 8 buckets an octave. */
#define PROF_SCOPE_BUCKETS 496

typedef struct prof_scope_row {
  uint32_t site;
  /* Odd while the row changes. */
  uint32_t sequence;
  uint64_t calls;
  uint64_t total;
  uint64_t self;
  uint64_t min;
  uint64_t max;
  /* Scopes directly inside, and inside at any depth. */
  uint64_t children;
  uint64_t inside;
  /* Number of durations in each bucket. */
  uint32_t counts[PROF_SCOPE_BUCKETS];
} prof_scope_row;

typedef struct prof_scope_statistics {
  prof_scope_block block;
  uint32_t generation;
  uint32_t used;
  uint64_t reserved[4];
  prof_scope_row rows[];
} prof_scope_statistics;

#endif /* MLIR_PROF_RUNTIME_PROF_SCOPE_FILE_H */
