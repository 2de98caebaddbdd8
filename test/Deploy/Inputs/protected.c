/* protected.c - Calls on memory of stated sizes, and stores that fault
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "model.h"
#include "plain.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static _Alignas(64) unsigned char arena[MODEL_ARENA_BYTES + 64];
static float results[2][64];

static void require(int holds, const char *text) {
  if (!holds) {
    printf("wrong: %s\n", text);
    exit(1);
  }
}

/* The signal that ends `run(argument)` in a process of its own; 0 if none. */
static int get_signal(void (*run)(void *), void *argument) {
  int status;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    run(argument);
    _exit(0);
  }
  require(waitpid(child, &status, 0) == child, "waitpid");
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void store(void *place) { *(volatile unsigned char *)place = 1; }

static void print_fault(const char *what, void (*run)(void *), void *argument) {
  printf("%s: %s\n", what,
         get_signal(run, argument) == SIGSEGV ? "faults" : "does not fault");
}

/* Bytes of a file in pages that may be read only. */
static void *map_file(const char *folder, const char *name, size_t *bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  void *pages = aligned_alloc(PAGE, 64 * PAGE);
  require(file && pages, path);
  *bytes = fread(pages, 1, 64 * PAGE, file);
  fclose(file);
  require(mprotect(pages, 64 * PAGE, PROT_READ) == 0, "mprotect");
  return pages;
}

/* The permissions of the loader are those of Linux. */
static int protect(void *context, void *begin, size_t bytes, int permissions) {
  (void)context;
  return mprotect(begin, bytes, permissions);
}

static const prof_loader_model *load(const char *folder, void **memory) {
  const prof_loader_system system = {NULL, 0, protect, NULL};
  const prof_loader_model *model = NULL;
  prof_loader_size size;
  size_t bytes;
  void *file = map_file(folder, "model.mpm", &bytes);
  require(prof_loader_measure(file, bytes, &size) == 0, "measure");
  *memory = aligned_alloc(size.alignment, (size.bytes + PAGE) / PAGE * PAGE);
  require(prof_loader_load(file, bytes, *memory, &system, &model) == 0, "load");
  return model;
}

static void run_model(void *memory) {
  require(model_run_on((const mlir_prof_memory *)memory, 5) == MODEL_OK, "run");
}

static void say(int32_t code) {
  printf("%d: %s\n", (int)code, model_describe(code));
}

/* Calls with one mistake each. */
static void make_mistakes(mlir_prof_memory *memory) {
  say(model_run_on(NULL, 5));
  say(model_run_on(memory, 4));
  memory[0].bytes -= 4;
  say(model_run_on(memory, 5));
  memory[0].bytes += 4;
  ++memory[3].bytes;
  say(model_run_on(memory, 5));
  --memory[3].bytes;
  --memory[4].bytes;
  say(model_run_on(memory, 5));
  memory[4].bytes += 65;
  say(model_run_on(memory, 5));
  memory[2].is_writable = 0;
  say(model_run_on(memory, 5));
  memory[2].is_writable = 1;
  memory[4].is_writable = 0;
  say(model_run_on(memory, 5));
  memory[4].is_writable = 1;
}

static void check_results(const char *folder) {
  size_t bytes;
  const void *first = map_file(folder, "first.bin", &bytes);
  const void *last = map_file(folder, "last.bin", &bytes);
  require(memcmp(results[0], last, sizeof results[0]) == 0, "last");
  require(memcmp(results[1], first, sizeof results[1]) == 0, "first");
}

int main(int argc, char **argv) {
  require(argc == 2, "usage: protected FOLDER");
  size_t x_bytes, w_bytes;
  void *loaded_memory, *x = map_file(argv[1], "x.bin", &x_bytes);
  void *w = map_file(argv[1], "w.bin", &w_bytes);
  mlir_prof_memory memory[] = {{x, x_bytes, 0},
                               {w, w_bytes, 0},
                               {results[0], sizeof results[0], 1},
                               {results[1], sizeof results[1], 1},
                               {arena, MODEL_ARENA_BYTES, 1}};
  run_model(memory);
  check_results(argv[1]);
#if MODEL_CHECKS
  make_mistakes(memory);
#endif
  const prof_loader_model *loaded = load(argv[1], &loaded_memory);
  memset(results, 0, sizeof results);
  require(model_run_loaded_on(loaded, memory, 5) == MODEL_OK, "loaded");
  check_results(argv[1]);
  /* Pages whose permissions a program does not state. */
  memory[2].begin = x;
  memory[0].begin = memcpy(malloc(x_bytes), x, x_bytes);
  print_fault("a result in read-only pages", run_model, memory);
  print_fault("a constant", store, (void *)plain_plan_constants[0]);
  print_fault("code", store, (void *)(uintptr_t)model);
  print_fault("a loaded constant", store, loaded_memory);
  print_fault("loaded code", store, (void *)(uintptr_t)loaded->entry);
  print_fault("the arena", store, arena);
  return 0;
}
