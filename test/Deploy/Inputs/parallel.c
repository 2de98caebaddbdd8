/* parallel.c - Requests in flight whose steps run on several threads
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: parallel FOLDER, which has x.bin, w.bin, last.bin and first.bin.
 */

#include "mlir-prof/Runtime/prof_steps.h"
#include "model.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REQUESTS = 24, ROUNDS = 4, THREADS = 3 };

static void require(int holds, const char *text) {
  if (!holds) {
    printf("wrong: %s\n", text);
    exit(1);
  }
}

/* Steps that a test can count ----------------------------------------------*/

static int running, most_running;

/* Takes a while, and writes a number. */
static void work(void *const *bindings, const int64_t *parameters, uint32_t x,
                 uint32_t y, uint32_t z) {
  const struct timespec while_ = {0, 3000000};
  int now = __atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST);
  int most = __atomic_load_n(&most_running, __ATOMIC_SEQ_CST);
  (void)x, (void)y, (void)z;
  while (most < now &&
         !__atomic_compare_exchange_n(&most_running, &most, now, 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  nanosleep(&while_, NULL);
  *(int64_t *)bindings[0] = parameters[0];
  __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
}

static void add(void *const *bindings, const int64_t *parameters, uint32_t x,
                uint32_t y, uint32_t z) {
  (void)parameters, (void)x, (void)y, (void)z;
  *(int64_t *)bindings[2] =
      *(const int64_t *)bindings[0] + *(const int64_t *)bindings[1];
}

enum { R = PROF_MEMORY_READ, W = PROF_MEMORY_WRITE };
static const int64_t addends[] = {40, 2, 1000};
static const prof_step_place places[] = {
    {PROF_STEP_ARENA, W, 0, 0, 8},   {PROF_STEP_ARENA, W, 0, 64, 8},
    {PROF_STEP_ARENA, R, 0, 0, 8},   {PROF_STEP_ARENA, R, 0, 64, 8},
    {PROF_STEP_ARENA, W, 0, 128, 8}, {PROF_STEP_ARENA, R, 0, 128, 8},
    {PROF_STEP_RESULT, W, 0, 0, 8},  {PROF_STEP_ARENA, W, 0, 0, 8}};
/* The first two are independent; the last one writes what the third one
   reads. */
static const prof_step steps[] = {
    {PROF_STEP_RUN, 0, 1, 1, 0, work, places, addends},
    {PROF_STEP_RUN, 0, 1, 1, 0, work, places + 1, addends + 1},
    {PROF_STEP_RUN, 0, 3, 0, 0, add, places + 2, addends},
    {PROF_STEP_COPY, 0, 2, 0, 0, NULL, places + 5, addends},
    {PROF_STEP_RUN, 0, 1, 1, 0, work, places + 7, addends + 2}};

static void check_steps(prof_executor *executor) {
  static _Alignas(64) unsigned char arena[192];
  const prof_steps table = {steps, NULL, 5, 0, 1, 0};
  prof_step placed = steps[0];
  const prof_steps elsewhere = {&placed, NULL, 1, 0, 1, 0};
  prof_steps_program *program = prof_steps_create(&table);
  placed.device = 1;
  require(program && !prof_steps_create(&elsewhere), "create");
  for (int call = 0; call < 30; ++call) {
    int64_t result = 0;
    void *memory[] = {&result, arena};
    require(prof_steps_run_parallel(program, executor, memory, NULL) == 0 &&
                result == 42,
            "result");
  }
  prof_steps_destroy(program);
  printf("at most %d at a time\n", most_running);
}

/* Requests of a model ------------------------------------------------------*/

static float x[32], w[128], last[64], first[64];
static prof_steps_program *model;
static prof_executor *used;

typedef struct call {
  prof_request request;
  float results[2][64];
} call;

static int32_t run(prof_request *request) {
  call *self = (call *)request;
  void *memory[] = {x, w, self->results[0], self->results[1], request->arena};
  int error = prof_steps_run_parallel(model, used, memory, request);
  return error == PROF_DEVICE_CANCELED ? PROF_REQUEST_CANCELED : error;
}

static void check_requests(const prof_scheduler_options *options) {
  static call calls[REQUESTS];
  prof_scheduler *scheduler = prof_scheduler_create(options);
  require(scheduler != NULL, "scheduler");
  for (int round = 0; round < ROUNDS; ++round) {
    memset(calls, 0, sizeof calls);
    for (int i = 0; i < REQUESTS; ++i) {
      calls[i].request.run = run;
      calls[i].request.priority = (uint32_t)i % 3;
      calls[i].request.arena_bytes = MODEL_ARENA_BYTES;
      prof_request_submit(scheduler, &calls[i].request);
    }
    prof_request_cancel(&calls[REQUESTS - 1].request);
    for (int i = 0; i < REQUESTS; ++i) {
      int32_t code = prof_request_wait(&calls[i].request);
      int is_canceled = code == PROF_REQUEST_CANCELED && i == REQUESTS - 1;
      require(code == 0 || is_canceled, "code");
      require(is_canceled ||
                  (memcmp(calls[i].results[0], last, sizeof last) == 0 &&
                   memcmp(calls[i].results[1], first, sizeof first) == 0),
              "results");
    }
  }
  prof_scheduler_destroy(scheduler);
  puts("requests are right");
}

/* A pool of the program's --------------------------------------------------*/

typedef struct job {
  void (*work)(void *);
  void *argument;
} job;

static pthread_t pool[4096];
static unsigned pool_size;
static pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run_job(void *argument) {
  job own = *(job *)argument;
  free(argument);
  own.work(own.argument);
  return NULL;
}

static int submit(void *context, void (*work)(void *), void *argument) {
  job *own = malloc(sizeof *own);
  int error = 1;
  (void)context;
  require(own != NULL, "malloc");
  own->work = work;
  own->argument = argument;
  pthread_mutex_lock(&pool_mutex);
  if (pool_size != sizeof pool / sizeof *pool)
    error = pthread_create(&pool[pool_size], NULL, run_job, own);
  pool_size += !error;
  pthread_mutex_unlock(&pool_mutex);
  if (error)
    free(own);
  return error;
}

static void read_array(const char *folder, const char *name, float *array,
                       size_t count) {
  char path[4096];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s.bin", folder, name);
  file = fopen(path, "rb");
  require(file && fread(array, sizeof *array, count, file) == count, path);
  fclose(file);
}

int main(int count, char **arguments) {
  static _Alignas(64) unsigned char memory[8 * (MODEL_ARENA_BYTES + 64)];
  prof_executor_options executor;
  prof_scheduler_options scheduler = {THREADS, memory, sizeof memory, NULL,
                                      NULL};
  require(count == 2, "usage");
  read_array(arguments[1], "x", x, 32);
  read_array(arguments[1], "w", w, 128);
  read_array(arguments[1], "last", last, 64);
  read_array(arguments[1], "first", first, 64);
  prof_executor_default_options(&executor);
  executor.threads = THREADS;
  model = prof_steps_create(&model_steps);
  used = prof_executor_create(&executor);
  require(model && used, "create");
  check_steps(used);
  check_requests(&scheduler);
  prof_executor_destroy(used);
  /* One pool for both. */
  executor.pool.submit = scheduler.submit = submit;
  used = prof_executor_create(&executor);
  check_requests(&scheduler);
  prof_executor_destroy(used);
  used = NULL;
  check_requests(&scheduler);
  prof_steps_destroy(model);
  while (pool_size > 0)
    pthread_join(pool[--pool_size], NULL);
  return 0;
}
