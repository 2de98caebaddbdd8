/*===- DeviceSteps.c - Running a table of steps ---------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_device.h"

void *memcpy(void *to, const void *from, size_t size);

/* The host's address of `place`. */
static void *get_address(const prof_steps *steps, void *const *memory,
                         const prof_step_place *place) {
  uint32_t number = place->index;
  const unsigned char *base;
  if (place->memory == PROF_STEP_CONSTANT)
    return (unsigned char *)(uintptr_t)steps->constants[number] + place->offset;
  if (place->memory != PROF_STEP_ARGUMENT)
    number += steps->argument_count;
  if (place->memory == PROF_STEP_STATE || place->memory == PROF_STEP_ARENA)
    number += steps->result_count;
  if (place->memory == PROF_STEP_ARENA)
    number += steps->has_state;
  base = memory[number];
  return (unsigned char *)(uintptr_t)base + place->offset;
}

static int run_on_device(const prof_step *step, prof_device_slot *slot) {
  prof_device_binding bindings[PROF_STEP_PLACES];
  uint32_t index;
  for (index = 0; index < step->place_count; ++index) {
    bindings[index].offset = step->places[index].offset;
    bindings[index].bytes = step->places[index].bytes;
    bindings[index].permissions = step->places[index].permissions;
  }
  return prof_device_run(slot, step->kernel, bindings, step->place_count,
                         step->parameters, step->parameter_count);
}

static void run_on_host(const prof_steps *steps, const prof_step *step,
                        void *const *memory) {
  void *bindings[PROF_STEP_PLACES];
  uint32_t index;
  for (index = 0; index < step->place_count; ++index)
    bindings[index] = get_address(steps, memory, &step->places[index]);
  if (step->kind == PROF_STEP_COPY)
    memcpy(bindings[1], bindings[0], step->places[0].bytes);
  else
    step->function(bindings, step->parameters, 0, 0, 0);
}

static int transfer(const prof_steps *steps, const prof_step *step,
                    prof_device_slot *slot, void *const *memory) {
  int is_to_device = step->places[1].memory == PROF_STEP_DEVICE;
  const prof_step_place *host = &step->places[!is_to_device];
  return prof_device_transfer(slot, get_address(steps, memory, host),
                              step->places[is_to_device].offset, host->bytes,
                              is_to_device);
}

int prof_steps_run(const prof_steps *steps, prof_device_slot *slots,
                   int (*between)(void *context), void *context,
                   void *const *memory) {
  uint32_t index;
  int error = PROF_DEVICE_GOOD;
  for (index = 0; index < steps->step_count && !error; ++index) {
    const prof_step *step = &steps->steps[index];
    prof_device_slot *slot = step->device ? &slots[step->device - 1] : NULL;
    if (step->place_count > PROF_STEP_PLACES)
      error = PROF_DEVICE_BAD_PLACE;
    else if (step->kind == PROF_STEP_RUN && between && between(context))
      error = PROF_DEVICE_CANCELED;
    else if (!slot)
      run_on_host(steps, step, memory);
    else if (step->kind == PROF_STEP_WAIT)
      error = prof_device_wait(slot);
    else if (step->kind == PROF_STEP_COPY)
      error = transfer(steps, step, slot, memory);
    else
      error = run_on_device(step, slot);
  }
  return error;
}
