/*===- StepsProgram.c - The steps of a model on several threads -----------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A table of steps becomes a table of the executor: a copy is a dispatch too,
 * and a step waits for the earlier ones that write what it accesses, or access
 * what it writes.
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_steps.h"

#include <stdlib.h>
#include <string.h>

/* Memory of a call, with an address that is null, to which the addresses of
   constants are relative. */
enum { MOST_ADDRESSES = 258 };

struct prof_steps_program {
  prof_executor_program program;
  uint32_t *table;
  prof_executor_kernel *kernels;
  uint32_t memory_count;
};

/* The arrays of a table while it is written, and their lengths. */
typedef struct writer {
  const prof_steps *steps;
  prof_executor_dispatch *dispatches;
  prof_executor_value *bindings, *arguments;
  uint32_t *successors;
  uint32_t memory_count, binding_count, argument_count, successor_count;
} writer;

static void copy(void *const *bindings, const int64_t *parameters, uint32_t x,
                 uint32_t y, uint32_t z) {
  (void)x, (void)y, (void)z;
  memcpy(bindings[1], bindings[0], (size_t)parameters[0]);
}

static int is_same_memory(const prof_step_place *one,
                          const prof_step_place *other) {
  if (one->memory != other->memory)
    return 0;
  return (one->memory != PROF_STEP_ARGUMENT &&
          one->memory != PROF_STEP_RESULT) ||
         one->index == other->index;
}

static int is_conflict(const prof_step_place *one,
                       const prof_step_place *other) {
  return ((one->permissions | other->permissions) & PROF_MEMORY_WRITE) &&
         is_same_memory(one, other) &&
         one->offset < (uint64_t)other->offset + other->bytes &&
         other->offset < (uint64_t)one->offset + one->bytes;
}

static int depends(const prof_step *later, const prof_step *earlier) {
  uint32_t i, j;
  for (i = 0; i < later->place_count; ++i)
    for (j = 0; j < earlier->place_count; ++j)
      if (is_conflict(&later->places[i], &earlier->places[j]))
        return 1;
  return 0;
}

static prof_executor_value make_value(uint32_t base, uint64_t constant) {
  prof_executor_value value;
  value.base = base;
  value.low = (uint32_t)constant;
  value.high = (uint32_t)(constant >> 32);
  return value;
}

static prof_executor_value make_binding(const writer *self,
                                        const prof_step_place *place) {
  const prof_steps *steps = self->steps;
  uint32_t number = place->index;
  if (place->memory == PROF_STEP_CONSTANT) {
    uintptr_t address =
        (uintptr_t)steps->constants[place->index] + place->offset;
    return make_value(self->memory_count, address);
  }
  if (place->memory == PROF_STEP_RESULT)
    number += steps->argument_count;
  if (place->memory == PROF_STEP_STATE || place->memory == PROF_STEP_ARENA)
    number = steps->argument_count + steps->result_count;
  if (place->memory == PROF_STEP_ARENA)
    number += steps->has_state;
  return make_value(number, place->offset);
}

static void write_values(writer *self, const prof_step *step,
                         prof_executor_dispatch *dispatch) {
  uint32_t i;
  dispatch->first_binding = self->binding_count;
  dispatch->bindings = step->place_count;
  for (i = 0; i < step->place_count; ++i)
    self->bindings[self->binding_count++] =
        make_binding(self, &step->places[i]);
  dispatch->first_argument = self->argument_count;
  if (step->kind == PROF_STEP_COPY)
    self->arguments[self->argument_count++] =
        make_value(PROF_EXECUTOR_NO_BASE, step->places[0].bytes);
  else
    for (i = 0; i < step->parameter_count; ++i)
      self->arguments[self->argument_count++] =
          make_value(PROF_EXECUTOR_NO_BASE, (uint64_t)step->parameters[i]);
  dispatch->arguments = self->argument_count - dispatch->first_argument;
}

static void write_dispatch(writer *self, uint32_t number) {
  const prof_step *steps = self->steps->steps;
  prof_executor_dispatch *dispatch = &self->dispatches[number];
  uint32_t i;
  dispatch->kernel = dispatch->instance = number;
  for (i = 0; i < 3; ++i)
    dispatch->grid[i] = 1;
  write_values(self, &steps[number], dispatch);
  dispatch->first_successor = self->successor_count;
  for (i = number + 1; i < self->steps->step_count; ++i)
    if (depends(&steps[i], &steps[number])) {
      self->successors[self->successor_count++] = i;
      ++self->dispatches[i].dependencies;
    }
  dispatch->successors = self->successor_count - dispatch->first_successor;
}

/* The lengths of a table's arrays; 0 if the executor cannot run the steps. */
static int measure(const prof_steps *steps, prof_executor_table *header) {
  uint32_t i, j;
  memset(header, 0, sizeof *header);
  header->abi = PROF_EXECUTOR_ABI;
  header->dispatches = header->kernels = steps->step_count;
  for (i = 0; i < steps->step_count; ++i) {
    const prof_step *step = &steps->steps[i];
    uint32_t arguments =
        step->kind == PROF_STEP_COPY ? 1 : step->parameter_count;
    if (step->device || step->kind == PROF_STEP_WAIT)
      return 0;
    header->bindings += step->place_count;
    header->arguments += arguments;
    if (header->most_bindings < step->place_count)
      header->most_bindings = step->place_count;
    if (header->most_arguments < arguments)
      header->most_arguments = arguments;
    for (j = i + 1; j < steps->step_count; ++j)
      header->successors += (uint32_t)depends(&steps->steps[j], step);
  }
  header->addresses =
      steps->argument_count + steps->result_count + steps->has_state + 2;
  return header->addresses <= MOST_ADDRESSES;
}

static size_t count_words(const prof_executor_table *header) {
  return (sizeof *header + header->dispatches * sizeof(prof_executor_dispatch) +
          ((size_t)header->bindings + header->arguments) *
              sizeof(prof_executor_value)) /
             sizeof(uint32_t) +
         header->successors;
}

static void write_table(prof_steps_program *program, const prof_steps *steps,
                        const prof_executor_table *header) {
  writer self = {0};
  uint32_t i;
  memcpy(program->table, header, sizeof *header);
  self.steps = steps;
  self.memory_count = program->memory_count;
  self.dispatches =
      (void *)(program->table + sizeof *header / sizeof(uint32_t));
  self.bindings = (void *)(self.dispatches + header->dispatches);
  self.arguments = self.bindings + header->bindings;
  self.successors = (void *)(self.arguments + header->arguments);
  for (i = 0; i < steps->step_count; ++i) {
    const prof_step *step = &steps->steps[i];
    program->kernels[i] = step->kind == PROF_STEP_COPY ? copy : step->function;
    write_dispatch(&self, i);
  }
}

prof_steps_program *prof_steps_create(const prof_steps *steps) {
  prof_executor_table header;
  prof_steps_program *program;
  if (!measure(steps, &header))
    return NULL;
  program = calloc(1, sizeof *program);
  if (!program)
    return NULL;
  program->memory_count = header.addresses - 1;
  program->table = calloc(count_words(&header), sizeof *program->table);
  program->kernels =
      calloc((size_t)header.kernels + 1, sizeof *program->kernels);
  if (program->table && program->kernels) {
    write_table(program, steps, &header);
    program->program.table = program->table;
    program->program.kernels = program->kernels;
    if (!prof_executor_check_table(program->table, count_words(&header), NULL))
      return program;
  }
  prof_steps_destroy(program);
  return NULL;
}

void prof_steps_destroy(prof_steps_program *program) {
  if (!program)
    return;
  prof_executor_release(&program->program);
  free(program->table);
  free(program->kernels);
  free(program);
}

int prof_steps_run_parallel(prof_steps_program *program,
                            prof_executor *executor, void *const *memory,
                            prof_request *request) {
  void *addresses[MOST_ADDRESSES];
  memcpy(addresses, memory, program->memory_count * sizeof *addresses);
  addresses[program->memory_count] = NULL;
  return prof_executor_run_cancelable(executor, &program->program, addresses,
                                      NULL,
                                      request ? &request->is_canceled : NULL)
             ? PROF_DEVICE_CANCELED
             : PROF_DEVICE_GOOD;
}
