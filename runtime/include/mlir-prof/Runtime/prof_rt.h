/*===- prof_rt.h - Runtime of instrumented code --------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The definition of the ABI between instrumented code and the runtime, which
 * the passes also include.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_RT_H
#define MLIR_PROF_RUNTIME_PROF_RT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented when anything below changes its meaning. */
#define PROF_RT_ABI 3

/* A thread's block, in words of int64_t: a header (at negative indices), a slot
 * for each probe, a cell for each value table, then for each probe the number
 * of its open executions on the thread, which only probes in functions that may
 * be called recursively maintain. Initially zero. */
#define PROF_RT_HEADER_WORDS 8
#define PROF_RT_SLOT_WORDS 4

/* A slot. While a probe runs, others run inside of it: its descendants
 * (prof_rt_module.parents), which have their own slots, and those of called
 * functions, which the last two words sum up. So in each block, from the last
 * probe to the first (parents come first), with sums over the children:
 *   descendants       = sum of COUNT + sum of their descendants
 *   executions inside = CALLED_EXECUTIONS + descendants
 *   time inside       = CALLED_TICKS + sum of TICKS - sum of CALLED_TICKS
 * Self time is TICKS - time inside; the cost of the probes inside is executions
 * inside * the cost of one. This holds per thread, so compute it in each block
 * before adding blocks up: the workers' share of a parallel region is not
 * inside of its wall time. In a worker's block the COUNT of the region's probe
 * is 0: do not subtract anything from such a parent. */
/* A recursive execution of a probe subtracts its ticks from CALLED_TICKS
 * instead of adding them to TICKS: so TICKS are those of outermost executions,
 * and all of the above holds. */
#define PROF_RT_SLOT_TICKS 0
#define PROF_RT_SLOT_COUNT 1
/* For functions called while the probe ran, by itself or by a descendant: the
 * ticks of their outermost probes, and the executions of all their probes. */
#define PROF_RT_SLOT_CALLED_TICKS 2
#define PROF_RT_SLOT_CALLED_EXECUTIONS 3

/* The header: scratch memory of the instrumented code, without results. */
#define PROF_RT_WORD_CALLED_TICKS (-1)
#define PROF_RT_WORD_CALLED_EXECUTIONS (-2)
#define PROF_RT_WORD_EXECUTIONS (-3)

/* The cell of a table of tuples of n values: COUNT, then n words of the tuple
 * that was seen COUNT times in a row, then n words for passing a tuple. A cell
 * with COUNT above 0 holds observations that are not in the table yet: flush it
 * before writing. */
#define PROF_RT_CELL_COUNT 0
#define PROF_RT_CELL_TUPLE 1
#define PROF_RT_CELL_WORDS(n) (1 + 2 * (n))

/* Distinct tuples that a table holds between two resets. Observations of others
 * are counted together. */
#define PROF_RT_TUPLES 256

/* The parent of a probe without one. */
#define PROF_RT_NO_PARENT UINT32_MAX

/* One instrumented module: a variable of the generated code. */
typedef struct prof_rt_module {
  /* These four are at the same offsets in every version of the ABI, so that a
   * runtime of another version can reject the module. */
  uint32_t abi;
  uint32_t probes;
  /* A block for threads that do not get another one, whose content is ignored:
   * the address of its first slot. */
  int64_t *discard;
  /* Used by the runtime only; initially null. */
  void *state;
  /* Number of value tables, and of records to keep per probe. */
  uint32_t tables;
  uint32_t instances;
  /* For each probe, the one around it in the same function, always with a
   * smaller number, or PROF_RT_NO_PARENT. */
  const uint32_t *parents;
  /* For each table the length of its tuples. */
  const uint32_t *tuple_lengths;
  /* A serialized mlirprof.Program, as in proto/profile.proto. */
  const char *metadata;
  uint64_t metadata_size;
  /* The first function of the module, the origin of the addresses of instances.
   * May be null. */
  const void *code;
  /* Null, or for each probe and for each table the number by which files name
   * it (PROF_RAW_PLACE): code that several dispatches share has probes and
   * tables of its own for each of them. */
  const uint64_t *probe_places;
  const uint64_t *table_places;
  /* Number of probes and tables in the metadata, which lists those of shared
   * code once. Used with places only. */
  uint32_t listed_probes;
  uint32_t listed_tables;
} prof_rt_module;

/* The probes and tables of one dispatch of shared code, which is compiled apart
 * from the module and gets the address of this record as an argument. It counts
 * its own probes and tables from 0. */
typedef struct prof_rt_part {
  /* Words of a block at which its slots, its cells and its numbers of open
   * executions begin. */
  int64_t slots;
  int64_t cells;
  int64_t open;
  prof_rt_module *module;
  /* Its first probe and its first table in the module. */
  uint32_t probe;
  uint32_t table;
} prof_rt_part;

#ifdef __cplusplus
#define PROF_RT_ASSERT static_assert
#else
#define PROF_RT_ASSERT _Static_assert
#endif
/* The code generated by the passes has these fields in this order. */
PROF_RT_ASSERT(offsetof(prof_rt_module, discard) == 8, "same in all versions");
PROF_RT_ASSERT(offsetof(prof_rt_module, state) == 8 + sizeof(void *),
               "same in all versions");
PROF_RT_ASSERT(offsetof(prof_rt_module, tables) == 8 + 2 * sizeof(void *), "");
PROF_RT_ASSERT(offsetof(prof_rt_module, parents) == 16 + 2 * sizeof(void *),
               "");
PROF_RT_ASSERT(offsetof(prof_rt_module, metadata) == 16 + 4 * sizeof(void *),
               "");
PROF_RT_ASSERT(offsetof(prof_rt_module, code) ==
                   offsetof(prof_rt_module, metadata_size) + sizeof(uint64_t),
               "");
PROF_RT_ASSERT(offsetof(prof_rt_module, listed_probes) ==
                   offsetof(prof_rt_module, code) + 3 * sizeof(void *),
               "");
PROF_RT_ASSERT(offsetof(prof_rt_part, module) == 24, "");

/* The calling thread's block: the address of its first slot. Called once per
 * call of an instrumented function and per thread of a parallel region. Never
 * null: a thread without memory, and all threads in a module that cannot be
 * registered, get module->discard, which counts as a loss. */
int64_t *prof_rt_base(prof_rt_module *module);

/* Called by an inline probe while its count is below `instances`. The record's
 * end address is the return address of this call. */
void prof_rt_instance(prof_rt_module *module, uint32_t probe, int64_t begin,
                      int64_t end);

/* For --probe=call: begins and ends of the probe `id` alternate on a thread
 * (except in recursions). `return_address` is where the instrumented code
 * continues. */
void prof_rt_handler(prof_rt_module *module, uint32_t id,
                     const void *return_address);

/* Observes a tuple of `length` values at the table `table`. `tuple` may be in
 * the thread's cell of that table. */
void prof_rt_value(prof_rt_module *module, uint32_t table, uint32_t length,
                   const int64_t *tuple);

/* For code that runs often: the tuple passed in `cell` differs from the last
 * one (repetitions are counted inline). Moves the cell's observations to the
 * table, makes the new tuple the last one and sets its count to 1. */
void prof_rt_value_changed(prof_rt_module *module, uint32_t table,
                           int64_t *cell);

/* The clock. Weak: a target without an operating system defines its own, and
 * may state its rate (0 if unknown). */
int64_t prof_rt_ticks(void);
uint64_t prof_rt_ticks_per_second(void);
/* Weak: the name of the counter that prof_rt_ticks reads, a space, and the unit
 * in which it counts, a plural ("mcycle cycles", "meter nanojoules"). If the
 * rate is known, ticks become times in any case. Null, as it is by default, for
 * a clock. */
const char *prof_rt_counter(void);
/* Only without an operating system, weak: the number of this processor, below
 * the PROF_RT_THREADS with which the runtime was built. */
uint32_t prof_rt_thread(void);

/* Writes all measurements since the start or the last prof_rt_reset to `path`
 * in the format of prof_raw.h, completely or not at all; returns 0 on success,
 * else an errno. At exit this happens for MLIR_PROF_FILE if it is set; in it
 * "%p" stands for the process id. A forked child counts from zero and, if it
 * measured anything, writes a separate file (".PID" is appended if there is no
 * "%p"). Other threads may continue to measure: executions that have begun but
 * not ended are not counted. */
int prof_rt_write(const char *path);
/* The same into memory: returns the required size, and writes if `capacity`
 * suffices. For targets without files. */
size_t prof_rt_serialize(void *buffer, size_t capacity);
/* The same as text, which is described in prof_raw.h, by calls of `put` with
 * each byte, such as one that waits for a serial line. Takes as much memory as
 * the file has bytes, and keeps it for the next call; without that memory the
 * text is a line that says so, and the result is not 0. */
int prof_rt_print(void (*put)(char byte));
/* Discards all measurements. Other threads may continue; instances are recorded
 * again from their next call of prof_rt_base on. */
void prof_rt_reset(void);
/* Ends an iteration of the caller, of any length: all executions of a probe
 * since the last call (or reset) count as equal, with their mean time. So the
 * file records how executions differ, exactly if there is one per iteration;
 * without any call it records only their sums. Costs some 10 ns per probe and
 * per thread that ran it, and 3.8 KB of memory per probe. */
void prof_rt_mark(void);
/* Gives the runtime its memory, before any other call; without this call it
 * uses the operating system's. */
void prof_rt_use_memory(void *memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_RT_H */
