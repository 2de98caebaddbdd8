/*===- Device.c - Devices that run a part of a model ----------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_device.h"

static int is_inside(const prof_device_slot *slot, uint32_t offset,
                     uint32_t bytes) {
  return offset <= slot->plan->bytes && bytes <= slot->plan->bytes - offset;
}

static int copy(prof_device_slot *slot, void *host, uint32_t offset,
                uint32_t bytes, int is_to_device) {
  const prof_device *device = slot->device;
  prof_device_copy work;
  if (!is_inside(slot, offset, bytes))
    return PROF_DEVICE_BAD_PLACE;
  work.host = host;
  work.offset = offset;
  work.bytes = bytes;
  work.is_to_device = is_to_device;
  return device->copy(device->context, slot->memory, slot->queue, &work)
             ? PROF_DEVICE_FAILED
             : PROF_DEVICE_GOOD;
}

/*===----------------------------------------------------------------------===*
 * Opening
 *===----------------------------------------------------------------------===*/

static int copy_constants(prof_device_slot *slot) {
  const prof_device_plan *plan = slot->plan;
  uint32_t index;
  for (index = 0; index < plan->constant_count; ++index) {
    const prof_device_constant *constant = &plan->constants[index];
    int error = copy(slot, (void *)(uintptr_t)constant->begin, constant->offset,
                     constant->bytes, 1);
    if (error)
      return error;
  }
  return slot->device->wait(slot->device->context, slot->queue)
             ? PROF_DEVICE_FAILED
             : PROF_DEVICE_GOOD;
}

static int open_slot(const prof_device_plan *plan, const prof_device *device,
                     prof_device_slot *slot) {
  slot->plan = plan;
  slot->device = NULL;
  slot->dispatches = slot->waits = 0;
  slot->transfers_to_device = slot->transfers_from_device = 0;
  if (!device)
    return PROF_DEVICE_NULL;
  if (device->version != PROF_DEVICE_VERSION)
    return PROF_DEVICE_BAD_VERSION;
  if (device->open(device->context, plan->bytes, plan->alignment, &slot->memory,
                   &slot->queue))
    return PROF_DEVICE_NOT_OPENED;
  slot->device = device;
  return copy_constants(slot);
}

int prof_device_open(const prof_device_plan *plans,
                     const prof_device *const *devices, uint32_t count,
                     prof_device_slot *slots) {
  uint32_t index;
  if (!plans || !devices || !slots)
    return PROF_DEVICE_NULL;
  for (index = 0; index < count; ++index) {
    int error = open_slot(&plans[index], devices[index], &slots[index]);
    if (error) {
      prof_device_close(slots, index + 1);
      return error;
    }
  }
  return PROF_DEVICE_GOOD;
}

void prof_device_close(prof_device_slot *slots, uint32_t count) {
  uint32_t index;
  for (index = 0; index < count; ++index) {
    const prof_device *device = slots[index].device;
    if (device)
      device->close(device->context, slots[index].memory, slots[index].queue);
    slots[index].device = NULL;
  }
}

/*===----------------------------------------------------------------------===*
 * Steps
 *===----------------------------------------------------------------------===*/

int prof_device_run(prof_device_slot *slot, uint32_t kernel,
                    const prof_device_binding *bindings, uint32_t binding_count,
                    const int64_t *parameters, uint32_t parameter_count) {
  prof_device_dispatch work;
  uint32_t index;
  if (!slot->device)
    return PROF_DEVICE_NOT_OPENED;
  if (kernel >= slot->plan->kernel_count ||
      binding_count != slot->plan->kernels[kernel].bindings ||
      parameter_count != slot->plan->kernels[kernel].parameters)
    return PROF_DEVICE_BAD_KERNEL;
  for (index = 0; index < binding_count; ++index)
    if (!is_inside(slot, bindings[index].offset, bindings[index].bytes))
      return PROF_DEVICE_BAD_PLACE;
  work.kernel = &slot->plan->kernels[kernel];
  work.bindings = bindings;
  work.parameters = parameters;
  work.binding_count = binding_count;
  work.parameter_count = parameter_count;
  work.grid[0] = work.grid[1] = work.grid[2] = 1;
  ++slot->dispatches;
  return slot->device->dispatch(slot->device->context, slot->memory,
                                slot->queue, &work)
             ? PROF_DEVICE_FAILED
             : PROF_DEVICE_GOOD;
}

int prof_device_transfer(prof_device_slot *slot, void *host, uint32_t offset,
                         uint32_t bytes, int is_to_device) {
  if (!slot->device)
    return PROF_DEVICE_NOT_OPENED;
  if (is_to_device)
    ++slot->transfers_to_device;
  else
    ++slot->transfers_from_device;
  return copy(slot, host, offset, bytes, is_to_device);
}

int prof_device_wait(prof_device_slot *slot) {
  if (!slot->device)
    return PROF_DEVICE_NOT_OPENED;
  ++slot->waits;
  return slot->device->wait(slot->device->context, slot->queue)
             ? PROF_DEVICE_FAILED
             : PROF_DEVICE_GOOD;
}

const char *prof_device_text(int error) {
#ifdef PROF_DEVICE_NO_TEXTS
  (void)error;
  return "";
#else
  static const char *const texts[] = {
      "is good",
      "is null, as is the array of devices or of slots",
      "is of another version of mlir-prof",
      "is not open, or could not be opened",
      "does not have a kernel that the model runs",
      "does not have a place that the model uses in its memory",
      "has failed",
      "was not needed any longer, since the call was canceled"};
  return error >= 0 && (size_t)error < sizeof texts / sizeof *texts
             ? texts[error]
             : "has an unknown error";
#endif
}
