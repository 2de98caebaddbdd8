/*===- prof_steps.h - The steps of a model on several threads -------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * `mlir-prof deploy --control=none` with --yield or --place writes a model as a
 * table of steps, which prof_steps_run (prof_device.h) runs one after the
 * other. This runs steps that do not depend on each other at the same time, on
 * the threads of an executor (prof_executor.h), in a request
 * (prof_request.h) or without one. Results are the same.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_STEPS_H
#define MLIR_PROF_RUNTIME_PROF_STEPS_H

#include "mlir-prof/Runtime/prof_device.h"
#include "mlir-prof/Runtime/prof_executor.h"
#include "mlir-prof/Runtime/prof_request.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The steps with what each of them waits for. */
typedef struct prof_steps_program prof_steps_program;

/* Finds that out by the memory that steps read and write. Null if a step is on
   a device, if the model has more than 255 arguments and results, or if memory
   is missing. `steps` must last as long as the result. */
prof_steps_program *prof_steps_create(const prof_steps *steps);

/* Frees it, while no thread runs it. Null is ignored. */
void prof_steps_destroy(prof_steps_program *program);

/* Runs the steps on `memory`, as prof_steps_run does. Several threads may run
   one program at the same time, each on memory of its own. A null executor is
   the calling thread alone. If `request` is not null, it can be canceled
   between steps. Returns an error of prof_device.h. */
int prof_steps_run_parallel(prof_steps_program *program,
                            prof_executor *executor, void *const *memory,
                            prof_request *request);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_STEPS_H */
