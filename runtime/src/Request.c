/*===- Request.c - Calls of models that take turns ------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The same for one thread and for several: what differs is behind
 * prof_scheduler_system. Members that are read without the lock are atomic.
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_request.h"

#define LOAD(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
#define STORE(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)

enum { ALIGNMENT = 64 };

static void lock(prof_scheduler *scheduler) {
  if (scheduler->system)
    scheduler->system->lock(scheduler->context);
}

static void unlock(prof_scheduler *scheduler) {
  if (scheduler->system)
    scheduler->system->unlock(scheduler->context);
}

static void notify(prof_scheduler *scheduler) {
  if (scheduler->system)
    scheduler->system->notify(scheduler->context);
}

void prof_scheduler_begin(prof_scheduler *scheduler,
                          const prof_scheduler_system *system, void *context,
                          void *memory, uint32_t bytes) {
  scheduler->system = system;
  scheduler->context = context;
  scheduler->pool.begin = memory;
  scheduler->pool.bytes = memory ? bytes : 0;
  scheduler->pool.peak = 0;
  scheduler->pool.first = NULL;
  scheduler->queue = NULL;
}

/*===----------------------------------------------------------------------===*
 * Memory
 *===----------------------------------------------------------------------===*/

static uint32_t get_offset(const prof_arena_pool *pool, const void *address) {
  return (uint32_t)((const unsigned char *)address -
                    (const unsigned char *)pool->begin);
}

/* Lends memory if there is some. Loans are a list in the order of their
   addresses; the first gap is taken. */
static int lend(prof_arena_pool *pool, prof_request *request) {
  prof_request **place = &pool->first;
  uint32_t begin = 0, bytes = request->arena_bytes;
  if (request->arena || bytes == 0)
    return 1;
  for (; *place; place = &(*place)->next_in_pool) {
    uint32_t offset = get_offset(pool, (*place)->arena);
    if (begin <= offset && bytes <= offset - begin)
      break;
    begin = (offset + (*place)->arena_bytes + ALIGNMENT - 1) &
            ~(uint32_t)(ALIGNMENT - 1);
  }
  if (begin > pool->bytes || bytes > pool->bytes - begin)
    return 0;
  request->arena = (unsigned char *)pool->begin + begin;
  request->is_lent = 1;
  request->next_in_pool = *place;
  *place = request;
  if (begin + bytes > pool->peak)
    pool->peak = begin + bytes;
  return 1;
}

static void take_back(prof_arena_pool *pool, prof_request *request) {
  prof_request **place = &pool->first;
  if (!request->is_lent)
    return;
  while (*place != request)
    place = &(*place)->next_in_pool;
  *place = request->next_in_pool;
  request->arena = NULL;
  request->is_lent = 0;
}

/*===----------------------------------------------------------------------===*
 * The queue
 *===----------------------------------------------------------------------===*/

static int is_more_urgent(const prof_request *one, const prof_request *other) {
  return one->priority != other->priority ? one->priority > other->priority
                                          : one->deadline < other->deadline;
}

/* Behind those that are as urgent, and those of its stream. */
static void insert(prof_scheduler *scheduler, prof_request *request) {
  prof_request **place = &scheduler->queue, **at;
  while (*place && !is_more_urgent(request, *place))
    place = &(*place)->next;
  for (at = place; *at; at = &(*at)->next)
    if (request->stream && (*at)->stream == request->stream)
      place = &(*at)->next;
  request->next = *place;
  STORE(place, request);
}

/* Takes the most urgent request that can run, if it is more urgent than `than`,
   unless that is null. None overtakes one that waits for memory. */
static prof_request *take(prof_scheduler *scheduler, const prof_request *than) {
  prof_request **place = &scheduler->queue;
  for (; *place; place = &(*place)->next) {
    prof_request *request = *place;
    if (than && !is_more_urgent(request, than))
      return NULL;
    if (request->stream && request->stream->is_busy)
      continue;
    if (!lend(&scheduler->pool, request))
      return NULL;
    STORE(place, request->next);
    if (request->stream)
      request->stream->is_busy = 1;
    STORE(&request->state, PROF_REQUEST_RUNS);
    return request;
  }
  return NULL;
}

/* Gives the request back to its owner. */
static void finish(prof_scheduler *scheduler, prof_request *request,
                   int32_t code) {
  request->code = code;
  if (request->done)
    request->done(request);
  lock(scheduler);
  take_back(&scheduler->pool, request);
  if (request->stream && LOAD(&request->state) == PROF_REQUEST_RUNS)
    request->stream->is_busy = 0;
  STORE(&request->state, PROF_REQUEST_IDLE);
  notify(scheduler);
  unlock(scheduler);
}

static int run_one(prof_scheduler *scheduler, const prof_request *than) {
  prof_request *request;
  lock(scheduler);
  request = take(scheduler, than);
  unlock(scheduler);
  if (request)
    finish(scheduler, request,
           LOAD(&request->is_canceled) ? PROF_REQUEST_CANCELED
                                       : request->run(request));
  return request != NULL;
}

int prof_scheduler_run_one(prof_scheduler *scheduler) {
  return run_one(scheduler, NULL);
}

/*===----------------------------------------------------------------------===*
 * Requests
 *===----------------------------------------------------------------------===*/

int32_t prof_request_submit(prof_scheduler *scheduler, prof_request *request) {
  if (LOAD(&request->state) != PROF_REQUEST_IDLE ||
      (!request->arena && request->arena_bytes > scheduler->pool.bytes))
    return PROF_REQUEST_REFUSED;
  request->scheduler = scheduler;
  request->is_lent = 0;
  STORE(&request->is_canceled, 0);
  lock(scheduler);
  STORE(&request->state, PROF_REQUEST_QUEUED);
  insert(scheduler, request);
  notify(scheduler);
  unlock(scheduler);
  return 0;
}

int prof_request_is_done(prof_request *request) {
  return LOAD(&request->state) == PROF_REQUEST_IDLE;
}

int32_t prof_request_wait(prof_request *request) {
  prof_scheduler *scheduler = request->scheduler;
  if (!scheduler)
    return PROF_REQUEST_REFUSED;
  if (scheduler->system && scheduler->system->sleep) {
    lock(scheduler);
    while (!prof_request_is_done(request))
      scheduler->system->sleep(scheduler->context);
    unlock(scheduler);
  }
  while (!prof_request_is_done(request))
    if (!run_one(scheduler, NULL))
      return PROF_REQUEST_STUCK;
  return request->code;
}

void prof_request_cancel(prof_request *request) {
  prof_scheduler *scheduler = request->scheduler;
  prof_request **place;
  if (!scheduler)
    return;
  STORE(&request->is_canceled, 1);
  lock(scheduler);
  place = &scheduler->queue;
  while (*place && *place != request)
    place = &(*place)->next;
  if (*place)
    STORE(place, request->next);
  else
    request = NULL;
  unlock(scheduler);
  if (request)
    finish(scheduler, request, PROF_REQUEST_CANCELED);
}

int prof_request_yield(prof_request *request) {
  prof_scheduler *scheduler;
  if (!request)
    return 0;
  scheduler = request->scheduler;
  while (LOAD(&scheduler->queue) && run_one(scheduler, request))
    ;
  return (int)LOAD(&request->is_canceled);
}
