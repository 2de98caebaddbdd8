/*===- prof_loader.h - Loading models that are one file -------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * `mlir-prof deploy --container=embedded` writes a model as NAME.mpm: a shared
 * object of ELF whose entry point is a prof_loader_model. The loader is
 * runtime/src/Loader.c, C99 without a C library but memcpy and memset. It is
 * for files of the machine that it is compiled for. It does not run code of the
 * file.
 *
 *   prof_loader_size size;
 *   int error = prof_loader_measure(file, file_bytes, &size);
 *   // Take size.bytes of memory, aligned to size.alignment.
 *   error = prof_loader_load(file, file_bytes, memory, &system, &model);
 *   model->entry(bindings, 0, 0, 0, 0);
 *
 * A file in flash memory, or one that is mapped, can stay where it is: only the
 * tables of addresses, size.in_place_bytes, are copied then.
 *
 * A file has machine code: load files of people whom you trust only. The checks
 * keep a damaged file, or one for another machine, from doing harm while it is
 * loaded.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_LOADER_H
#define MLIR_PROF_RUNTIME_PROF_LOADER_H

#include "mlir-prof/Runtime/prof_bytecode.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_LOADER_MAGIC UINT32_C(0x324d504d) /* "MPM2" */
/* The version of the ABI "standalone" in the header of a file whose code does
   not refer to memory that the loader writes. */
#define PROF_LOADER_IN_PLACE 1

/* The description of a model in its file. */
typedef struct prof_loader_model {
  uint32_t magic;
  /* The arena and the memory of variables, which are aligned to 64 bytes. */
  uint32_t arena_bytes, state_bytes;
  uint32_t argument_count, result_count;
  /* The bytes of each argument, then of each result. */
  const uint32_t *bytes;
  /* Runs the model on the addresses of the arguments, of the results and, if
     they have a size, of the variables and of the arena; the other arguments
     are 0. Null if it is bytecode. */
  prof_bytecode_kernel *entry;
  /* For prof_bytecode_run; null if the host side is code. */
  const prof_bytecode_program *program;
  /* Gives the variables their first values; null without variables. */
  void (*reset)(void *state);
} prof_loader_model;

/* Memory that a loaded file needs. */
typedef struct prof_loader_size {
  size_t bytes;
  /* A power of two: that of pages if there are. */
  size_t alignment;
  /* The bytes that prof_loader_load_in_place needs; 0 if the file cannot be
     loaded so. */
  size_t in_place_bytes;
} prof_loader_size;

/* A function that a file may need: those of mathematics, and of floats where
   the processor does not have them. */
typedef struct prof_loader_import {
  const char *name;
  /* As a function pointer has it. */
  uintptr_t address;
} prof_loader_import;

enum { PROF_LOADER_READ = 1, PROF_LOADER_WRITE = 2, PROF_LOADER_EXECUTE = 4 };

/* The part of the system that the loader uses. */
typedef struct prof_loader_system {
  const prof_loader_import *imports;
  size_t import_count;
  /* Called for each part of the memory when all of it is written, with the
     permissions that it is to have, never to write and to execute; a system
     with caches makes the code visible to fetches. Returns 0, or another number
     if that is not possible. Null if nothing is to be done. */
  int (*protect)(void *context, void *begin, size_t bytes, int permissions);
  void *context;
} prof_loader_system;

/* Errors. */
enum {
  PROF_LOADER_GOOD,
  PROF_LOADER_BAD_FORMAT,
  PROF_LOADER_BAD_MACHINE,
  PROF_LOADER_BAD_HEADER,
  PROF_LOADER_BAD_SEGMENT,
  PROF_LOADER_BAD_PERMISSIONS,
  PROF_LOADER_BAD_DYNAMIC,
  PROF_LOADER_BAD_RELOCATION,
  PROF_LOADER_MISSING_IMPORT,
  PROF_LOADER_BAD_MODEL,
  PROF_LOADER_BAD_MEMORY,
  PROF_LOADER_NOT_PROTECTED,
  PROF_LOADER_NOT_IN_PLACE
};

/* Checks the headers of the `bytes` bytes at `file`, and sets the memory that
   loading needs. Returns one of the errors. */
int prof_loader_measure(const void *file, size_t bytes, prof_loader_size *size);

/* Loads the file into `memory`, which prof_loader_measure has described and
   which may be written, and sets `model`, which is in it. The file is not
   needed any longer. After an error, the contents of `memory` do not have a
   meaning. `system` may be null. */
int prof_loader_load(const void *file, size_t bytes, void *memory,
                     const prof_loader_system *system,
                     const prof_loader_model **model);

/* Loads the file, but for `in_place_bytes`, where it is. It is aligned as
   memory is, is not written, and stays as long as the model runs. Otherwise as
   prof_loader_load; a protected file may be executed afterwards. */
int prof_loader_load_in_place(const void *file, size_t bytes, void *memory,
                              const prof_loader_system *system,
                              const prof_loader_model **model);

/* An English text without a period. In PROF_LOADER_NO_TEXTS builds, "". */
const char *prof_loader_text(int error);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_LOADER_H */
