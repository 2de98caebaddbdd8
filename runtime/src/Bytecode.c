/*===- Bytecode.c - Running a model's host side as bytecode ---------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * One walk checks all of the code; a second one, which checks it again, runs
 * the kernels. Nothing of the code is believed, and what it says is never added
 * before it was compared.
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_bytecode.h"

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);

typedef struct walker {
  const prof_bytecode_program *program;
  /* Null: nothing runs. */
  void *const *bindings;
  const uint8_t *at, *end;
  /* The sizes of arguments and of results. */
  const uint8_t *arguments, *results;
  uint32_t arena_bytes, argument_count, result_count;
  int error;
} walker;

/* A part of memory. */
typedef struct place {
  uint32_t kind, index, offset, bytes;
} place;

static void fail(walker *walk, int error) {
  if (!walk->error)
    walk->error = error;
  /* All reads that follow fail too. */
  walk->at = walk->end;
}

/* A number of at most 63 bits. */
static uint64_t read_wide(walker *walk) {
  uint64_t value = 0;
  unsigned shift;
  for (shift = 0; shift < 63; shift += 7) {
    uint8_t byte;
    if (walk->at == walk->end)
      break;
    byte = *walk->at++;
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return value;
  }
  fail(walk, PROF_BYTECODE_CUT_OFF);
  return 0;
}

static uint32_t read_number(walker *walk) {
  uint64_t value = read_wide(walk);
  if (value > UINT32_MAX) {
    fail(walk, PROF_BYTECODE_BAD_COUNT);
    return 0;
  }
  return (uint32_t)value;
}

/* Skips that many numbers and returns where they begin. */
static const uint8_t *skip(walker *walk, uint32_t *count) {
  const uint8_t *begin;
  uint32_t index;
  *count = read_number(walk);
  begin = walk->at;
  for (index = 0; index < *count && !walk->error; ++index)
    read_number(walk);
  return begin;
}

/* Number `index` of those at `at`, which were read before. */
static uint32_t get(const walker *walk, const uint8_t *at, uint32_t index) {
  walker from = *walk;
  uint32_t value = 0;
  from.at = at;
  for (;; --index) {
    value = read_number(&from);
    if (index == 0)
      return value;
  }
}

static void read_header(walker *walk) {
  const prof_bytecode_program *program = walk->program;
  const uint8_t *code = program->code;
  if (program->code_bytes < 4 || code[0] != 'M' || code[1] != 'P' ||
      code[2] != 'B') {
    fail(walk, PROF_BYTECODE_BAD_FORMAT);
    return;
  }
  if (code[3] != PROF_BYTECODE_VERSION) {
    fail(walk, PROF_BYTECODE_BAD_VERSION);
    return;
  }
  walk->at += 4;
  walk->arena_bytes = read_number(walk);
  walk->arguments = skip(walk, &walk->argument_count);
  walk->results = skip(walk, &walk->result_count);
  if (read_number(walk) != program->kernel_count ||
      read_number(walk) != program->constant_count)
    fail(walk, PROF_BYTECODE_BAD_COUNT);
}

/* Sets the bytes of the memory that `part` is in. Returns whether there is such
   memory, and it may be accessed so. */
static int get_size(const walker *walk, const place *part, uint32_t is_written,
                    uint32_t *size) {
  uint32_t index = part->index;
  switch (part->kind) {
  case PROF_BYTECODE_ARGUMENT:
    if (index >= walk->argument_count)
      return 0;
    *size = get(walk, walk->arguments, index);
    is_written &= ~*size & 1;
    *size >>= 1;
    return !is_written;
  case PROF_BYTECODE_RESULT:
    if (index >= walk->result_count)
      return 0;
    *size = get(walk, walk->results, index);
    return 1;
  case PROF_BYTECODE_ARENA:
    *size = walk->arena_bytes;
    return index == 0;
  default:
    if (is_written || index >= walk->program->constant_count)
      return 0;
    *size = walk->program->constant_bytes[index];
    return 1;
  }
}

/* The address of the place that comes next, which is good; null if it is not,
   or nothing runs. */
static void *read_place(walker *walk, place *part) {
  uint32_t head = read_number(walk), size = 0, number;
  const char *base;
  part->kind = head & 3;
  part->index = head >> 3;
  part->offset = read_number(walk);
  part->bytes = read_number(walk);
  if (walk->error)
    return NULL;
  if (!get_size(walk, part, head >> 2 & 1, &size) || part->offset > size ||
      part->bytes > size - part->offset) {
    fail(walk, PROF_BYTECODE_BAD_PLACE);
    return NULL;
  }
  if (!walk->bindings)
    return NULL;
  if (part->kind == PROF_BYTECODE_CONSTANT)
    return (char *)(uintptr_t)walk->program->constants[part->index] +
           part->offset;
  number = part->index;
  if (part->kind != PROF_BYTECODE_ARGUMENT)
    number += walk->argument_count;
  if (part->kind == PROF_BYTECODE_ARENA)
    number += walk->result_count;
  base = walk->bindings[number];
  return (char *)(uintptr_t)base + part->offset;
}

static void step_dispatch(walker *walk) {
  void *bindings[PROF_BYTECODE_VALUES];
  int64_t parameters[PROF_BYTECODE_VALUES];
  const prof_bytecode_program *program = walk->program;
  const prof_bytecode_signature *signature;
  place part;
  uint32_t kernel = read_number(walk), binding_count = read_number(walk),
           parameter_count = read_number(walk), index;
  if (walk->error)
    return;
  if (kernel >= program->kernel_count) {
    fail(walk, PROF_BYTECODE_BAD_KERNEL);
    return;
  }
  signature = &program->signatures[kernel];
  if (binding_count != signature->bindings ||
      parameter_count != signature->parameters ||
      binding_count > PROF_BYTECODE_VALUES ||
      parameter_count > PROF_BYTECODE_VALUES) {
    fail(walk, PROF_BYTECODE_BAD_KERNEL);
    return;
  }
  for (index = 0; index < binding_count; ++index)
    bindings[index] = read_place(walk, &part);
  for (index = 0; index < parameter_count; ++index)
    parameters[index] = (int64_t)read_wide(walk);
  if (walk->bindings && !walk->error)
    program->kernels[kernel](bindings, parameters, 0, 0, 0);
}

static void step_copy(walker *walk) {
  place source, target;
  const void *from = read_place(walk, &source);
  void *to = read_place(walk, &target);
  if (walk->error)
    return;
  if (source.bytes != target.bytes ||
      (source.kind == target.kind && source.index == target.index &&
       source.offset < target.offset + (uint64_t)target.bytes &&
       target.offset < source.offset + (uint64_t)source.bytes))
    fail(walk, PROF_BYTECODE_BAD_PLACE);
  else if (walk->bindings)
    memcpy(to, from, source.bytes);
}

static void walk_steps(walker *walk) {
  while (!walk->error)
    switch (read_number(walk)) {
    case PROF_BYTECODE_DISPATCH:
      step_dispatch(walk);
      break;
    case PROF_BYTECODE_COPY:
      step_copy(walk);
      break;
    case PROF_BYTECODE_END:
      if (walk->at == walk->end)
        return;
      /* fall through */
    default:
      fail(walk, PROF_BYTECODE_BAD_STEP);
    }
}

static int check_addresses(const walker *walk, void *const *bindings) {
  uint32_t count = walk->argument_count + walk->result_count, index;
  if (!bindings)
    return PROF_BYTECODE_NULL;
  for (index = 0; index < count; ++index)
    if (!bindings[index])
      return PROF_BYTECODE_NULL;
  return walk->arena_bytes && !bindings[count] ? PROF_BYTECODE_NULL
                                               : PROF_BYTECODE_GOOD;
}

static int walk_all(walker *walk, const prof_bytecode_program *program,
                    void *const *bindings) {
  walk->program = program;
  walk->bindings = bindings;
  walk->at = program->code;
  walk->end = program->code + program->code_bytes;
  walk->error = PROF_BYTECODE_GOOD;
  read_header(walk);
  walk_steps(walk);
  return walk->error;
}

int prof_bytecode_check(const prof_bytecode_program *program) {
  walker walk;
  return walk_all(&walk, program, NULL);
}

int prof_bytecode_run(const prof_bytecode_program *program,
                      void *const *bindings) {
  walker walk;
  int error = walk_all(&walk, program, NULL);
  if (!error)
    error = check_addresses(&walk, bindings);
  return error ? error : walk_all(&walk, program, bindings);
}

const char *prof_bytecode_text(int error) {
#ifdef PROF_BYTECODE_NO_TEXTS
  (void)error;
  return "";
#else
  static const char *const texts[] = {
      "is good",
      "is not bytecode of mlir-prof",
      "is bytecode of another version of mlir-prof",
      "ends in the middle of a number",
      "has a count that does not fit what it is linked with",
      "has a step of unknown kind, or bytes behind its end",
      "runs a kernel that does not exist, or with other operands than it takes",
      "has a place outside of its memory, or writes memory that is read only",
      "does not get the address of an argument, a result or the arena"};
  return error >= 0 && (size_t)error < sizeof texts / sizeof *texts
             ? texts[error]
             : "has an unknown error";
#endif
}
