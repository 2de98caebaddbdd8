/*===- ExecutorSerial.c - Dispatches as a list of calls --------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The order of a table is one in which everything can run.
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorTable.h"

#ifdef PROF_RT_FREESTANDING
uint32_t pex_slots[PROF_RT_THREADS] = {[0 ... PROF_RT_THREADS - 1] =
                                           PROF_EXECUTOR_OUTSIDE};
#else
_Thread_local uint32_t pex_slot __attribute__((tls_model("initial-exec"))) =
    PROF_EXECUTOR_OUTSIDE;
#endif

static const uint32_t never = 0;

uint32_t prof_executor_current(void) { return RT_LOAD(pex_get_slot()); }

uint32_t *prof_executor_get_slot(void) { return pex_get_slot(); }

static void call_all(prof_executor_kernel kernel, void *const *bindings,
                     const int64_t *arguments, const uint32_t grid[3]) {
  if (!grid[0] || !grid[1])
    return;
  for (uint32_t z = 0; z < grid[2]; ++z)
    for (uint32_t y = 0; y < grid[1]; ++y)
      for (uint32_t x = 0; x < grid[0]; ++x)
        kernel(bindings, arguments, x, y, z);
}

int pex_run_list(const prof_executor_program *program, void *const *addresses,
                 const int64_t *parameters, const uint32_t *stop,
                 const uint32_t *cancel) {
  pex_view view = pex_get_view(program->table);
  void *bindings[view.header->most_bindings + 1];
  int64_t arguments[view.header->most_arguments + 1];
  uint32_t *slot = pex_get_slot(), before = RT_LOAD(slot);
  int error = 0;
  for (uint32_t index = 0; index < view.header->dispatches; ++index) {
    const prof_executor_dispatch *dispatch = &view.dispatches[index];
    RT_STORE(slot, dispatch->instance);
    if (RT_LOAD(stop) | RT_LOAD(cancel)) {
      error = PEX_CANCELED;
      break;
    }
    uint32_t grid[3];
    if (!pex_get_grid(dispatch, parameters, grid)) {
      error = PEX_RANGE;
      break;
    }
    const prof_executor_value *values = view.bindings + dispatch->first_binding;
    for (uint32_t number = 0; number < dispatch->bindings; ++number)
      bindings[number] = pex_get_binding(&values[number], addresses);
    values = view.arguments + dispatch->first_argument;
    for (uint32_t number = 0; number < dispatch->arguments; ++number)
      arguments[number] = pex_get_argument(&values[number], parameters);
    call_all(program->kernels[dispatch->kernel], bindings, arguments, grid);
  }
  RT_STORE(slot, before);
  return error;
}

int prof_executor_run_serial(const prof_executor_program *program,
                             void *const *addresses,
                             const int64_t *parameters) {
  return pex_run_list(program, addresses, parameters, &never, &never);
}
