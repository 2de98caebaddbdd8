/*===- ModelFile.h - Reading compiled models -----------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_MODELFILE_H
#define MLIR_PROF_RUNTIME_MODELFILE_H

#pragma GCC visibility push(default)
#include "mlir-prof/Runtime/prof_model.h"
#pragma GCC visibility pop
#include "mlir-prof/Runtime/prof_model_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A constant, with addresses in the library. */
typedef struct pmd_constant {
  uint64_t address, size, alignment;
  /* The pointers by which code finds it. */
  uint64_t *slots, slot_count;
} pmd_constant;

/* A file that was checked. */
typedef struct pmd_file {
  prof_model_footer footer;
  uint64_t flags;
  uint32_t threads;
  uint64_t state_bytes;
  /* Offsets of the code from its entry. */
  int64_t text_begin, text_end;
  char *fingerprint;
  prof_model_value *arguments, *results;
  uint32_t argument_count, result_count;
  /* The section of places. */
  char *places;
  uint64_t places_size;
  pmd_constant *constants;
  uint32_t constant_count;
} pmd_file;

/* Reads and checks a file, `size` bytes in memory. Returns 0 with a text. */
int pmd_parse_file(const char *bytes, uint64_t size, const char *path,
                   pmd_file *file, char *error);
void pmd_free_file(pmd_file *file);
/* The text that names the op at `offset` of the code; null if unknown. */
const char *pmd_find_place(const pmd_file *file, uint64_t offset,
                           uint32_t instance, uint32_t *size);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_MODELFILE_H */
