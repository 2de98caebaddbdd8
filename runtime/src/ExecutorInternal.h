/*===- ExecutorInternal.h - Data structures of the executor --------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A thread that runs a program reserves one of the executor's places for runs
 * (pex_run), and helps until all dispatches are done. A dispatch whose inputs
 * are ready is a task in one of the run's slots. Threads take chunks of its
 * workgroups by moving its cursor, so nobody owns what nobody runs: a thread
 * that loses its processor holds back one chunk.
 *
 * Places are reused and never freed before the executor: a thread may look at
 * one while its run ends and another begins. Each run has a generation. Slots
 * and cursors contain it, and only change by compare-and-exchange, which fails
 * when the generation is another one. A thread that took a chunk keeps the run
 * alive until it said that the chunk is done; until then it may read all of it.
 *
 * Sleeping: a thread that makes work visible does that first, then looks for
 * threads that sleep. A thread that wants to sleep says so first, then looks
 * for work. All four are sequentially consistent, so one of the two sees the
 * other.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_EXECUTORINTERNAL_H
#define MLIR_PROF_RUNTIME_EXECUTORINTERNAL_H

#include "ExecutorTable.h"

#include <pthread.h>

/* Runs at the same time; further ones run on their callers alone. */
#define PEX_RUNS 64
/* Tasks of a run that threads choose from; further ones wait in a stack. */
#define PEX_SLOTS 16
#define PEX_THREADS 1024
#define PEX_NONE UINT32_MAX
#define PEX_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define PEX_LINE 64

/* A chunk takes at least and at most that long; a dispatch or a program below
 * PEX_SMALL_PS stays on one thread. One more thread is called for each
 * PEX_HELP_PS of work. */
#define PEX_LEAST_PS UINT64_C(5000000)
#define PEX_MOST_PS UINT64_C(50000000)
#define PEX_SMALL_PS UINT64_C(16000000)
#define PEX_HELP_PS UINT64_C(20000000)
/* Assumed for a workgroup of which nothing is known. */
#define PEX_UNKNOWN_PS UINT64_C(1000000)
#define PEX_SPIN_NS 50000
/* The most units of a dispatch. */
#define PEX_MOST_UNITS UINT32_C(65535)

#define PEX_LOAD(address) __atomic_load_n(address, __ATOMIC_SEQ_CST)
#define PEX_STORE(address, value)                                              \
  __atomic_store_n(address, value, __ATOMIC_SEQ_CST)
#define PEX_ADD(address, value)                                                \
  __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST)
#define PEX_SUB(address, value)                                                \
  __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST)

/* If `*address` is `expected`, makes it `desired`. */
static inline int pex_exchange(uint64_t *address, uint64_t expected,
                               uint64_t desired) {
  return __atomic_compare_exchange_n(address, &expected, desired, 0,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* A dispatch of a run. */
typedef struct pex_task {
  /* Generation << 32 | units that were taken at the end << 16 | units that were
   * taken at the begin. */
  uint64_t cursor;
  uint32_t total;
  /* Workgroups of a unit, so that 16 bits can count units, and the units. */
  uint32_t unit, units;
  /* Workgroups of a chunk. */
  uint32_t least, most;
  /* Larger ones go first. */
  uint32_t rank;
  /* Workgroups that are not done, and dependencies that are not. */
  uint32_t left, pending;
  /* Workgroups along x and y. */
  uint32_t extent[2];
  /* In a list. */
  uint32_t next;
} __attribute__((aligned(PEX_LINE))) pex_task;

/* A dispatch as earlier runs measured it. */
typedef struct pex_cost {
  /* The time of one workgroup. */
  uint64_t ps;
  uint32_t rank;
  uint32_t is_measured;
} pex_cost;

/* prof_executor_program.state. */
typedef struct pex_plan {
  uint64_t size;
  uint64_t runs;
  /* The time of the whole program on one thread. */
  uint64_t estimate_ps;
  pex_cost costs[];
} pex_plan;

typedef struct pex_run {
  /* Generation << 32 | dispatch + 1, or 0. */
  uint64_t slots[PEX_SLOTS] __attribute__((aligned(PEX_LINE)));
  /* Tag << 32 | dispatch + 1 of the last one, or tag << 32. */
  uint64_t overflow;
  pex_task *tasks;
  uint32_t generation;
  /* Dispatches that are not done. */
  uint32_t unfinished;
  /* The caller sleeps, until this number changes. */
  uint32_t is_waiting, signal;
  /* Workgroups are left out; the error says why. */
  uint32_t is_stopped;
  int error;
  /* These do not change while the run is active. */
  const prof_executor_program *program;
  pex_view view;
  pex_plan *plan;
  const int64_t *parameters;
  const uint32_t *cancel;
  const prof_executor_trace *trace;
  void **bindings;
  int64_t *arguments;
  int is_measured;
  /* Rounding and the like of the caller. */
  uint64_t float_control;
  uint32_t task_capacity, binding_capacity, argument_capacity;
} pex_run;

/* Workgroups that a thread took. */
typedef struct pex_chunk {
  pex_run *run;
  uint32_t dispatch, first, count;
} pex_chunk;

/* A thread while it runs programs. */
typedef struct pex_thread {
  prof_executor *executor;
  /* As in prof_executor_event. */
  uint32_t number;
  uint32_t spin_ns;
  /* The place where it found work before. */
  uint32_t place;
  uint32_t is_leaving;
  uint64_t float_control;
  pthread_t handle;
} __attribute__((aligned(PEX_LINE))) pex_thread;

/* Memory that is freed with the executor. */
typedef struct pex_block {
  struct pex_block *next;
  uint64_t size;
} pex_block;

struct prof_executor {
  /* Bits of places that are reserved, and that have work. */
  uint64_t busy __attribute__((aligned(PEX_LINE)));
  uint64_t active;
  /* Threads other than callers that have a run, or spin for one. */
  uint32_t helpers, spinning;
  /* Sleeping threads, until this number changes. */
  uint32_t sleepers __attribute__((aligned(PEX_LINE)));
  uint32_t epoch;
  /* Work given to the caller's pool, and pieces of it that are ending. */
  uint32_t jobs, leaving;
  /* Wanted threads with the caller's; created ones. */
  uint32_t threads, created;
  uint32_t is_shut_down;
  uint32_t processors;
  /* Adapted by callers. */
  uint32_t caller_spin_ns;
  const prof_executor_trace *trace;
  /* Number of times that a thread could not be created, and why. */
  uint32_t failures;
  int error;
  /* When to try again, or 0. */
  uint64_t retry_ns;
  /* Held while threads are ended. Taken before the other lock. */
  prt_lock resizing;
  /* Threads begin, and blocks change, under this lock. */
  prt_lock lock;
  uint32_t is_resizing;
  pex_block *blocks;
  prof_executor_options options;
  struct prof_executor *next;
  pex_thread workers[PEX_THREADS];
  pex_run runs[PEX_RUNS];
};

/* Executor.c */
/* Zeroed memory that is freed with the executor, or null. */
void *pex_allocate(prof_executor *executor, uint64_t size);
uint64_t pex_now(void);
uint32_t pex_count_processors(void);
uint32_t pex_get_most_spin(const prof_executor *executor);

/* ExecutorThreads.c */
/* Creates what threads are missing. */
void pex_start_threads(prof_executor *executor);
/* Ends all created threads but the first ones. */
void pex_end_threads(prof_executor *executor, uint32_t kept);
/* Lets threads of the caller's pool help. */
void pex_submit(prof_executor *executor, uint32_t count);

/* ExecutorFork.c */
void pex_register(prof_executor *executor);
void pex_forget(prof_executor *executor);

/* ExecutorWait.c */
/* Waits until the run is done or has work for its caller. */
void pex_wait_in_run(pex_thread *thread, pex_run *run);
/* Spins until there may be work. Returns 0 if there was none. */
int pex_spin_for_work(pex_thread *thread);
/* Sleeps until there may be work. */
void pex_sleep(pex_thread *thread);
/* Calls `count` threads to the run. */
void pex_call_helpers(prof_executor *executor, pex_run *run, uint32_t count);
void pex_wake_all(prof_executor *executor);
void pex_wake_caller(pex_run *run);
int pex_has_work(prof_executor *executor);
/* Runs chunks of any run. Returns 0 if there were none, or enough threads. */
int pex_help(pex_thread *thread);

/* ExecutorPlan.c */
/* The plan of a program, made at its first run; null if memory is missing. */
pex_plan *pex_get_plan(prof_executor_program *program,
                       const int64_t *parameters);
/* A workgroup took that long. */
void pex_note_cost(pex_cost *cost, uint64_t ps);
/* The program took that long on one thread. */
void pex_note_estimate(pex_plan *plan, uint64_t ps);
uint64_t pex_estimate(const pex_plan *plan, const pex_view *view,
                      const int64_t *parameters);

static inline uint64_t pex_multiply(uint64_t left, uint64_t right) {
  uint64_t product;
  return __builtin_mul_overflow(left, right, &product) ? UINT64_MAX : product;
}

static inline uint32_t pex_divide_up(uint32_t count, uint32_t by) {
  return count / by + (count % by != 0);
}

/* ExecutorTasks.c */
/* Dispatches that became ready and were made visible: one small dispatch is
 * kept for the thread that found it. */
typedef struct pex_ready {
  uint32_t kept;
  uint64_t published_ps;
} pex_ready;
/* The dispatches without dependencies are ready. Returns how many dispatches
 * are done because they are empty. */
uint32_t pex_begin_tasks(prof_executor *executor, pex_run *run,
                         pex_ready *ready);
/* A dispatch is done: returns what the thread runs next, or PEX_NONE. The run
 * may have ended then. */
uint32_t pex_complete(prof_executor *executor, pex_run *run, uint32_t dispatch);
/* Threads that are worth calling for what became ready. */
uint32_t pex_count_helpers(prof_executor *executor, const pex_ready *ready);
/* Takes a chunk. Returns 0 if there is none. */
int pex_claim(const pex_thread *thread, pex_run *run, pex_chunk *chunk);
void pex_publish(pex_run *run, uint32_t dispatch);
int pex_has_tasks(pex_run *run);
void pex_stop(pex_run *run, int error);

/* ExecutorChunk.c */
uint64_t pex_get_float_control(void);
void pex_set_float_control(pex_thread *thread, uint64_t control);
/* Runs the chunks that the thread finds in the run, beginning with dispatch
 * `kept` unless it is PEX_NONE. Returns 0 if there were none. */
int pex_work_on(pex_thread *thread, pex_run *run, uint32_t kept);

#endif /* MLIR_PROF_RUNTIME_EXECUTORINTERNAL_H */
