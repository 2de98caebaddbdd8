/*===- ExecutorTable.h - Reading tables of dispatches --------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * For the serial and the parallel execution. Tables were checked.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_EXECUTORTABLE_H
#define MLIR_PROF_RUNTIME_EXECUTORTABLE_H

#include "Internal.h"
#pragma GCC visibility push(default)
#include "mlir-prof/Runtime/prof_executor.h"
#pragma GCC visibility pop

/* POSIX's ERANGE and Linux's ECANCELED; <errno.h> may be missing. */
#define PEX_RANGE 34
#define PEX_CANCELED 125

#define PEX_WORDS(type) (sizeof(type) / sizeof(uint32_t))

/* The arrays of a table. */
typedef struct pex_view {
  const prof_executor_table *header;
  const prof_executor_dispatch *dispatches;
  const prof_executor_value *bindings, *arguments;
  const uint32_t *successors;
} pex_view;

static inline pex_view pex_get_view(const uint32_t *table) {
  pex_view view;
  view.header = (const prof_executor_table *)table;
  view.dispatches =
      (const prof_executor_dispatch *)(table + PEX_WORDS(prof_executor_table));
  view.bindings =
      (const prof_executor_value *)(view.dispatches + view.header->dispatches);
  view.arguments = view.bindings + view.header->bindings;
  view.successors = (const uint32_t *)(view.arguments + view.header->arguments);
  return view;
}

static inline uint64_t pex_get_constant(const prof_executor_value *value) {
  return (uint64_t)value->high << 32 | value->low;
}

static inline void *pex_get_binding(const prof_executor_value *value,
                                    void *const *addresses) {
  uintptr_t base = (uintptr_t)addresses[value->base];
  return (void *)(base + (uintptr_t)pex_get_constant(value));
}

static inline int64_t pex_get_argument(const prof_executor_value *value,
                                       const int64_t *parameters) {
  uint64_t base = value->base == PROF_EXECUTOR_NO_BASE
                      ? 0
                      : (uint64_t)parameters[value->base];
  return (int64_t)(base + pex_get_constant(value));
}

/* The sizes of a grid along x, y and z. Returns 0 if they are out of range. */
static inline int pex_get_grid(const prof_executor_dispatch *dispatch,
                               const int64_t *parameters, uint32_t grid[3]) {
  uint64_t total = 1;
  int is_empty = 0;
  for (int axis = 0; axis < 3; ++axis) {
    uint64_t size = dispatch->grid[axis];
    if (size & PROF_EXECUTOR_PARAMETER)
      size = (uint64_t)parameters[size & ~PROF_EXECUTOR_PARAMETER];
    if (size > UINT32_MAX)
      return 0;
    grid[axis] = (uint32_t)size;
    is_empty |= size == 0;
    /* Stays below 2^64: it was below 2^32. */
    total = total <= UINT32_MAX ? total * (size ? size : 1) : total;
  }
  return is_empty || total <= UINT32_MAX;
}

/* The slot of the calling thread. */
#ifdef PROF_RT_FREESTANDING
extern uint32_t pex_slots[PROF_RT_THREADS];
uint32_t prof_rt_thread(void);
static inline uint32_t *pex_get_slot(void) {
  uint32_t number = PROF_RT_THREADS == 1 ? 0 : prof_rt_thread();
  return &pex_slots[number < PROF_RT_THREADS ? number : 0];
}
#else
/* Without a call, also in a signal handler. */
extern _Thread_local uint32_t pex_slot
    __attribute__((tls_model("initial-exec")));
static inline uint32_t *pex_get_slot(void) { return &pex_slot; }
#endif

/* Runs a program as a list of calls until `*stop` or `*cancel` is not 0. */
int pex_run_list(const prof_executor_program *program, void *const *addresses,
                 const int64_t *parameters, const uint32_t *stop,
                 const uint32_t *cancel);

#endif /* MLIR_PROF_RUNTIME_EXECUTORTABLE_H */
