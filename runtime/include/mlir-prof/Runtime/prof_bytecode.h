/*===- prof_bytecode.h - Running a model's host side as bytecode ----------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Bytecode lists the dispatches of a model: which kernel runs on which bytes of
 * the arguments, the results, the variables, the arena and the constants, with
 * branches and loops over them. The interpreter is runtime/src/Bytecode.c, C99
 * without a C library but memcpy.
 *
 * Numbers are unsigned LEB128: seven bits a byte, the least first, bit 7 set
 * but in the last byte. The bytes "MPB" and the version come first, then
 *
 *   arena bytes, state bytes (of the variables)
 *   number of arguments, then of each: bytes * 2 + (1 if it may be written)
 *   number of results, then of each: bytes
 *   number of kernels, number of constants
 *   number of slots, and their offset in the arena
 *   a block
 *
 * A slot has an integer of 64 bits; the code may use its memory as any other. A
 * block is steps until PROF_BYTECODE_END, and the first one ends with the code.
 * A place is index * 16 + (8 if it is written) + kind, offset, bytes. An
 * operand is slot + 1; or 0 and a known integer, twice its value, or, if it is
 * less than 0, -1 - twice its value.
 *
 *   PROF_BYTECODE_DISPATCH kernel bindings parameters, then the places of
 *     bindings, and the parameters
 *   PROF_BYTECODE_COPY source target: places
 *   PROF_BYTECODE_LOAD slot bits place: an integer of 1, 8, 16, 32 or 64 bits
 *   PROF_BYTECODE_COMPUTE operation slot bits operands: wrapped to the bits
 *   PROF_BYTECODE_IF operand block block: the first block runs if the operand
 *     is not 0, else the second
 *   PROF_BYTECODE_WHILE operand block block: the first block runs, then the
 *     second if the operand is not 0, and all over again
 *
 * Programs that are run on devices have these too; a device is its number:
 *
 *   PROF_BYTECODE_RUN device kernel bindings parameters, then offset, bytes and
 *     permissions (prof_device.h) of each binding, and the parameters
 *   PROF_BYTECODE_TRANSFER device * 2 + (1 if it is to the device), offset in
 *     the device's memory, place
 *   PROF_BYTECODE_WAIT device
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_BYTECODE_H
#define MLIR_PROF_RUNTIME_PROF_BYTECODE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_BYTECODE_VERSION 2
/* The most bindings, and the most parameters, of a dispatch. */
#define PROF_BYTECODE_VALUES 32
/* The most blocks that are in one another. */
#define PROF_BYTECODE_DEPTH 16

enum {
  PROF_BYTECODE_END,
  PROF_BYTECODE_DISPATCH,
  PROF_BYTECODE_COPY,
  PROF_BYTECODE_LOAD,
  PROF_BYTECODE_COMPUTE,
  PROF_BYTECODE_IF,
  PROF_BYTECODE_WHILE,
  PROF_BYTECODE_RUN,
  PROF_BYTECODE_TRANSFER,
  PROF_BYTECODE_WAIT
};

/* Memory that a binding is a part of. */
enum {
  PROF_BYTECODE_ARGUMENT,
  PROF_BYTECODE_RESULT,
  PROF_BYTECODE_ARENA,
  PROF_BYTECODE_CONSTANT,
  PROF_BYTECODE_STATE
};

/* Operations on two operands, but where stated. All integers have a sign but
   those of one bit. */
enum {
  /* The operand. */
  PROF_BYTECODE_ASSIGN,
  PROF_BYTECODE_ADD,
  PROF_BYTECODE_SUBTRACT,
  PROF_BYTECODE_MULTIPLY,
  PROF_BYTECODE_AND,
  PROF_BYTECODE_OR,
  PROF_BYTECODE_XOR,
  PROF_BYTECODE_EQUAL,
  PROF_BYTECODE_NOT_EQUAL,
  PROF_BYTECODE_LESS_SIGNED,
  PROF_BYTECODE_LESS_EQUAL_SIGNED,
  PROF_BYTECODE_LESS_UNSIGNED,
  PROF_BYTECODE_LESS_EQUAL_UNSIGNED,
  /* The second operand if the first one is not 0, else the third. */
  PROF_BYTECODE_SELECT,
  PROF_BYTECODE_OPERATION_COUNT
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
  PROF_BYTECODE_BAD_NUMBER,
  PROF_BYTECODE_TOO_DEEP,
  PROF_BYTECODE_TOO_LONG,
  PROF_BYTECODE_NULL,
  PROF_BYTECODE_BAD_DEVICE,
  PROF_BYTECODE_DEVICE_FAILED,
  PROF_BYTECODE_CANCELED
};

/* Checks all of the program: every count, index, offset and size. Returns one
   of the errors. */
int prof_bytecode_check(const prof_bytecode_program *program);

/* Runs the program on the addresses of the arguments, of the results and, if
   they have a size, of the variables and of the arena, which is aligned to 8
   bytes, each of at least the bytes that the program states. Checks the program
   and the addresses before the first kernel runs; after an error, none has, but
   for PROF_BYTECODE_TOO_LONG: builds with PROF_BYTECODE_MOST_ITERATIONS stop a
   call after so many iterations of its loops, others after 4294967295. */
int prof_bytecode_run(const prof_bytecode_program *program,
                      void *const *bindings);

struct prof_device_plan;
struct prof_device_slot;

/* The same for a program whose dispatches run on `count` devices too, which are
   open. Calls `between`, unless it is null, before each dispatch, and ends with
   PROF_BYTECODE_CANCELED if it does not return 0. Builds with
   PROF_BYTECODE_DEVICES have it, which need Device.c. After
   PROF_BYTECODE_DEVICE_FAILED, some dispatches have run. */
int prof_bytecode_check_on(const prof_bytecode_program *program,
                           const struct prof_device_plan *plans,
                           uint32_t count);
int prof_bytecode_run_on(const prof_bytecode_program *program,
                         struct prof_device_slot *slots, uint32_t count,
                         int (*between)(void *context), void *context,
                         void *const *bindings);

/* An English text without a period. In PROF_BYTECODE_NO_TEXTS builds, "". */
const char *prof_bytecode_text(int error);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_BYTECODE_H */
