/* loaded.h - Loads the file of a model that is a part of the program
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#ifndef MLIR_PROF_TEST_LOADED_H
#define MLIR_PROF_TEST_LOADED_H

#include "board.h"
#include "mlir-prof/Runtime/prof_loader.h"

float floorf(float x);

/* The file, and memory of PROGRAM_MEMORY bytes for it. */
extern const unsigned char program_file[], program_file_end[];
static unsigned char loaded_memory[PROGRAM_MEMORY]
    __attribute__((aligned(PROGRAM_PAGE)));
static const prof_loader_model *loaded_model;
static size_t loaded_bytes;

/* Returns one of the loader's errors. */
static int load_program(void) {
#if defined(__riscv) && !defined(__riscv_flen)
  const prof_loader_system system = {0, 0, board_protect, 0};
#else
  const prof_loader_import imports[] = {{"floorf", (uintptr_t)floorf}};
  const prof_loader_system system = {imports, 1, board_protect, 0};
#endif
  size_t bytes = (size_t)(program_file_end - program_file);
  prof_loader_size size;
  int error = prof_loader_measure(program_file, bytes, &size);
  if (error)
    return error;
  loaded_bytes = PROGRAM_IN_PLACE ? size.in_place_bytes : size.bytes;
  if (loaded_bytes > sizeof loaded_memory)
    return PROF_LOADER_BAD_MEMORY;
  for (size_t i = 0; i < loaded_bytes; ++i)
    loaded_memory[i] = 0xA5;
  return (PROGRAM_IN_PLACE ? prof_loader_load_in_place : prof_loader_load)(
      program_file, bytes, loaded_memory, &system, &loaded_model);
}

#endif
