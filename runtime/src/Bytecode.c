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
#ifdef PROF_BYTECODE_DEVICES
#include "mlir-prof/Runtime/prof_device.h"
#endif

#include <stddef.h>

/* The most iterations of all loops of a call. */
#ifndef PROF_BYTECODE_MOST_ITERATIONS
#define PROF_BYTECODE_MOST_ITERATIONS UINT32_MAX
#endif

void *memcpy(void *to, const void *from, size_t size);

#ifdef PROF_BYTECODE_DEVICES
struct device_list {
  const prof_device_plan *plans;
  /* Null: nothing runs. */
  prof_device_slot *slots;
  uint32_t count;
  int (*between)(void *context);
  void *context;
};
#endif

typedef struct walker {
  const prof_bytecode_program *program;
  /* Null: nothing runs. */
  void *const *bindings;
  const uint8_t *at, *end;
  /* The sizes of arguments and of results. */
  const uint8_t *arguments, *results;
  uint32_t arena_bytes, state_bytes, argument_count, result_count;
  /* Integers of 64 bits in the arena. */
  uint32_t slot_count, slot_offset;
  /* The number of blocks around the step. */
  unsigned depth;
  uint32_t iterations;
  int error;
#ifdef PROF_BYTECODE_DEVICES
  /* Null without devices. */
  const struct device_list *devices;
#endif
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

/* A number of at most 64 bits; further ones are cut off. */
static uint64_t read_wide(walker *walk) {
  uint64_t value = 0;
  unsigned shift;
  for (shift = 0; shift < 70; shift += 7) {
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
  walk->state_bytes = read_number(walk);
  walk->arguments = skip(walk, &walk->argument_count);
  walk->results = skip(walk, &walk->result_count);
  if (read_number(walk) != program->kernel_count ||
      read_number(walk) != program->constant_count)
    fail(walk, PROF_BYTECODE_BAD_COUNT);
  walk->slot_count = read_number(walk);
  walk->slot_offset = read_number(walk);
  if (walk->slot_offset % sizeof(int64_t) ||
      walk->slot_offset > walk->arena_bytes ||
      walk->slot_count >
          (walk->arena_bytes - walk->slot_offset) / sizeof(int64_t))
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
  case PROF_BYTECODE_STATE:
    *size = walk->state_bytes;
    return index == 0;
  case PROF_BYTECODE_CONSTANT:
    if (is_written || index >= walk->program->constant_count)
      return 0;
    *size = walk->program->constant_bytes[index];
    return 1;
  default:
    return 0;
  }
}

/* The number of a memory among the bindings of the model. */
static uint32_t get_number(const walker *walk, uint32_t kind, uint32_t index) {
  if (kind != PROF_BYTECODE_ARGUMENT)
    index += walk->argument_count;
  if (kind == PROF_BYTECODE_STATE || kind == PROF_BYTECODE_ARENA)
    index += walk->result_count;
  if (kind == PROF_BYTECODE_ARENA && walk->state_bytes)
    ++index;
  return index;
}

/* The address of the place that comes next, which is good; null if it is not,
   or nothing runs. */
static void *read_place(walker *walk, place *part) {
  uint32_t head = read_number(walk), size = 0;
  const char *base;
  part->kind = head & 7;
  part->index = head >> 4;
  part->offset = read_number(walk);
  part->bytes = read_number(walk);
  if (walk->error)
    return NULL;
  if (!get_size(walk, part, head >> 3 & 1, &size) || part->offset > size ||
      part->bytes > size - part->offset) {
    fail(walk, PROF_BYTECODE_BAD_PLACE);
    return NULL;
  }
  if (!walk->bindings)
    return NULL;
  base = part->kind == PROF_BYTECODE_CONSTANT
             ? walk->program->constants[part->index]
             : walk->bindings[get_number(walk, part->kind, part->index)];
  return (char *)(uintptr_t)base + part->offset;
}

/*===----------------------------------------------------------------------===*
 * Integers
 *===----------------------------------------------------------------------===*/

/* The address of a slot; null if nothing runs. */
static int64_t *get_slot(walker *walk, uint32_t slot) {
  if (slot >= walk->slot_count)
    fail(walk, PROF_BYTECODE_BAD_NUMBER);
  if (walk->error || !walk->bindings)
    return NULL;
  return (int64_t *)(void *)((char *)walk->bindings[get_number(
                                 walk, PROF_BYTECODE_ARENA, 0)] +
                             walk->slot_offset) +
         slot;
}

static int64_t read_operand(walker *walk) {
  uint32_t slot = read_number(walk);
  if (!slot) {
    uint64_t value = read_wide(walk);
    return (int64_t)((value >> 1) ^ (0 - (value & 1)));
  }
  {
    const int64_t *place = get_slot(walk, slot - 1);
    return place ? *place : 0;
  }
}

static uint32_t read_bits(walker *walk) {
  uint32_t bits = read_number(walk);
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
    fail(walk, PROF_BYTECODE_BAD_NUMBER);
  return walk->error ? 64 : bits;
}

/* The value of the lowest bits, of which only one does not have a sign. */
static int64_t wrap(uint64_t value, uint32_t bits) {
  switch (bits) {
  case 1:
    return value & 1;
  case 8:
    return (int8_t)value;
  case 16:
    return (int16_t)value;
  case 32:
    return (int32_t)value;
  default:
    return (int64_t)value;
  }
}

/* Bits above those of the result do not have a meaning. */
static uint64_t compute(uint32_t operation, const int64_t *operands) {
  int64_t a = operands[0], b = operands[1];
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (operation) {
  case PROF_BYTECODE_ADD:
    return x + y;
  case PROF_BYTECODE_SUBTRACT:
    return x - y;
  case PROF_BYTECODE_MULTIPLY:
    return x * y;
  case PROF_BYTECODE_AND:
    return x & y;
  case PROF_BYTECODE_OR:
    return x | y;
  case PROF_BYTECODE_XOR:
    return x ^ y;
  case PROF_BYTECODE_EQUAL:
    return a == b;
  case PROF_BYTECODE_NOT_EQUAL:
    return a != b;
  case PROF_BYTECODE_LESS_SIGNED:
    return a < b;
  case PROF_BYTECODE_LESS_EQUAL_SIGNED:
    return a <= b;
  case PROF_BYTECODE_LESS_UNSIGNED:
    return x < y;
  case PROF_BYTECODE_LESS_EQUAL_UNSIGNED:
    return x <= y;
  case PROF_BYTECODE_SELECT:
    return a ? y : (uint64_t)operands[2];
  default:
    return x;
  }
}

static void step_compute(walker *walk) {
  uint32_t operation = read_number(walk), slot = read_number(walk);
  uint32_t bits = read_bits(walk);
  int64_t operands[3], *result;
  unsigned index, count = operation == PROF_BYTECODE_ASSIGN   ? 1
                          : operation == PROF_BYTECODE_SELECT ? 3
                                                              : 2;
  if (operation >= PROF_BYTECODE_OPERATION_COUNT)
    fail(walk, PROF_BYTECODE_BAD_STEP);
  for (index = 0; index < 3; ++index)
    operands[index] = index < count ? read_operand(walk) : 0;
  result = get_slot(walk, slot);
  if (result)
    *result = wrap(compute(operation, operands), bits);
}

static void step_load(walker *walk) {
  uint32_t slot = read_number(walk), bits = read_bits(walk);
  place part;
  const void *from = read_place(walk, &part);
  int64_t *result = get_slot(walk, slot);
  uint64_t value = 0;
  if (part.bytes != (bits + 7) / 8)
    fail(walk, PROF_BYTECODE_BAD_PLACE);
  if (walk->error || !from || !result)
    return;
  memcpy(&value, from, part.bytes);
  *result = wrap(value, bits);
}

/*===----------------------------------------------------------------------===*
 * Steps
 *===----------------------------------------------------------------------===*/

/* Whether a dispatch is to run now. */
static int is_turn(walker *walk) {
#ifdef PROF_BYTECODE_DEVICES
  const struct device_list *devices = walk->devices;
  if (walk->bindings && !walk->error && devices && devices->between &&
      devices->between(devices->context))
    fail(walk, PROF_BYTECODE_CANCELED);
#endif
  return walk->bindings && !walk->error;
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
  if (is_turn(walk))
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

#ifdef PROF_BYTECODE_DEVICES
/*===----------------------------------------------------------------------===*
 * Devices
 *===----------------------------------------------------------------------===*/

/* The plan of a device; null if there is none. */
static const prof_device_plan *get_plan(walker *walk, uint32_t device) {
  const struct device_list *devices = walk->devices;
  if (!walk->error && devices && device < devices->count)
    return devices->slots ? devices->slots[device].plan
                          : &devices->plans[device];
  fail(walk, PROF_BYTECODE_BAD_DEVICE);
  return NULL;
}

static void check_place(walker *walk, const prof_device_plan *plan,
                        uint32_t offset, uint32_t bytes) {
  if (!walk->error && (offset > plan->bytes || bytes > plan->bytes - offset))
    fail(walk, PROF_BYTECODE_BAD_PLACE);
}

static void step_run(walker *walk) {
  prof_device_binding bindings[PROF_BYTECODE_VALUES];
  int64_t parameters[PROF_BYTECODE_VALUES];
  uint32_t device = read_number(walk), kernel = read_number(walk),
           binding_count = read_number(walk),
           parameter_count = read_number(walk), index;
  const prof_device_plan *plan = get_plan(walk, device);
  if (!plan)
    return;
  if (kernel >= plan->kernel_count || binding_count > PROF_BYTECODE_VALUES ||
      parameter_count > PROF_BYTECODE_VALUES ||
      binding_count != plan->kernels[kernel].bindings ||
      parameter_count != plan->kernels[kernel].parameters) {
    fail(walk, PROF_BYTECODE_BAD_KERNEL);
    return;
  }
  for (index = 0; index < binding_count; ++index) {
    bindings[index].offset = read_number(walk);
    bindings[index].bytes = read_number(walk);
    bindings[index].permissions = read_number(walk);
    check_place(walk, plan, bindings[index].offset, bindings[index].bytes);
  }
  for (index = 0; index < parameter_count; ++index)
    parameters[index] = (int64_t)read_wide(walk);
  if (is_turn(walk) &&
      prof_device_run(&walk->devices->slots[device], kernel, bindings,
                      binding_count, parameters, parameter_count))
    fail(walk, PROF_BYTECODE_DEVICE_FAILED);
}

static void step_transfer(walker *walk) {
  uint32_t head = read_number(walk), offset = read_number(walk);
  int is_to_device = head & 1;
  place part;
  void *host = read_place(walk, &part);
  const prof_device_plan *plan = get_plan(walk, head >> 1);
  if (!plan)
    return;
  check_place(walk, plan, offset, part.bytes);
  if (walk->bindings && !walk->error &&
      prof_device_transfer(&walk->devices->slots[head >> 1], host, offset,
                           part.bytes, is_to_device))
    fail(walk, PROF_BYTECODE_DEVICE_FAILED);
}

static void step_wait(walker *walk) {
  uint32_t device = read_number(walk);
  if (get_plan(walk, device) && walk->bindings &&
      prof_device_wait(&walk->devices->slots[device]))
    fail(walk, PROF_BYTECODE_DEVICE_FAILED);
}

#endif

static void walk_steps(walker *walk);

/* Walks over a block, and runs it if told so. */
static void walk_block(walker *walk, int is_run) {
  void *const *bindings = walk->bindings;
  if (!is_run)
    walk->bindings = NULL;
  walk_steps(walk);
  walk->bindings = bindings;
}

static void step_if(walker *walk) {
  int condition = read_operand(walk) != 0;
  walk_block(walk, condition);
  walk_block(walk, !condition);
}

static void step_while(walker *walk) {
  const uint8_t *begin = walk->at;
  int condition;
  do {
    walk->at = begin;
    /* The first block sets it. */
    read_operand(walk);
    walk_block(walk, 1);
    {
      walker operand = *walk;
      operand.at = begin;
      condition = walk->bindings && !walk->error && read_operand(&operand) != 0;
    }
    walk_block(walk, condition);
    if (condition && walk->iterations++ == PROF_BYTECODE_MOST_ITERATIONS)
      fail(walk, PROF_BYTECODE_TOO_LONG);
  } while (condition && !walk->error);
}

static void walk_steps(walker *walk) {
  if (++walk->depth > PROF_BYTECODE_DEPTH)
    fail(walk, PROF_BYTECODE_TOO_DEEP);
  while (!walk->error) {
    uint32_t kind = read_number(walk);
    if (walk->error)
      break;
    if (kind == PROF_BYTECODE_END)
      break;
    if (kind == PROF_BYTECODE_DISPATCH)
      step_dispatch(walk);
    else if (kind == PROF_BYTECODE_COPY)
      step_copy(walk);
    else if (kind == PROF_BYTECODE_LOAD)
      step_load(walk);
    else if (kind == PROF_BYTECODE_COMPUTE)
      step_compute(walk);
    else if (kind == PROF_BYTECODE_IF)
      step_if(walk);
    else if (kind == PROF_BYTECODE_WHILE)
      step_while(walk);
#ifdef PROF_BYTECODE_DEVICES
    else if (kind == PROF_BYTECODE_RUN)
      step_run(walk);
    else if (kind == PROF_BYTECODE_TRANSFER)
      step_transfer(walk);
    else if (kind == PROF_BYTECODE_WAIT)
      step_wait(walk);
#endif
    else
      fail(walk, PROF_BYTECODE_BAD_STEP);
  }
  --walk->depth;
}

static int check_addresses(const walker *walk, void *const *bindings) {
  uint32_t count = get_number(walk, PROF_BYTECODE_ARENA, 0), index;
  if (!bindings)
    return PROF_BYTECODE_NULL;
  if (walk->arena_bytes)
    ++count;
  for (index = 0; index < count; ++index)
    if (!bindings[index])
      return PROF_BYTECODE_NULL;
  return walk->slot_count && (uintptr_t)bindings[count - 1] % sizeof(int64_t)
             ? PROF_BYTECODE_NULL
             : PROF_BYTECODE_GOOD;
}

static int walk_all(walker *walk, const prof_bytecode_program *program,
                    void *const *bindings) {
  walk->program = program;
  walk->bindings = bindings;
  walk->at = program->code;
  walk->end = program->code + program->code_bytes;
  walk->depth = 0;
  walk->iterations = 0;
  walk->error = PROF_BYTECODE_GOOD;
  read_header(walk);
  walk_steps(walk);
  if (walk->at != walk->end)
    fail(walk, PROF_BYTECODE_BAD_STEP);
  return walk->error;
}

/* Without devices. */
static void begin(walker *walk) {
#ifdef PROF_BYTECODE_DEVICES
  walk->devices = NULL;
#else
  (void)walk;
#endif
}

static int check_and_run(walker *walk, const prof_bytecode_program *program,
                         void *const *bindings) {
  int error = walk_all(walk, program, NULL);
  if (!error)
    error = check_addresses(walk, bindings);
  return error ? error : walk_all(walk, program, bindings);
}

int prof_bytecode_check(const prof_bytecode_program *program) {
  walker walk;
  begin(&walk);
  return walk_all(&walk, program, NULL);
}

int prof_bytecode_run(const prof_bytecode_program *program,
                      void *const *bindings) {
  walker walk;
  begin(&walk);
  return check_and_run(&walk, program, bindings);
}

#ifdef PROF_BYTECODE_DEVICES
int prof_bytecode_check_on(const prof_bytecode_program *program,
                           const prof_device_plan *plans, uint32_t count) {
  walker walk;
  struct device_list devices;
  devices.plans = plans;
  devices.slots = NULL;
  devices.count = count;
  devices.between = NULL;
  walk.devices = &devices;
  return walk_all(&walk, program, NULL);
}

int prof_bytecode_run_on(const prof_bytecode_program *program,
                         prof_device_slot *slots, uint32_t count,
                         int (*between)(void *context), void *context,
                         void *const *bindings) {
  walker walk;
  struct device_list devices;
  uint32_t index;
  for (index = 0; index < count; ++index)
    if (!slots || !slots[index].device)
      return PROF_BYTECODE_BAD_DEVICE;
  devices.plans = NULL;
  devices.slots = slots;
  devices.count = count;
  devices.between = between;
  devices.context = context;
  walk.devices = &devices;
  return check_and_run(&walk, program, bindings);
}
#endif

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
      "has a number of unknown width, or one that is not among its slots",
      "has more blocks in one another than the interpreter takes",
      "has a loop that does not end",
      "does not get the address of an argument, a result or other memory",
      "uses a device that it does not have, or that is not open",
      "uses a device that has failed",
      "was canceled"};
  return error >= 0 && (size_t)error < sizeof texts / sizeof *texts
             ? texts[error]
             : "has an unknown error";
#endif
}
