/* yield.c - Two models on one thread, of which one lets the other run
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: yield FOLDER, which has x.npy, w.npy, last.npy and first.npy. The
 * models are compiled with test_yield in place of prof_request_yield.
 */

#include "first.h"
#include "second.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef prof_request_yield
int prof_request_yield(prof_request *request);

static float x[32], w[128], last[64], product[64];

typedef struct call {
  prof_request request;
  const char *name;
  int dispatches;
  float results[2][64];
} call;

static prof_scheduler scheduler;
static call calls[2];

/* The first model asks for the second one before its second dispatch. */
int test_yield(prof_request *request);
int test_yield(prof_request *request) {
  call *self = (call *)request;
  int is_canceled;
  if (request == &calls[0].request && self->dispatches == 1)
    prof_request_submit(&scheduler, &calls[1].request);
  is_canceled = prof_request_yield(request);
  if (!is_canceled)
    printf("%s %d\n", self->name, self->dispatches++);
  return is_canceled;
}

static int32_t run_first(prof_request *request) {
  call *self = (call *)request;
  return first_run(x, w, self->results[0], self->results[1], request,
                   request->arena, request->arena_bytes);
}

static int32_t run_second(prof_request *request) {
  call *self = (call *)request;
  return second_run(x, w, self->results[0], self->results[1], request,
                    request->arena, request->arena_bytes);
}

/* The first array of a file, whose header has 128 bytes. */
static void read_array(const char *folder, const char *name, float *array,
                       size_t count) {
  char path[4096];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  file = fopen(path, "rb");
  if (!file || fseek(file, 128, SEEK_SET) != 0 ||
      fread(array, sizeof *array, count, file) != count)
    exit(1);
  fclose(file);
}

static void check(call *self) {
  int32_t code = prof_request_wait(&self->request);
  int is_right = memcmp(self->results[0], last, sizeof last) == 0 &&
                 memcmp(self->results[1], product, sizeof product) == 0;
  printf("%s: code %d, %s\n", self->name, (int)code,
         is_right ? "right" : "wrong");
}

int main(int count, char **arguments) {
  static _Alignas(64) unsigned char pool[4096];
  if (count != 2)
    return 2;
  read_array(arguments[1], "x", x, 32);
  read_array(arguments[1], "w", w, 128);
  read_array(arguments[1], "last", last, 64);
  read_array(arguments[1], "first", product, 64);
  prof_scheduler_begin(&scheduler, NULL, NULL, pool, sizeof pool);
  calls[0].name = "first";
  calls[0].request.run = run_first;
  calls[0].request.arena_bytes = FIRST_ARENA_BYTES;
  calls[1].name = "second";
  calls[1].request.run = run_second;
  calls[1].request.arena_bytes = SECOND_ARENA_BYTES;
  calls[1].request.priority = 1;
  prof_request_submit(&scheduler, &calls[0].request);
  check(&calls[0]);
  check(&calls[1]);
  prof_request_submit(&scheduler, &calls[0].request);
  prof_request_cancel(&calls[0].request);
  printf("canceled: %d\n", (int)prof_request_wait(&calls[0].request));
  return 0;
}
