/*===- prof_request.h - Calls of models that take turns -------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A request is a call of a model, such as one of `mlir-prof deploy --yield`.
 * A scheduler runs requests by urgency: that of the
 * greater priority first, of equal ones that of the earlier deadline, then the
 * older one. Between two dispatches, a running request lets those that are more
 * urgent run first. docs/deploy-scheduling.md describes both schedulers:
 *
 *   synchronous   prof_scheduler_begin: on the thread that waits, by
 *                 runtime/src/Request.c, C99 without a C library
 *   asynchronous  prof_scheduler_create: on threads of its own or of the
 *                 caller's pool, in the runtime library
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_REQUEST_H
#define MLIR_PROF_RUNTIME_PROF_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct prof_request prof_request;
typedef struct prof_scheduler prof_scheduler;

/* Requests that run one after another, in the order of their submission: those
   of one instance of a model with variables. Zeroed before its first use. */
typedef struct prof_stream {
  /* Used by schedulers. */
  uint32_t is_busy;
} prof_stream;

enum { PROF_REQUEST_IDLE, PROF_REQUEST_QUEUED, PROF_REQUEST_RUNS };

/* Codes of requests besides those of models, which are positive. */
enum {
  /* Without an arena, needs more memory than the scheduler's pool has, or is
     already on its way. */
  PROF_REQUEST_REFUSED = -1,
  PROF_REQUEST_CANCELED = -2,
  /* Cannot end: a request waits for one that it holds up. */
  PROF_REQUEST_STUCK = -3
};

/* A call. The memory is the caller's, who may use it again when the request is
   done. */
struct prof_request {
  /* Runs the model, and calls prof_request_yield between dispatches. Returns a
     code. */
  int32_t (*run)(prof_request *request);
  /* Null: without an order among others. */
  prof_stream *stream;
  /* In units of the program's. */
  uint64_t deadline;
  uint32_t priority;
  /* Memory for the model's buffers, aligned to 64 bytes. If it is null, the
     scheduler's pool lends some while the request runs. */
  void *arena;
  uint32_t arena_bytes;
  /* Called when the request is done, by the thread that ran it; may be null. */
  void (*done)(prof_request *request);

  /* Used by schedulers. */
  prof_scheduler *scheduler;
  prof_request *next, *next_in_pool;
  int32_t code;
  uint32_t state, is_canceled, is_lent;
};

/* Memory that requests share. */
typedef struct prof_arena_pool {
  /* Aligned to 64 bytes. */
  void *begin;
  uint32_t bytes;
  /* The most bytes from the begin that were lent at once. */
  uint32_t peak;
  prof_request *first;
} prof_arena_pool;

/* The part of the system that several threads, or interrupts that submit
   requests, need. */
typedef struct prof_scheduler_system {
  void (*lock)(void *context);
  void (*unlock)(void *context);
  /* A request may run, or is done. The lock is held. */
  void (*notify)(void *context);
  /* Returns after the next notification, or before. The lock is held. Null:
     threads that wait run requests. */
  void (*sleep)(void *context);
} prof_scheduler_system;

struct prof_scheduler {
  /* Null on one thread without interrupts. */
  const prof_scheduler_system *system;
  void *context;
  prof_arena_pool pool;
  /* By urgency. */
  prof_request *queue;
};

/* A synchronous scheduler, with a pool of `bytes` bytes at `memory`, which may
   be null. */
void prof_scheduler_begin(prof_scheduler *scheduler,
                          const prof_scheduler_system *system, void *context,
                          void *memory, uint32_t bytes);

/* Puts a request, whose upper members are set, into the queue. Returns 0 or
   PROF_REQUEST_REFUSED. */
int32_t prof_request_submit(prof_scheduler *scheduler, prof_request *request);

/* Returns the code of a request that was submitted when it is done. */
int32_t prof_request_wait(prof_request *request);

/* Whether it is done. */
int prof_request_is_done(prof_request *request);

/* Ends a request before its next dispatch. */
void prof_request_cancel(prof_request *request);

/* Runs requests that are more urgent than `request`, which runs. Returns
   whether it was canceled, and has to return PROF_REQUEST_CANCELED. Null is
   never canceled. */
int prof_request_yield(prof_request *request);

/* Runs the most urgent request that can run. Returns whether there was one. */
int prof_scheduler_run_one(prof_scheduler *scheduler);

/*===----------------------------------------------------------------------===*
 * Threads
 *===----------------------------------------------------------------------===*/

typedef struct prof_scheduler_options {
  /* 0: one for each processor that the process may use. */
  uint32_t threads;
  /* The pool of memory. */
  void *memory;
  uint32_t bytes;
  /* If `submit` is not null, no threads are created: it lets a thread of the
     caller's pool call `work(argument)` soon, and returns 0; or returns another
     number if it will not: threads that wait then run the requests. At most
     `threads` calls are on their way. A lock is held, so that it may not call
     `work` itself. */
  int (*submit)(void *context, void (*work)(void *), void *argument);
  void *submit_context;
} prof_scheduler_options;

/* An asynchronous scheduler; null if memory or threads are missing. Null
   options are the defaults. */
prof_scheduler *prof_scheduler_create(const prof_scheduler_options *options);

/* Waits for all requests, ends the threads, and frees the scheduler. Not in a
   request. Null is ignored. */
void prof_scheduler_destroy(prof_scheduler *scheduler);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_REQUEST_H */
