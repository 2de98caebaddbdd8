/* memory.c - Runs the file of a model, and prints the peak memory of the
 * process
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: memory MODEL.mpm CALLS
 *
 * The file is mapped, and stays in place; memory that is taken is that of
 * tables, the arena, arguments and results.
 */

#define _GNU_SOURCE
#include "mlir-prof/Runtime/prof_loader.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

static int protect(void *context, void *begin, size_t bytes, int permissions) {
  int flags = 0;
  (void)context;
  if (permissions & PROF_LOADER_READ)
    flags |= PROT_READ;
  if (permissions & PROF_LOADER_WRITE)
    flags |= PROT_WRITE;
  if (permissions & PROF_LOADER_EXECUTE)
    flags |= PROT_EXEC;
  return mprotect(begin, bytes, flags);
}

static void *take(size_t bytes, size_t alignment) {
  size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void *memory = aligned_alloc(alignment, whole ? whole : alignment);
  if (!memory)
    abort();
  return memset(memory, 0, whole);
}

static void *map_file(const char *path, size_t *bytes) {
  struct stat status;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status) != 0)
    return NULL;
  *bytes = (size_t)status.st_size;
  void *memory = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void run_model(const prof_loader_model *model, long calls) {
  void *bindings[18];
  uint32_t count = model->argument_count + model->result_count;
  if (count > 16 || !model->entry)
    abort();
  for (uint32_t i = 0; i < count; ++i)
    bindings[i] = take(model->bytes[i], 64);
  if (model->state_bytes) {
    bindings[count] = take(model->state_bytes, 64);
    model->reset(bindings[count++]);
  }
  bindings[count] = take(model->arena_bytes, 64);
  for (long i = 0; i < calls; ++i)
    model->entry(bindings, 0, 0, 0, 0);
}

int main(int argument_count, char **arguments) {
  const prof_loader_import imports[] = {{"floorf", (uintptr_t)floorf},
                                        {"expf", (uintptr_t)expf}};
  const prof_loader_system system = {imports, 2, protect, NULL};
  const prof_loader_model *model;
  prof_loader_size size;
  size_t bytes;
  if (argument_count != 3)
    return 2;
  void *file = map_file(arguments[1], &bytes);
  int error =
      file ? prof_loader_measure(file, bytes, &size) : PROF_LOADER_BAD_FORMAT;
  if (!error && size.in_place_bytes)
    error = prof_loader_load_in_place(file, bytes,
                                      take(size.in_place_bytes, size.alignment),
                                      &system, &model);
  else if (!error)
    error = prof_loader_load(file, bytes, take(size.bytes, size.alignment),
                             &system, &model);
  if (error) {
    fprintf(stderr, "error: %s: %s\n", arguments[1], prof_loader_text(error));
    return 1;
  }
  run_model(model, strtol(arguments[2], NULL, 10));
  return 0;
}
