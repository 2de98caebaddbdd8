/*===- prof_raw.h - The file that the runtime writes ---------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The format "prof-raw", version 1.2: what prof_rt_write writes and the
 * importer of that name reads. Everything is a sequence of 64-bit little-endian
 * words; the structs below name the words of a record in order. Signed words
 * are two's complement.
 *
 *   file    = header, then header.sections sections
 *   section = prof_raw_section, then its payload: section.length bytes, which
 *             are followed by zeros up to a multiple of 8
 *
 * A reader skips sections of a type that it does not know and words behind
 * those that it knows of a record that stands alone (a newer minor version may
 * have some), and refuses another major version. Checksums are
 * CRC-32 (reflected, polynomial 0xEDB88320, as zlib's).
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_RAW_H
#define MLIR_PROF_RUNTIME_PROF_RAW_H

#include <stdint.h>

/* The file begins with the bytes "\x89MLPRAW\n". */
#define PROF_RAW_MAGIC UINT64_C(0x0a574152504c4d89)
#define PROF_RAW_MAJOR 1
#define PROF_RAW_MINOR 2

typedef struct prof_raw_header {
  uint64_t magic;
  /* Major version * 2^32 + minor version. */
  uint64_t version;
  /* Of the whole file, in bytes. */
  uint64_t size;
  uint64_t sections;
  /* Of all that follows the header. */
  uint64_t checksum;
} prof_raw_header;

typedef struct prof_raw_section {
  uint64_t type;
  /* The module that it is about, or 0. Modules are numbered from 0, in order.
   */
  uint64_t module;
  /* Bytes of payload, without the padding. */
  uint64_t length;
} prof_raw_section;

enum prof_raw_type {
  /* One prof_raw_clock. First in the file. */
  PROF_RAW_CLOCK = 1,
  /* prof_raw_thread records. */
  PROF_RAW_THREADS = 2,
  /* One prof_raw_module; comes before all else about that module. */
  PROF_RAW_MODULE = 3,
  /* A serialized mlirprof.Program. */
  PROF_RAW_METADATA = 4,
  /* A thread's number, or PROF_RAW_ENDED for the sum over threads that have
   * ended, then prof_raw_slot records in ascending order. */
  PROF_RAW_SLOTS = 5,
  /* prof_raw_instance records. */
  PROF_RAW_INSTANCES = 6,
  /* prof_raw_values, then for each tuple its count and its values. */
  PROF_RAW_VALUES = 7,
  /* prof_raw_loss records, of the process and all modules. */
  PROF_RAW_LOSSES = 8,
  /* Since 1.2, of modules that prof_rt_mark was called for: for each probe that
   * ran a prof_raw_spread, then of each bucket how many executions it has and
   * their ticks. */
  PROF_RAW_SPREAD = 9
};

#define PROF_RAW_ENDED UINT64_MAX

/* Costs are in 1/PROF_RAW_COST_SCALE ticks. */
#define PROF_RAW_COST_SCALE 1024

typedef struct prof_raw_clock {
  /* Two readings of the tick counter and of CLOCK_MONOTONIC at the same
   * moments: the start of the process and the writing. Without an operating
   * system the nanoseconds are 0. */
  uint64_t start_ticks;
  uint64_t start_ns;
  uint64_t end_ticks;
  uint64_t end_ns;
  /* Nanoseconds since the epoch at end_ticks; 0 when unknown. */
  uint64_t epoch_ns;
  /* Where no clock tells: ticks a second, or 0 when unknown. */
  uint64_t ticks_per_second;
  /* Ticks at the last reset, or at the start. */
  uint64_t since_ticks;
  uint64_t process;
  /* What an inline probe reads with nothing in it, and what it adds to the time
   * of what it is in. */
  uint64_t inline_window;
  uint64_t inline_pair;
  /* The same for probes that call the handler; 0 when none did. */
  uint64_t call_window;
  uint64_t call_pair;
  /* Since 1.1: what the record of an instance adds to the time of what it is
   * in; 0 when none was kept. */
  uint64_t instance;
} prof_raw_clock;

typedef struct prof_raw_thread {
  /* Numbered from 0 in order of their first measurement. Threads that have
   * ended are listed too. */
  uint64_t number;
  /* The operating system's number for it. */
  uint64_t id;
} prof_raw_thread;

typedef struct prof_raw_module {
  /* prof_rt_module::abi, probes, tables, instances. */
  uint64_t abi;
  uint64_t probes;
  uint64_t tables;
  uint64_t instances;
  /* 1 when probes of it called the handler. */
  uint64_t called;
  /* Since 1.1: the address of its first function, or 0 when unknown. */
  uint64_t code;
} prof_raw_module;

/* Probes that did not run are left out. */
typedef struct prof_raw_slot {
  uint64_t probe;
  /* Of all its executions, in ticks. */
  int64_t ticks;
  uint64_t count;
  /* Ticks of probes directly inside of it, and executions of all probes inside
   * of it, on the same thread. */
  int64_t inside_ticks;
  uint64_t inside_executions;
  /* Those of the executions inside that are of children; of functions that were
   * called, all. */
  uint64_t direct_executions;
} prof_raw_slot;

/* Buckets of a spread: one for each value below PROF_RAW_SPREAD_STEPS, then so
 * many an octave: value >> shift, behind PROF_RAW_SPREAD_STEPS * shift others,
 * with the shift that leaves PROF_RAW_SPREAD_STEPS to twice that. The last one
 * holds all that is larger, from 2^40 ticks on. */
#define PROF_RAW_SPREAD_STEPS 8
#define PROF_RAW_SPREAD_BUCKETS 305

/* Time of the executions of a probe, of all threads, without what was inside of
 * them: ticks minus inside_ticks of the slot. Executions between two marks
 * count as alike. */
typedef struct prof_raw_spread {
  uint64_t probe;
  int64_t min;
  int64_t max;
  /* The first bucket that has any, and how many buckets follow. */
  uint64_t first;
  uint64_t buckets;
} prof_raw_spread;

typedef struct prof_raw_instance {
  uint64_t probe;
  uint64_t thread;
  int64_t begin_ticks;
  int64_t end_ticks;
  /* Where the code went on after the calls of the handler. An inline probe
   * calls at its end only: the begin is 0, the end is in the code that runs for
   * the first instances. */
  uint64_t begin_address;
  uint64_t end_address;
} prof_raw_instance;

typedef struct prof_raw_values {
  uint64_t table;
  /* Values in a tuple. */
  uint64_t length;
  uint64_t tuples;
  /* Observations of tuples that found no room. */
  uint64_t other;
} prof_raw_values;

enum prof_raw_loss_kind {
  /* Calls of prof_rt_base that got no block of their own. */
  PROF_RAW_LOSS_BLOCK = 1,
  /* Records beyond memory. */
  PROF_RAW_LOSS_INSTANCE = 2,
  /* Observations of values beyond memory or of a wrong table or length. */
  PROF_RAW_LOSS_VALUE = 3,
  /* Calls of the handler that found no begin, no memory, or a wrong id. */
  PROF_RAW_LOSS_HANDLER = 4,
  /* Modules that could not be registered (no memory, another ABI). */
  PROF_RAW_LOSS_MODULE = 5,
  /* Calls of prof_rt_mark that found no memory for a module. */
  PROF_RAW_LOSS_SPREAD = 6,
  PROF_RAW_LOSS_KINDS = 7
};

typedef struct prof_raw_loss {
  uint64_t kind;
  uint64_t count;
} prof_raw_loss;

#endif /* MLIR_PROF_RUNTIME_PROF_RAW_H */
