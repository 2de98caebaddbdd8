/*===- ExecutorTable.c - Checks of tables of dispatches --------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Every number may be anything: sums are computed in 64 bits, and nothing is
 * read before it is known to be inside.
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorTable.h"

#include <sys/mman.h>

static int is_inside(uint32_t first, uint32_t count, uint32_t length) {
  return (uint64_t)first + count <= length;
}

static const char *check_header(const uint32_t *table, size_t words) {
  if (words < PEX_WORDS(prof_executor_table))
    return "the table is shorter than its header";
  const prof_executor_table *header = (const prof_executor_table *)table;
  if (header->abi != PROF_EXECUTOR_ABI)
    return "the table is of another version or byte order";
  uint64_t values = (uint64_t)header->bindings + header->arguments;
  uint64_t wanted =
      PEX_WORDS(prof_executor_table) +
      header->dispatches * (uint64_t)PEX_WORDS(prof_executor_dispatch) +
      values * PEX_WORDS(prof_executor_value) + header->successors;
  if (wanted != words)
    return "the size of the table is not that of its arrays";
  if (header->most_bindings > PROF_EXECUTOR_MOST_VALUES ||
      header->most_arguments > PROF_EXECUTOR_MOST_VALUES)
    return "a dispatch may not have so many bindings or arguments";
  return NULL;
}

static const char *check_values(const pex_view *view) {
  const prof_executor_table *header = view->header;
  for (uint32_t index = 0; index < header->bindings; ++index)
    if (view->bindings[index].base >= header->addresses)
      return "a binding is of an address that does not exist";
  for (uint32_t index = 0; index < header->arguments; ++index)
    if (view->arguments[index].base >= header->parameters &&
        view->arguments[index].base != PROF_EXECUTOR_NO_BASE)
      return "an argument is of a parameter that does not exist";
  return NULL;
}

static const char *check_grid(const prof_executor_dispatch *dispatch,
                              uint32_t parameters) {
  int is_constant = 1;
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t size = dispatch->grid[axis];
    if (!(size & PROF_EXECUTOR_PARAMETER))
      continue;
    is_constant = 0;
    if ((size & ~PROF_EXECUTOR_PARAMETER) >= parameters)
      return "a size of the grid is a parameter that does not exist";
  }
  uint32_t grid[3];
  if (is_constant && !pex_get_grid(dispatch, NULL, grid))
    return "the grid has 2^32 workgroups or more";
  return NULL;
}

static const char *check_dispatch(const pex_view *view, uint32_t index) {
  const prof_executor_table *header = view->header;
  const prof_executor_dispatch *dispatch = &view->dispatches[index];
  if (dispatch->kernel >= header->kernels)
    return "the kernel does not exist";
  if (dispatch->instance > PROF_EXECUTOR_LAST_INSTANCE)
    return "the instance is too large";
  if (dispatch->bindings > header->most_bindings ||
      dispatch->arguments > header->most_arguments)
    return "the dispatch has more bindings or arguments than the header says";
  if (!is_inside(dispatch->first_binding, dispatch->bindings,
                 header->bindings) ||
      !is_inside(dispatch->first_argument, dispatch->arguments,
                 header->arguments) ||
      !is_inside(dispatch->first_successor, dispatch->successors,
                 header->successors))
    return "a range is outside of its array";
  uint32_t before = index;
  for (uint32_t number = 0; number < dispatch->successors; ++number) {
    uint32_t next = view->successors[dispatch->first_successor + number];
    if (next <= before || next >= header->dispatches)
      return "successors are not dispatches behind it in ascending order";
    before = next;
  }
  return check_grid(dispatch, header->parameters);
}

/* Whether each dispatch has as many dependencies as it says. */
static const char *check_dependencies(const pex_view *view,
                                      uint32_t *dispatch) {
  uint32_t count = view->header->dispatches;
  if (!count)
    return NULL;
  size_t size = (size_t)count * sizeof(uint32_t);
  uint32_t *found = prt_map(size);
  if (!found)
    return "memory is missing for the check";
  const char *problem = NULL;
  for (uint32_t index = 0; index < count; ++index) {
    const prof_executor_dispatch *from = &view->dispatches[index];
    for (uint32_t number = 0; number < from->successors; ++number)
      ++found[view->successors[from->first_successor + number]];
  }
  for (uint32_t index = 0; index < count && !problem; ++index)
    if (found[index] != view->dispatches[index].dependencies) {
      *dispatch = index;
      problem = "the number of dependencies is wrong";
    }
  munmap(found, size);
  return problem;
}

const char *prof_executor_check_table(const uint32_t *table, size_t words,
                                      uint32_t *dispatch) {
  uint32_t ignored;
  dispatch = dispatch ? dispatch : &ignored;
  *dispatch = UINT32_MAX;
  const char *problem = check_header(table, words);
  if (problem)
    return problem;
  pex_view view = pex_get_view(table);
  problem = check_values(&view);
  if (problem)
    return problem;
  /* Ranges may overlap: a table of n words could ask for n^2 steps. */
  uint64_t successors = 0;
  for (uint32_t index = 0; index < view.header->dispatches; ++index) {
    successors += view.dispatches[index].successors;
    problem = successors > view.header->successors
                  ? "dispatches share successors"
                  : check_dispatch(&view, index);
    if (problem) {
      *dispatch = index;
      return problem;
    }
  }
  return check_dependencies(&view, dispatch);
}
