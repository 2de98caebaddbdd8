/* simulated.h - A device that exists in memory of the program only
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * It keeps work until somebody waits, so that a program that does not wait
 * computes with other numbers: what is copied from the device is poison until
 * then, and what is copied to it is read then. Its memory is poison at first,
 * and what a dispatch only writes is poison before it.
 */

#ifndef MLIR_PROF_TEST_SIMULATED_H
#define MLIR_PROF_TEST_SIMULATED_H

#include "mlir-prof/Runtime/prof_device.h"

void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);

enum {
  SIMULATED_WORK = 256,
  SIMULATED_BINDINGS = 32,
  SIMULATED_HOST_POISON = 0x5A,
  SIMULATED_POISON = 0xA5
};

typedef struct simulated_work {
  int is_copy;
  prof_device_copy copy;
  prof_device_dispatch dispatch;
  prof_device_binding bindings[SIMULATED_BINDINGS];
  int64_t parameters[SIMULATED_BINDINGS];
} simulated_work;

typedef struct simulated {
  unsigned char *memory;
  uint32_t bytes;
  /* Calls that fail: counts down, -1 for none. */
  int fails_in;
  /* What a kernel did to bytes that it may not write. */
  unsigned violations;
  unsigned count;
  simulated_work work[SIMULATED_WORK];
} simulated;

static int simulated_fails(simulated *device) {
  return device->fails_in >= 0 && device->fails_in-- == 0;
}

static int simulated_open(void *context, uint32_t bytes, uint32_t alignment,
                          void **memory, void **queue) {
  simulated *device = (simulated *)context;
  if (simulated_fails(device) || bytes > device->bytes ||
      (uintptr_t)device->memory % alignment != 0)
    return 1;
  memset(device->memory, SIMULATED_POISON, device->bytes);
  device->count = 0;
  *memory = *queue = device;
  return 0;
}

static void simulated_close(void *context, void *memory, void *queue) {
  (void)memory, (void)queue;
  memset(((simulated *)context)->memory, SIMULATED_POISON,
         ((simulated *)context)->bytes);
}

static int simulated_dispatch(void *context, void *memory, void *queue,
                              const prof_device_dispatch *dispatch) {
  simulated *device = (simulated *)context;
  simulated_work *work = &device->work[device->count];
  (void)memory, (void)queue;
  if (simulated_fails(device) || device->count == SIMULATED_WORK ||
      dispatch->binding_count > SIMULATED_BINDINGS ||
      dispatch->parameter_count > SIMULATED_BINDINGS)
    return 1;
  ++device->count;
  work->is_copy = 0;
  work->dispatch = *dispatch;
  memcpy(work->bindings, dispatch->bindings,
         dispatch->binding_count * sizeof *work->bindings);
  memcpy(work->parameters, dispatch->parameters,
         dispatch->parameter_count * sizeof *work->parameters);
  return 0;
}

static int simulated_copy(void *context, void *memory, void *queue,
                          const prof_device_copy *copy) {
  simulated *device = (simulated *)context;
  (void)memory, (void)queue;
  if (simulated_fails(device) || device->count == SIMULATED_WORK)
    return 1;
  device->work[device->count].is_copy = 1;
  device->work[device->count++].copy = *copy;
  if (!copy->is_to_device)
    memset(copy->host, SIMULATED_HOST_POISON, copy->bytes);
  return 0;
}

static unsigned simulated_sum(const unsigned char *bytes, uint32_t count) {
  unsigned sum = 0;
  for (uint32_t i = 0; i < count; ++i)
    sum = sum * 31 + bytes[i];
  return sum;
}

static void simulated_run(simulated *device, const simulated_work *work) {
  void *bindings[SIMULATED_BINDINGS];
  unsigned sums[SIMULATED_BINDINGS];
  const prof_device_dispatch *dispatch = &work->dispatch;
  for (uint32_t i = 0; i < dispatch->binding_count; ++i) {
    const prof_device_binding *binding = &work->bindings[i];
    bindings[i] = device->memory + binding->offset;
    if (!(binding->permissions & PROF_MEMORY_READ))
      memset(bindings[i], SIMULATED_POISON, binding->bytes);
  }
  for (uint32_t i = 0; i < dispatch->binding_count; ++i)
    sums[i] =
        simulated_sum((unsigned char *)bindings[i], work->bindings[i].bytes);
  for (uint32_t z = 0; z < dispatch->grid[2]; ++z)
    for (uint32_t y = 0; y < dispatch->grid[1]; ++y)
      for (uint32_t x = 0; x < dispatch->grid[0]; ++x)
        dispatch->kernel->function(bindings, work->parameters, x, y, z);
  for (uint32_t i = 0; i < dispatch->binding_count; ++i)
    if (!(work->bindings[i].permissions & PROF_MEMORY_WRITE))
      device->violations +=
          sums[i] !=
          simulated_sum((unsigned char *)bindings[i], work->bindings[i].bytes);
}

static int simulated_wait(void *context, void *queue) {
  simulated *device = (simulated *)context;
  (void)queue;
  if (simulated_fails(device))
    return 1;
  for (unsigned i = 0; i < device->count; ++i) {
    const simulated_work *work = &device->work[i];
    unsigned char *own = device->memory + work->copy.offset;
    if (!work->is_copy)
      simulated_run(device, work);
    else if (work->copy.is_to_device)
      memcpy(own, work->copy.host, work->copy.bytes);
    else
      memcpy(work->copy.host, own, work->copy.bytes);
  }
  device->count = 0;
  return 0;
}

/* What a device has besides constants does not last from one call to the
   next. */
static void simulated_poison(simulated *device, const prof_device_plan *plan) {
  uint32_t begin = 0;
  for (uint32_t i = 0; i <= plan->constant_count; ++i) {
    int is_end = i == plan->constant_count;
    uint32_t end = is_end ? device->bytes : plan->constants[i].offset;
    memset(device->memory + begin, SIMULATED_POISON, end - begin);
    begin = is_end ? end : end + plan->constants[i].bytes;
  }
}

static void simulated_make(simulated *device, unsigned char *memory,
                           uint32_t bytes, prof_device *driver) {
  device->memory = memory;
  device->bytes = bytes;
  device->fails_in = -1;
  device->violations = 0;
  driver->version = PROF_DEVICE_VERSION;
  driver->name = "simulated";
  driver->context = device;
  driver->open = simulated_open;
  driver->close = simulated_close;
  driver->dispatch = simulated_dispatch;
  driver->copy = simulated_copy;
  driver->wait = simulated_wait;
}

#endif
