/*===- prof_raw.h - The runtime's output file ----------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The format "prof-raw", version 1.4: the output of prof_rt_write and the input
 * of the importer with that name. The file is a sequence of 64-bit
 * little-endian words; the structs below name the words of a record in order.
 * Signed words are two's complement.
 *
 *   file    = header, then header.sections sections
 *   section = prof_raw_section, then its payload: section.length bytes, which
 *             are followed by zeros up to a multiple of 8
 *
 * A reader skips sections of an unknown type, and unknown words at the end of a
 * single record (a newer minor version may have some), and rejects another
 * major version. Checksums are CRC-32 (reflected, polynomial 0xEDB88320, like
 * zlib's).
 *
 * For serial lines and logs the file is also text, one line for each piece:
 *
 *   ~prof OFFSET BYTES CHECKSUM
 *   ~prof SIZE end CHECKSUM
 *
 * Numbers and bytes are hexadecimal. OFFSET, SIZE and CHECKSUM have 8 digits,
 * and BYTES 2 for each of 1 to PROF_RAW_FRAME bytes. The checksum of a piece is
 * that of its offset, 4 bytes with the lowest first, and its bytes; the
 * checksum of the last line, which states the size of the file, is that of the
 * whole file. Other lines may come between, and a line may have other text
 * before "~prof" and after the checksum.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_RAW_H
#define MLIR_PROF_RUNTIME_PROF_RAW_H

#include <stdint.h>

/* The file begins with the bytes "\x89MLPRAW\n". */
#define PROF_RAW_MAGIC UINT64_C(0x0a574152504c4d89)
#define PROF_RAW_MAJOR 1
#define PROF_RAW_MINOR 4
/* The most bytes in a line of text. */
#define PROF_RAW_FRAME 32

typedef struct prof_raw_header {
  uint64_t magic;
  /* Major version * 2^32 + minor version. */
  uint64_t version;
  /* Size of the whole file, in bytes. */
  uint64_t size;
  uint64_t sections;
  /* Checksum of everything that follows the header. */
  uint64_t checksum;
} prof_raw_header;

typedef struct prof_raw_section {
  uint64_t type;
  /* The module to which it belongs, or 0. Modules are numbered from 0, in
   * order. */
  uint64_t module;
  /* Bytes of payload, excluding the padding. */
  uint64_t length;
} prof_raw_section;

enum prof_raw_type {
  /* One prof_raw_clock. First in the file. */
  PROF_RAW_CLOCK = 1,
  /* prof_raw_thread records. */
  PROF_RAW_THREADS = 2,
  /* One prof_raw_module; comes before all other sections of that module. */
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
  /* Since 1.2, for modules that called prof_rt_mark: for each probe that ran a
   * prof_raw_spread, then for each bucket the number of its executions and
   * their ticks. */
  PROF_RAW_SPREAD = 9,
  /* Since 1.4, what a tick is where it is not a time: words with the bytes of
   * prof_rt_counter(), followed by zeros. */
  PROF_RAW_COUNTER = 10
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
  /* Nanoseconds since the epoch at end_ticks; 0 if unknown. */
  uint64_t epoch_ns;
  /* Ticks per second if there is no clock, or 0 if unknown. */
  uint64_t ticks_per_second;
  /* Ticks at the last reset, or at the start. */
  uint64_t since_ticks;
  uint64_t process;
  /* The ticks that an empty inline probe measures, and the ticks that it adds
   * to the time of the code around it. */
  uint64_t inline_window;
  uint64_t inline_pair;
  /* The same for probes that call the handler; 0 if there were none. */
  uint64_t call_window;
  uint64_t call_pair;
  /* Since 1.1: the ticks that recording an instance adds to the time of the
   * code around it; 0 if none was kept. */
  uint64_t instance;
} prof_raw_clock;

typedef struct prof_raw_thread {
  /* Numbered from 0 in order of their first measurement. Threads that have
   * ended are listed too. */
  uint64_t number;
  /* The thread's number in the operating system. */
  uint64_t id;
} prof_raw_thread;

typedef struct prof_raw_module {
  /* prof_rt_module::abi, the numbers of probes and tables that the metadata
   * lists, and prof_rt_module::instances. */
  uint64_t abi;
  uint64_t probes;
  uint64_t tables;
  uint64_t instances;
  /* 1 if probes of it called the handler. */
  uint64_t called;
  /* Since 1.1: the address of its first function, or 0 if unknown. */
  uint64_t code;
} prof_raw_module;

/* Since 1.3, a number of a probe or of a table of values may name a dispatch,
 * too, whose kernel has the code: the number is in the lower 32 bits, and an
 * index into Program.instances, plus 1, in the upper ones. They are 0 if the
 * dispatch is not known. */
#define PROF_RAW_PLACE(number, instance)                                       \
  ((uint64_t)(uint32_t)(number) | ((uint64_t)(instance) + 1) << 32)

/* Probes that did not run are left out. */
typedef struct prof_raw_slot {
  uint64_t probe;
  /* Ticks of all its executions. */
  int64_t ticks;
  uint64_t count;
  /* Ticks of probes directly inside of it, and executions of all probes inside
   * of it, on the same thread. */
  int64_t inside_ticks;
  uint64_t inside_executions;
  /* Number of the executions inside that are by children; for called functions,
   * of all. */
  uint64_t direct_executions;
} prof_raw_slot;

/* Buckets of a spread: one for each value below PROF_RAW_SPREAD_STEPS, then
 * that many per octave: value >> shift, after PROF_RAW_SPREAD_STEPS * shift
 * others, with the shift that leaves PROF_RAW_SPREAD_STEPS to twice that. The
 * last one holds all larger values, from 2^40 ticks on. */
#define PROF_RAW_SPREAD_STEPS 8
#define PROF_RAW_SPREAD_BUCKETS 305

/* Time of the executions of a probe, on all threads, without nested executions:
 * ticks minus inside_ticks of the slot. Executions between two marks count as
 * equal. */
typedef struct prof_raw_spread {
  uint64_t probe;
  int64_t min;
  int64_t max;
  /* The first bucket with executions, and the number of buckets that follow. */
  uint64_t first;
  uint64_t buckets;
} prof_raw_spread;

typedef struct prof_raw_instance {
  uint64_t probe;
  uint64_t thread;
  int64_t begin_ticks;
  int64_t end_ticks;
  /* Return addresses of the calls of the handler. An inline probe calls at its
   * end only: the begin is 0, and the end is in the code that runs for the
   * first instances. */
  uint64_t begin_address;
  uint64_t end_address;
} prof_raw_instance;

typedef struct prof_raw_values {
  uint64_t table;
  /* Number of values in a tuple. */
  uint64_t length;
  uint64_t tuples;
  /* Observations of tuples that did not fit. */
  uint64_t other;
} prof_raw_values;

enum prof_raw_loss_kind {
  /* Calls of prof_rt_base that did not get their own block. */
  PROF_RAW_LOSS_BLOCK = 1,
  /* Records that did not fit into memory. */
  PROF_RAW_LOSS_INSTANCE = 2,
  /* Observations of values that did not fit into memory, or with a wrong table
   * or length. */
  PROF_RAW_LOSS_VALUE = 3,
  /* Calls of the handler without a begin, without memory, or with a bad id. */
  PROF_RAW_LOSS_HANDLER = 4,
  /* Modules that could not be registered (no memory, another ABI). */
  PROF_RAW_LOSS_MODULE = 5,
  /* Calls of prof_rt_mark without memory for a module. */
  PROF_RAW_LOSS_SPREAD = 6,
  PROF_RAW_LOSS_KINDS = 7
};

typedef struct prof_raw_loss {
  uint64_t kind;
  uint64_t count;
} prof_raw_loss;

#endif /* MLIR_PROF_RUNTIME_PROF_RAW_H */
