/*===- prof_rt.h - Runtime of instrumented code --------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The one definition of the ABI between code that the passes instrument and the
 * runtime. The passes include it too.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_RT_H
#define MLIR_PROF_RUNTIME_PROF_RT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when anything below changes its meaning. */
#define PROF_RT_ABI 2

/* A thread's block, in words of int64_t: a header (at negative indices), a slot
 * for each probe, a cell for each value table, then for each probe how many
 * executions of it are open on the thread, which only probes keep within which
 * their function may be called again. All zero at first. */
#define PROF_RT_HEADER_WORDS 8
#define PROF_RT_SLOT_WORDS 4

/* A slot. While a probe runs, others run inside of it: its descendants
 * (prof_rt_module.parents), which their own slots count, and those of functions
 * that are called, which the last two words sum up. So in each block, from the
 * last probe to the first (parents come first), with sums over the children:
 *   descendants       = sum of COUNT + sum of their descendants
 *   executions inside = CALLED_EXECUTIONS + descendants
 *   time inside       = CALLED_TICKS + sum of TICKS - sum of CALLED_TICKS
 * Self time is TICKS - time inside; the cost of the probes inside is executions
 * inside * the cost of one. This holds in each thread's block, so compute it
 * there, then add blocks up: what workers did of a parallel region is not
 * inside of its wall time. In a worker's block the COUNT of the region's probe
 * is 0: subtract nothing from such a parent. */
/* An execution within another one of the same probe takes its ticks from
 * CALLED_TICKS instead of adding them to TICKS: so TICKS are those of outermost
 * executions, and all of the above holds. */
#define PROF_RT_SLOT_TICKS 0
#define PROF_RT_SLOT_COUNT 1
/* Of functions called while the probe ran, by itself or by a descendant: the
 * ticks of their outermost probes, and the executions of all their probes. */
#define PROF_RT_SLOT_CALLED_TICKS 2
#define PROF_RT_SLOT_CALLED_EXECUTIONS 3

/* The header. Scratch of the instrumented code, no result. */
#define PROF_RT_WORD_CALLED_TICKS (-1)
#define PROF_RT_WORD_CALLED_EXECUTIONS (-2)
#define PROF_RT_WORD_EXECUTIONS (-3)

/* The cell of a table of tuples of n values: COUNT, then n words of the tuple
 * that was seen COUNT times in a row, then n words for handing a tuple over. A
 * cell with COUNT above 0 holds observations that are not in the table yet:
 * flush it before writing. */
#define PROF_RT_CELL_COUNT 0
#define PROF_RT_CELL_TUPLE 1
#define PROF_RT_CELL_WORDS(n) (1 + 2 * (n))

/* Distinct tuples that a table holds between two resets. Observations of others
 * are counted together. */
#define PROF_RT_TUPLES 256

/* A probe without one. */
#define PROF_RT_NO_PARENT UINT32_MAX

/* One instrumented module: a variable of the generated code. */
typedef struct prof_rt_module {
  /* These four stand where they do in every version of the ABI: with them a
   * runtime of another one can refuse. */
  uint32_t abi;
  uint32_t probes;
  /* A block for threads that get no other, which nobody reads: the address of
   * its first slot. */
  int64_t *discard;
  /* The runtime's own; null at first. */
  void *state;
  /* Value tables, and records to keep for each probe. */
  uint32_t tables;
  uint32_t instances;
  /* For each probe the one around it in the same function, always a smaller
   * number, or PROF_RT_NO_PARENT. */
  const uint32_t *parents;
  /* For each table the length of its tuples. */
  const uint32_t *tuple_lengths;
  /* A serialized mlirprof.Program, as in proto/profile.proto. */
  const char *metadata;
  uint64_t metadata_size;
  /* The first function of the module: what the addresses of instances are
   * counted from. May be null. */
  const void *code;
} prof_rt_module;

#ifdef __cplusplus
#define PROF_RT_ASSERT static_assert
#else
#define PROF_RT_ASSERT _Static_assert
#endif
/* What the passes write has these fields in this order. */
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

/* The calling thread's block: the address of its first slot. Called once for
 * each call of an instrumented function and each thread of a parallel region.
 * Never null: a thread that gets no memory, and all threads in a module that
 * cannot be registered, are given module->discard, which counts as a loss. */
int64_t *prof_rt_base(prof_rt_module *module);

/* Called by an inline probe while its count is below `instances`. The record's
 * end address is where this call returns to. */
void prof_rt_instance(prof_rt_module *module, uint32_t probe, int64_t begin,
                      int64_t end);

/* For --probe=call: begins and ends of the probe `id` alternate on a thread
 * (but for recursion). `return_address` is where the instrumented code goes on.
 */
void prof_rt_handler(prof_rt_module *module, uint32_t id,
                     const void *return_address);

/* Observes a tuple of `length` values at the table `table`. `tuple` may lie in
 * the thread's cell of that table. */
void prof_rt_value(prof_rt_module *module, uint32_t table, uint32_t length,
                   const int64_t *tuple);

/* For places that run often: the tuple handed over in `cell` is not the one
 * that was seen last (that is counted inline). Moves the cell's observations to
 * the table, makes the new tuple the last one and its count 1. */
void prof_rt_value_changed(prof_rt_module *module, uint32_t table,
                           int64_t *cell);

/* The clock. Weak: a target without an operating system defines its own, and
 * may say how fast it goes (0: unknown). */
int64_t prof_rt_ticks(void);
uint64_t prof_rt_ticks_per_second(void);
/* Only without an operating system, weak: which processor this is, below the
 * PROF_RT_THREADS that the runtime was built with. */
uint32_t prof_rt_thread(void);

/* Writes all that was measured since the start or the last prof_rt_reset to
 * `path` in the format of prof_raw.h, whole or not at all; 0 on success, else
 * an errno. At exit this happens for MLIR_PROF_FILE when that is set; in it
 * "%p" stands for the number of the process. A forked child counts from zero
 * and, if it measured anything, writes a file of its own (".PID" is appended
 * when there is no "%p"). Other threads may go on measuring meanwhile: what
 * they have begun and not ended is not counted. */
int prof_rt_write(const char *path);
/* The same into memory: returns the size that it needs, and writes when
 * `capacity` is enough. For targets without files. */
size_t prof_rt_serialize(void *buffer, size_t capacity);
/* Forgets all that was measured. Other threads may go on; instances are
 * recorded anew from their next call of prof_rt_base on. */
void prof_rt_reset(void);
/* Ends an iteration of the caller's, of whatever length: what each probe
 * executed since the last call (or reset) is taken for alike, its mean time for
 * the time of each. So the file says how executions differ, and where there is
 * one in an iteration, exactly; without any call it says their sums. Costs some
 * 10 ns for each probe and each thread that ran it, and 3.8 KB of memory for
 * each probe. */
void prof_rt_mark(void);
/* Gives the runtime memory to live in, before anything else is called; without
 * it an operating system's is used. */
void prof_rt_use_memory(void *memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_RT_H */
