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
#define PROF_RT_ABI 1

/* Words (int64_t) of a thread's block for one probe: ticks, count, and the
 * cost of the probes nested in it as a count of probes. */
#define PROF_RT_SLOT_WORDS 4
#define PROF_RT_SLOT_TICKS 0
#define PROF_RT_SLOT_COUNT 1
/* Executions of other probes inside of this one. */
#define PROF_RT_SLOT_NESTED 2
/* Word -1 of a block counts the executions of all probes of the thread. */
#define PROF_RT_WORD_EXECUTIONS (-1)

/* One instrumented module: a constant of the generated code. */
typedef struct prof_rt_module {
  uint32_t abi;
  /* Probes, value tables, and records to keep for each probe. */
  uint32_t probes;
  uint32_t tables;
  uint32_t instances;
  /* A serialised mlirprof.Program, as in proto/profile.proto. */
  const char *metadata;
  uint64_t metadata_size;
  /* The runtime's own; null at first. */
  void *state;
} prof_rt_module;

/* The calling thread's block: `probes` slots of PROF_RT_SLOT_WORDS words.
 * Never null: a thread that gets no memory shares a block that is thrown away
 * and counted as a loss. */
int64_t *prof_rt_base(prof_rt_module *module);

/* Called by an inline probe while its count is below `instances`. */
void prof_rt_instance(prof_rt_module *module, uint32_t probe, int64_t begin,
                      int64_t end);

/* For --probe=call: begins and ends of the probe `id` alternate. */
void prof_rt_handler(prof_rt_module *module, uint32_t id,
                     const void *return_address);

/* Observes a tuple of `length` values at the table `table`. */
void prof_rt_value(prof_rt_module *module, uint32_t table, uint32_t length,
                   const int64_t *tuple);

/* The clock. Weak: a target without an operating system defines its own. */
int64_t prof_rt_ticks(void);

/* Writes all that was measured since the start or the last prof_rt_reset to
 * `path`, whole or not at all; 0 on success, else an errno. At exit this happens
 * for MLIR_PROF_FILE when that is set. */
int prof_rt_write(const char *path);
/* The same into memory: returns the size that it needs, and writes when
 * `capacity` is enough. For targets without files. */
size_t prof_rt_serialise(void *buffer, size_t capacity);
void prof_rt_reset(void);
/* Gives the runtime memory to live in, before anything else is called; without
 * it an operating system's is used. */
void prof_rt_use_memory(void *memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_RT_H */
