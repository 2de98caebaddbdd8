/* plan.h - Runs the dispatches of a package without a host side
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#ifndef MLIR_PROF_TEST_PLAN_H
#define MLIR_PROF_TEST_PLAN_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t count);

enum { PLAN_MOST_BINDINGS = 64 };

/* `memory`: the arguments, the results, the variables if there are, and the
   arena. */
static void plan_run(const mlir_prof_dispatch *dispatches, unsigned count,
                     const void *const *constants, void *const *memory,
                     unsigned arguments, unsigned results, unsigned has_state) {
  for (unsigned i = 0; i < count; ++i) {
    const mlir_prof_dispatch *dispatch = &dispatches[i];
    void *bindings[PLAN_MOST_BINDINGS];
    for (unsigned b = 0; b < dispatch->binding_count; ++b) {
      const mlir_prof_binding *binding = &dispatch->bindings[b];
      const void *base = constants[0];
      switch (binding->memory) {
      case MLIR_PROF_ARGUMENT:
        base = memory[binding->index];
        break;
      case MLIR_PROF_RESULT:
        base = memory[arguments + binding->index];
        break;
      case MLIR_PROF_STATE:
        base = memory[arguments + results];
        break;
      case MLIR_PROF_ARENA:
        base = memory[arguments + results + has_state];
        break;
      default:
        base = constants[binding->index];
      }
      bindings[b] = (char *)base + binding->offset;
    }
    if (!dispatch->kernel) {
      memcpy(bindings[1], bindings[0], dispatch->bindings[0].bytes);
      continue;
    }
    for (uint32_t z = 0; z < dispatch->grid[2]; ++z)
      for (uint32_t y = 0; y < dispatch->grid[1]; ++y)
        for (uint32_t x = 0; x < dispatch->grid[0]; ++x)
          dispatch->kernel(bindings, dispatch->parameters, x, y, z);
  }
}

#endif
