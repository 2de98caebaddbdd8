/*===- prof_bytecode.h - Running a model's host side as bytecode ----------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Bytecode lists the dispatches of a model: which kernel runs on which bytes of
 * the arguments, the results, the arena and the constants. The interpreter is
 * runtime/src/Bytecode.c, C99 without a C library but memcpy.
 *
 * Numbers are unsigned LEB128: seven bits a byte, the least first, bit 7 set
 * but in the last byte. The bytes "MPB" and the version come first, then
 *
 *   arena bytes
 *   number of arguments, then of each: bytes * 2 + (1 if it may be written)
 *   number of results, then of each: bytes
 *   number of kernels, number of constants
 *   steps, until PROF_BYTECODE_END, the last byte:
 *     PROF_BYTECODE_DISPATCH kernel bindings parameters, then
 *       of each binding: index * 8 + (4 if it is written) + kind, offset, bytes
 *       each parameter
 *     PROF_BYTECODE_COPY, then the source and the target as bindings
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_BYTECODE_H
#define MLIR_PROF_RUNTIME_PROF_BYTECODE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_BYTECODE_VERSION 1
/* The most bindings, and the most parameters, of a dispatch. */
#define PROF_BYTECODE_VALUES 32

enum { PROF_BYTECODE_END, PROF_BYTECODE_DISPATCH, PROF_BYTECODE_COPY };

/* Memory that a binding is a part of. */
enum {
  PROF_BYTECODE_ARGUMENT,
  PROF_BYTECODE_RESULT,
  PROF_BYTECODE_ARENA,
  PROF_BYTECODE_CONSTANT
};

typedef void prof_bytecode_kernel(void *const *bindings,
                                  const int64_t *parameters, uint32_t x,
                                  uint32_t y, uint32_t z);

/* The numbers of bindings and of parameters that a kernel takes. */
typedef struct prof_bytecode_signature {
  uint16_t bindings, parameters;
} prof_bytecode_signature;

/* Bytecode and what it refers to. */
typedef struct prof_bytecode_program {
  const uint8_t *code;
  prof_bytecode_kernel *const *kernels;
  const prof_bytecode_signature *signatures;
  const void *const *constants;
  /* For each constant. */
  const uint32_t *constant_bytes;
  uint32_t code_bytes, kernel_count, constant_count;
} prof_bytecode_program;

/* Errors. */
enum {
  PROF_BYTECODE_GOOD,
  PROF_BYTECODE_BAD_FORMAT,
  PROF_BYTECODE_BAD_VERSION,
  PROF_BYTECODE_CUT_OFF,
  PROF_BYTECODE_BAD_COUNT,
  PROF_BYTECODE_BAD_STEP,
  PROF_BYTECODE_BAD_KERNEL,
  PROF_BYTECODE_BAD_PLACE,
  PROF_BYTECODE_NULL
};

/* Checks all of the program: every count, index, offset and size. Returns one
   of the errors. */
int prof_bytecode_check(const prof_bytecode_program *program);

/* Runs the program on the addresses of the arguments, of the results and, if it
   has a size, of the arena, each of at least the bytes that the program states.
   Checks the program and the addresses before the first kernel runs; after an
   error, none has. */
int prof_bytecode_run(const prof_bytecode_program *program,
                      void *const *bindings);

/* An English text without a period. In PROF_BYTECODE_NO_TEXTS builds, "". */
const char *prof_bytecode_text(int error);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_BYTECODE_H */
