/*===- prof_device.h - Devices that run a part of a model -----------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * `mlir-prof deploy --place=PATTERN=DEVICE` lets dispatches of a model run on a
 * device: a processor with memory and a queue of its own, which does what it is
 * given in order, while the program goes on. A program passes a prof_device for
 * each; docs/deploy-scheduling.md has an example. The rest is
 * runtime/src/Device.c, C99 without a C library.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_DEVICE_H
#define MLIR_PROF_RUNTIME_PROF_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_DEVICE_VERSION 1

/*===----------------------------------------------------------------------===*
 * Memory
 *===----------------------------------------------------------------------===*/

/* Processors that access memory by its address. */
enum {
  PROF_MEMORY_HOST = 1,
  PROF_MEMORY_DEVICE = 2,
  PROF_MEMORY_BOTH = PROF_MEMORY_HOST | PROF_MEMORY_DEVICE
};

/* Accesses of a model to memory. */
enum { PROF_MEMORY_READ = 1, PROF_MEMORY_WRITE = 2 };

/* Memory that a caller of a model passes, or that a device gives it. */
typedef struct prof_buffer {
  /* That of the argument or the result, "state", "arena", or the device's. */
  const char *name;
  uint32_t bytes;
  /* A power of two. */
  uint32_t alignment;
  uint8_t visibility, permissions;
} prof_buffer;

/*===----------------------------------------------------------------------===*
 * Work
 *===----------------------------------------------------------------------===*/

/* Code for the processor that runs the program. */
typedef void prof_device_function(void *const *bindings,
                                  const int64_t *parameters, uint32_t x,
                                  uint32_t y, uint32_t z);

/* Code that a device runs. */
typedef struct prof_device_kernel {
  const char *name;
  /* Null if the code is an image. */
  prof_device_function *function;
  /* Code in the device's own format. */
  const void *image;
  uint32_t image_bytes;
  /* Memory of a workgroup. */
  uint32_t local_bytes;
  /* The numbers that it takes. */
  uint16_t bindings, parameters;
} prof_device_kernel;

/* A part of the memory that the device has given. */
typedef struct prof_device_binding {
  uint32_t offset, bytes;
  /* PROF_MEMORY_READ if the kernel needs what is there, PROF_MEMORY_WRITE if it
     may change it. */
  uint32_t permissions;
} prof_device_binding;

/* A run of a kernel. */
typedef struct prof_device_dispatch {
  const prof_device_kernel *kernel;
  const prof_device_binding *bindings;
  /* Sizes, passed by value. */
  const int64_t *parameters;
  uint32_t binding_count, parameter_count;
  /* Workgroups in each dimension, which may run in any order and at the same
     time. */
  uint32_t grid[3];
} prof_device_dispatch;

/* A transfer between the host and the device. */
typedef struct prof_device_copy {
  void *host;
  uint32_t offset, bytes;
  int is_to_device;
} prof_device_copy;

/*===----------------------------------------------------------------------===*
 * Devices
 *===----------------------------------------------------------------------===*/

/* A driver. Functions return 0, or another number, which ends the call of the
   model. `context` is the first argument of all; `memory` and `queue` are what
   the driver has made, and only it knows what they are. */
typedef struct prof_device {
  /* PROF_DEVICE_VERSION. */
  uint32_t version;
  const char *name;
  void *context;
  /* Makes memory of that size, and a queue. Its first content does not
     matter. */
  int (*open)(void *context, uint32_t bytes, uint32_t alignment, void **memory,
              void **queue);
  void (*close)(void *context, void *memory, void *queue);
  /* Add work to a queue, which does it in order, now or later. Arrays of the
     arguments last as long as the call; memory of the host stays until `wait`
     returns. */
  int (*dispatch)(void *context, void *memory, void *queue,
                  const prof_device_dispatch *dispatch);
  int (*copy)(void *context, void *memory, void *queue,
              const prof_device_copy *copy);
  /* Returns when all work is done, and the host sees what it wrote. */
  int (*wait)(void *context, void *queue);
} prof_device;

/*===----------------------------------------------------------------------===*
 * The needs of a model
 *===----------------------------------------------------------------------===*/

/* Bytes that do not change. */
typedef struct prof_device_constant {
  const unsigned char *begin;
  uint32_t offset, bytes;
} prof_device_constant;

/* The needs of a model. */
typedef struct prof_device_plan {
  /* For the program, which chooses a device. */
  const char *name;
  uint32_t bytes, alignment;
  const prof_device_constant *constants;
  const prof_device_kernel *kernels;
  uint32_t constant_count, kernel_count;
} prof_device_plan;

/* A device in the hands of a model, for one call at a time. */
typedef struct prof_device_slot {
  const prof_device_plan *plan;
  const prof_device *device;
  void *memory, *queue;
  /* The numbers of all calls; constants do not count. */
  uint32_t dispatches, transfers_to_device, transfers_from_device, waits;
} prof_device_slot;

/* Errors. */
enum {
  PROF_DEVICE_GOOD,
  PROF_DEVICE_NULL,
  PROF_DEVICE_BAD_VERSION,
  PROF_DEVICE_NOT_OPENED,
  PROF_DEVICE_BAD_KERNEL,
  PROF_DEVICE_BAD_PLACE,
  PROF_DEVICE_FAILED,
  PROF_DEVICE_CANCELED
};

/* Opens `count` devices for a model: takes memory, and copies constants to it.
   Returns one of the errors; no device is open then. */
int prof_device_open(const prof_device_plan *plans,
                     const prof_device *const *devices, uint32_t count,
                     prof_device_slot *slots);
void prof_device_close(prof_device_slot *slots, uint32_t count);

/* Steps of a model's host side. They check that kernels and places exist. */
int prof_device_run(prof_device_slot *slot, uint32_t kernel,
                    const prof_device_binding *bindings, uint32_t binding_count,
                    const int64_t *parameters, uint32_t parameter_count);
int prof_device_transfer(prof_device_slot *slot, void *host, uint32_t offset,
                         uint32_t bytes, int is_to_device);
int prof_device_wait(prof_device_slot *slot);

/* An English text without a period. In PROF_DEVICE_NO_TEXTS builds, "". */
const char *prof_device_text(int error);

/*===----------------------------------------------------------------------===*
 * Tables of steps, with --control=none
 *===----------------------------------------------------------------------===*/

/* Memory that a place is a part of. */
enum {
  PROF_STEP_ARGUMENT,
  PROF_STEP_RESULT,
  PROF_STEP_ARENA,
  PROF_STEP_CONSTANT,
  PROF_STEP_STATE,
  /* That of the step's device. */
  PROF_STEP_DEVICE
};

typedef struct prof_step_place {
  uint8_t memory, permissions;
  /* The number of the argument, result or constant. */
  uint16_t index;
  uint32_t offset, bytes;
} prof_step_place;

enum {
  /* Runs a kernel. */
  PROF_STEP_RUN,
  /* Copies the first place to the second one, of which one is the device's if
     the step has a device. */
  PROF_STEP_COPY,
  PROF_STEP_WAIT
};

typedef struct prof_step {
  /* 0 for the host, or 1 + the number of the device. */
  uint8_t kind, device;
  uint16_t place_count, parameter_count;
  /* Which of the device's. */
  uint16_t kernel;
  /* The kernel of the host. */
  prof_device_function *function;
  const prof_step_place *places;
  const int64_t *parameters;
} prof_step;

/* The most places of a step. */
#define PROF_STEP_PLACES 64

/* A model as a table. */
typedef struct prof_steps {
  const prof_step *steps;
  const void *const *constants;
  uint32_t step_count, argument_count, result_count, has_state;
} prof_steps;

/* Runs the steps on the addresses of the arguments, the results, the variables
   if there are any, and the arena. Calls `between`, unless it is null, before
   each dispatch, and ends with PROF_DEVICE_CANCELED if it does not return 0.
   Returns one of the errors. */
int prof_steps_run(const prof_steps *steps, prof_device_slot *slots,
                   int (*between)(void *context), void *context,
                   void *const *memory);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_DEVICE_H */
