/*===- ExecutorPlan.c - Costs of dispatches --------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorInternal.h"

#include <sys/mman.h>

static uint64_t get_total(const prof_executor_dispatch *dispatch,
                          const int64_t *parameters) {
  uint32_t grid[3];
  if (!pex_get_grid(dispatch, parameters, grid))
    return 0;
  return (uint64_t)grid[0] * grid[1] * grid[2];
}

/* The time to the end of the program from each dispatch on, with one workgroup
 * after the other: larger ones are ranked higher. */
static void rank(pex_plan *plan, const pex_view *view,
                 const int64_t *parameters) {
  /* 2^14 ps: distinguishes dispatches of 16 ns, up to 70 s. */
  enum { UNIT = 14 };
  for (uint32_t index = view->header->dispatches; index-- > 0;) {
    const prof_executor_dispatch *dispatch = &view->dispatches[index];
    uint64_t after = 0;
    for (uint32_t number = 0; number < dispatch->successors; ++number) {
      uint32_t next = view->successors[dispatch->first_successor + number];
      if (plan->costs[next].rank > after)
        after = plan->costs[next].rank;
    }
    pex_cost *cost = &plan->costs[index];
    after += pex_multiply(cost->ps, get_total(dispatch, parameters)) >> UNIT;
    cost->rank = after < UINT32_MAX ? (uint32_t)after : UINT32_MAX;
  }
}

static pex_plan *make_plan(const pex_view *view, const int64_t *parameters) {
  uint32_t count = view->header->dispatches;
  uint64_t size = sizeof(pex_plan) + count * (uint64_t)sizeof(pex_cost);
  pex_plan *plan = prt_map(size);
  if (!plan)
    return NULL;
  plan->size = size;
  for (uint32_t index = 0; index < count; ++index) {
    uint64_t ns = view->dispatches[index].cost_ns;
    plan->costs[index].ps = ns ? ns * 1000 : PEX_UNKNOWN_PS;
  }
  rank(plan, view, parameters);
  plan->estimate_ps = pex_estimate(plan, view, parameters);
  return plan;
}

pex_plan *pex_get_plan(prof_executor_program *program,
                       const int64_t *parameters) {
  pex_plan *plan = RT_ACQUIRE((pex_plan **)&program->state);
  if (plan)
    return plan;
  pex_view view = pex_get_view(program->table);
  plan = make_plan(&view, parameters);
  pex_plan *other = NULL;
  if (plan &&
      !__atomic_compare_exchange_n((pex_plan **)&program->state, &other, plan,
                                   0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    pex_free_plan(plan);
    return other;
  }
  return plan;
}

void pex_free_plan(pex_plan *plan) { munmap(plan, plan->size); }

void prof_executor_release(prof_executor_program *program) {
  pex_plan *plan = program->state;
  program->state = NULL;
  if (plan)
    pex_free_plan(plan);
}

/* Shorter times count at once, longer ones slowly: the thread may have been
 * interrupted. */
static uint64_t adapt(uint64_t before, uint64_t now) {
  if (now <= before)
    return (before + now) / 2;
  uint64_t more = now - before;
  return before + (more < before ? more : before) / 8 + 1;
}

void pex_note_cost(pex_cost *cost, uint64_t ps) {
  uint64_t before = RT_LOAD(&cost->ps);
  uint64_t now = RT_LOAD(&cost->is_measured) ? adapt(before, ps) : ps;
  RT_STORE(&cost->ps, now ? now : 1);
  RT_STORE(&cost->is_measured, 1);
}

void pex_note_estimate(pex_plan *plan, uint64_t ps) {
  uint64_t before = RT_LOAD(&plan->estimate_ps);
  /* If it is wrong by far, threads will find out soon, and measure costs. */
  RT_STORE(&plan->estimate_ps, ps / 2 > before ? ps : adapt(before, ps));
}

uint64_t pex_estimate(const pex_plan *plan, const pex_view *view,
                      const int64_t *parameters) {
  uint64_t sum = 0;
  for (uint32_t index = 0; index < view->header->dispatches; ++index) {
    uint64_t ps = pex_multiply(RT_LOAD(&plan->costs[index].ps),
                               get_total(&view->dispatches[index], parameters));
    sum = sum + ps < sum ? UINT64_MAX : sum + ps;
  }
  return sum;
}
