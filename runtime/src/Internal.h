/*===- Internal.h - Data structures of the runtime -----------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Ownership and locks:
 *  - A block's slots are changed by the thread that owns it, without locks, and
 *    read by anyone (words, relaxed).
 *  - Lists of modules, threads and blocks grow under prt.registry; nothing in
 *    them is ever freed, because instrumented code keeps pointers.
 *  - Locks are taken in this order: prt.registry, prt_block.cells_lock,
 *    prt_module.lock, prt_memory.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_INTERNAL_H
#define MLIR_PROF_RUNTIME_INTERNAL_H

#include "Atomic.h"
#include "mlir-prof/Runtime/prof_raw.h"
/* All other symbols are hidden. */
#pragma GCC visibility push(default)
#include "mlir-prof/Runtime/prof_rt.h"
#pragma GCC visibility pop

/* The two functions that every compiler expects; <string.h> may be missing. */
#define prt_copy __builtin_memcpy
#define prt_zero(address, size) __builtin_memset(address, 0, size)

#define RT_BUCKETS 32
/* Records in one piece of a list of instances. */
#define RT_RECORDS 64
/* Limit on the open calls of the handler on a thread that are measured, and the
 * number of ids of further ones in one piece of a list. */
#define RT_FRAMES 512
#define RT_IDS 1020
/* Ended threads in one piece of a list. */
#define RT_ENDED 126
/* Begin addresses of a probe that are distinguished from its end addresses;
 * code that was copied (unrolled, inlined) has several. */
#define RT_BEGINS 4

typedef struct prt_tuple {
  struct prt_tuple *next;
  /* The next one in a list of unused entries. */
  struct prt_tuple *aside;
  uint64_t count;
  uint64_t hash;
  int64_t values[];
} prt_tuple;

typedef struct prt_table {
  uint32_t length;
  uint32_t tuples;
  uint64_t other;
  prt_tuple *buckets[RT_BUCKETS];
  /* Entries from before the last reset, which other threads may still be
   * counting, and entries from before that, which are reused. */
  prt_tuple *old;
  prt_tuple *unused;
} prt_table;

typedef struct prt_records {
  struct prt_records *next;
  uint32_t used;
  prof_raw_instance records[RT_RECORDS];
} prt_records;

/* How the executions of a probe differ; `self` and `count` are sums over all
 * threads, and the marked ones their values at the last mark. */
typedef struct prt_spread {
  int64_t self;
  int64_t count;
  int64_t marked_self;
  int64_t marked_count;
  /* Minimum of an execution; meaningless until one was added. */
  int64_t min;
  int64_t max;
  uint64_t added;
  uint32_t counts[PROF_RAW_SPREAD_BUCKETS];
  int64_t sums[PROF_RAW_SPREAD_BUCKETS];
} prt_spread;

/* The target of prof_rt_module.state. */
typedef struct prt_module {
  struct prt_module *next;
  uint32_t index;
  uint32_t probes;
  uint32_t tables;
  uint32_t instances;
  uint32_t abi;
  /* 1 if it has probes that call the handler. */
  uint32_t called;
  prt_lock lock;
  uint32_t *parents;
  prt_table *table;
  /* For each table the position of its cell in a block. */
  uint32_t *cells;
  const char *metadata;
  uint64_t metadata_size;
  /* Number of words in a block: slots, cells and numbers of open executions,
   * the first of which is at `open`. */
  uint32_t words;
  uint32_t open;
  /* Derived slots of blocks of threads that have ended; probe is unused. */
  prof_raw_slot *ended;
  /* Scratch memory for deriving one block. */
  prof_raw_slot *derived;
  int64_t *children;
  /* For each probe; null before the first prof_rt_mark. */
  prt_spread *spread;
  /* Instances recorded of each probe, and the records. */
  uint32_t *recorded;
  prt_records *first_records;
  prt_records *last_records;
  /* prof_rt_module.code. */
  uint64_t code;
  /* Copies of prof_rt_module.probe_places and table_places, or null; the number
   * of probes and tables that the metadata lists. */
  uint64_t *probe_places;
  uint64_t *table_places;
  uint32_t listed_probes;
  uint32_t listed_tables;
  struct prt_block *blocks;
} prt_module;

typedef struct prt_frame {
  uint32_t id;
  int64_t begin;
  const void *address;
  int64_t called_ticks;
  int64_t called_executions;
  /* Number of prof_rt_handler calls that had begun a probe before this one. */
  int64_t executions;
} prt_frame;

/* A doubly linked list. */
typedef struct prt_ids {
  struct prt_ids *next;
  struct prt_ids *previous;
  uint32_t used;
  uint32_t ids[RT_IDS];
} prt_ids;

/* The handler's state for a thread and a module. */
typedef struct prt_handler {
  uint32_t depth;
  /* Begins without a frame that have not ended: their ids, innermost last. */
  uint32_t beyond;
  /* No memory was left to distinguish begins from ends: nothing is measured. */
  uint32_t lost;
  prt_ids *first_ids;
  prt_ids *ids;
  int64_t executions;
  prt_frame frames[RT_FRAMES];
  /* RT_BEGINS for each probe, null after the last. */
  const void *begins[];
} prt_handler;

/* A thread's measurements of one module. */
typedef struct prt_block {
  struct prt_block *next;
  prt_module *module;
  struct prt_thread *thread;
  /* Slots are relative to `baseline`, which a reset sets; `epoch` is the reset
   * from which the slots count. */
  uint32_t epoch;
  prt_lock cells_lock;
  int64_t *slots;
  int64_t *baseline;
  /* For each table, the part of its cell's COUNT already in the table. */
  int64_t *flushed;
  prt_handler *handler;
} prt_block;

typedef struct prt_thread {
  struct prt_thread *next;
  uint64_t number;
  uint64_t id;
  /* 1 once its thread has ended: then another thread may reuse it. */
  uint32_t ended;
  /* Indexed by module; used by the owner only. */
  uint32_t capacity;
  prt_block **blocks;
} prt_thread;

typedef struct prt_ended {
  struct prt_ended *next;
  uint32_t used;
  prof_raw_thread threads[RT_ENDED];
} prt_ended;

typedef struct prt_state {
  prt_lock registry;
  uint32_t started;
  uint32_t epoch;
  uint32_t module_count;
  uint64_t thread_count;
  prt_module *modules;
  prt_module *last_module;
  prt_thread *threads;
  prt_thread *last_thread;
  /* Threads whose records were reused by others. */
  prt_ended *ended;
  prof_raw_clock clock;
  uint64_t losses[PROF_RAW_LOSS_KINDS];
} prt_state;

extern prt_state prt;

static inline void prt_lose(enum prof_raw_loss_kind kind) {
  RT_ADD(&prt.losses[kind], 1);
}

/* Memory.c: zeroed and aligned to 64 bytes; null if memory is exhausted. */
extern prt_lock prt_memory;
void *prt_allocate(uint64_t size);
/* `count` elements of `size` bytes. */
void *prt_allocate_array(uint64_t count, uint64_t size);

/* Registry.c */
/* Registers `module`. If that fails, it does not have probes or tables. */
prt_module *prt_register(prof_rt_module *module);
/* The calling thread's block, or null. */
prt_block *prt_get_block(prt_module *module);

/* Derive.c */
/* Fills module->derived from a block. Under prt.registry. */
void prt_derive(prt_module *module, const prt_block *block);
/* Adds the block to module->ended and restarts it. Under prt.registry. */
void prt_retire(prt_block *block);
/* Makes the slots of a block count from the last reset. Under prt.registry, by
 * the block's thread. */
void prt_rebase(prt_block *block);

/* Spread.c: adds the executions since the last mark to module->spread, which
 * must exist. Under prt.registry. */
void prt_mark(prt_module *module);

/* Values.c: moves the content of a block's cells into the tables. Takes the
 * block's lock. */
void prt_flush_cells(prt_block *block);
/* Resets all counts. Under prt.registry. */
void prt_reset_tables(prt_module *module);
/* The smallest runtime does not have values (Values.c) or marks (Spread.c),
 * which instrumented code calls only if it is made with them. */
#ifdef PROF_RT_SMALL
#define prt_flush_cells(block) ((void)(block))
#define prt_reset_tables(module) ((void)(module))
#endif

/* Instances.c */
void prt_record(prt_block *block, uint32_t probe, int64_t begin, int64_t end,
                const void *begin_address, const void *end_address);
void prt_reset_records(prt_module *module);

/* Cost.c: fill prt.clock. The second does so once, without holding a lock. */
void prt_measure_inline_cost(void);
void prt_measure_call_cost(void);
/* Once, under prt.registry. */
void prt_measure_instance_cost(void);

/* Handler.c: the part of prof_rt_handler that uses the block. */
void prt_handle(prt_block *block, uint32_t id, const void *address,
                int64_t now);

/* The clock that inline probes of generated code read. Those of programs with
 * the smallest runtime call prof_rt_ticks. */
static inline int64_t prt_inline_ticks(void) {
#if (defined(__x86_64__) || defined(__i386__)) && !defined(PROF_RT_SMALL)
  return (int64_t)__builtin_ia32_rdtsc();
#else
  return prof_rt_ticks();
#endif
}

/* Serialize.c: writes as much as fits and returns the required size. */
uint64_t prt_serialize(char *buffer, uint64_t capacity);
/* The checksum of bytes whose checksum is `before`, at first 0, and of `bytes`
 * after them. */
uint32_t prt_checksum(uint32_t before, const char *bytes, uint64_t size);

/* System.c or Bare.c */
prt_thread *prt_get_thread(void);
/* Stores the thread's record and arranges for `ended` to be set at its end; 0
 * if that fails. */
int prt_set_thread(prt_thread *thread);
uint64_t prt_thread_id(void);
/* Whole pages from the operating system, or null. */
void *prt_map(uint64_t size);
/* Called once, when the first module is registered: reads the clock, and
 * arranges for writing at exit and for forks. */
void prt_start(void);
/* Reads ticks and, if there is one, the clock, at the same moment. */
void prt_read_clock(uint64_t *ticks, uint64_t *nanoseconds);
/* Completes prt.clock for writing. */
void prt_finish_clock(void);

/* For models. ExecutorFork.c: makes executors work in forked processes. */
void pex_watch_forks(void);
/* ExecutorThreads.c: sends a signal to the threads that an executor created. In
 * handlers, too. */
struct prof_executor;
void pex_signal_threads(const struct prof_executor *executor, int number);
/* ExecutorPlan.c: what a program's `state` refers to. */
typedef struct pex_plan pex_plan;
void pex_free_plan(pex_plan *plan);

#endif /* MLIR_PROF_RUNTIME_INTERNAL_H */
