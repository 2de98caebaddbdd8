/*===- ExecutorTasks.c - Dispatches that are ready -------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorInternal.h"

void pex_stop(pex_run *run, int error) {
  int none = 0;
  __atomic_compare_exchange_n(&run->error, &none, error, 0, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  RT_STORE(&run->is_stopped, 1);
}

/*===----------------------------------------------------------------------===*
 * Making work visible
 *===----------------------------------------------------------------------===*/

static void push(pex_run *run, uint32_t dispatch) {
  uint64_t head = RT_LOAD(&run->overflow), pushed;
  do {
    RT_STORE(&run->tasks[dispatch].next, (uint32_t)head);
    pushed = ((head >> 32) + 1) << 32 | (dispatch + 1);
  } while (!__atomic_compare_exchange_n(&run->overflow, &head, pushed, 1,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

/* Takes a dispatch off the stack, or returns PEX_NONE. */
static uint32_t pop(pex_run *run) {
  uint64_t head = PEX_LOAD(&run->overflow);
  while ((uint32_t)head) {
    uint32_t dispatch = (uint32_t)head - 1;
    uint32_t next = RT_LOAD(&RT_ACQUIRE(&run->tasks)[dispatch].next);
    uint64_t popped = ((head >> 32) + 1) << 32 | next;
    if (__atomic_compare_exchange_n(&run->overflow, &head, popped, 1,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return dispatch;
  }
  return PEX_NONE;
}

void pex_publish(pex_run *run, uint32_t dispatch) {
  uint64_t value = (uint64_t)run->generation << 32 | (dispatch + 1);
  for (unsigned index = 0; index < PEX_SLOTS; ++index)
    if (!RT_LOAD(&run->slots[index]) &&
        pex_exchange(&run->slots[index], 0, value))
      return;
  push(run, dispatch);
}

int pex_has_tasks(pex_run *run) {
  for (unsigned index = 0; index < PEX_SLOTS; ++index)
    if (PEX_LOAD(&run->slots[index]))
      return 1;
  return (uint32_t)PEX_LOAD(&run->overflow) != 0;
}

/* Sizes of chunks for the cost that is known now. Returns the time of all. */
static uint64_t divide(prof_executor *executor, pex_task *task, uint64_t ps) {
  uint32_t total = task->total;
  uint64_t all = pex_multiply(ps, total);
  uint64_t least = PEX_LEAST_PS / ps, most = PEX_MOST_PS / ps;
  if (all < PEX_SMALL_PS || RT_LOAD(&executor->threads) == 1)
    least = most = total;
  least = least ? least : 1;
  most = most ? most : 1;
  RT_STORE(&task->least, least < total ? (uint32_t)least : total);
  RT_STORE(&task->most, most < total ? (uint32_t)most : total);
  return all;
}

/* The inputs of a dispatch are ready. Returns 0 if it does not have workgroups
 * to run, else makes it visible or keeps it. */
static int begin(prof_executor *executor, pex_run *run, uint32_t index,
                 pex_ready *ready) {
  uint32_t grid[3];
  if (!pex_get_grid(&run->view.dispatches[index], run->parameters, grid))
    pex_stop(run, PEX_RANGE);
  if (RT_LOAD(&run->is_stopped))
    return 0;
  pex_task *task = &run->tasks[index];
  const pex_cost *cost = &run->plan->costs[index];
  uint32_t total = grid[0] * grid[1] * grid[2];
  if (total == 0)
    return 0;
  task->extent[0] = grid[0];
  task->extent[1] = grid[1];
  uint32_t unit = pex_divide_up(total, PEX_MOST_UNITS);
  RT_STORE(&task->total, total);
  RT_STORE(&task->unit, unit);
  RT_STORE(&task->units, pex_divide_up(total, unit));
  RT_STORE(&task->left, total);
  RT_STORE(&task->rank, cost->rank);
  uint64_t ps = divide(executor, task, RT_LOAD(&cost->ps));
  RT_RELEASE(&task->cursor, (uint64_t)run->generation << 32);
  uint32_t other = index;
  if (task->least == total) {
    other = ready->kept;
    ready->kept = index;
    if (other != PEX_NONE && run->tasks[other].rank > task->rank) {
      ready->kept = other;
      other = index;
    }
  }
  if (other != PEX_NONE) {
    pex_publish(run, other);
    ready->published_ps += ps;
  }
  return 1;
}

/* Begins what waited for the dispatches of a list, which are done. Returns how
 * many are done with those that are empty. */
static uint32_t release(prof_executor *executor, pex_run *run, uint32_t list,
                        pex_ready *ready) {
  uint32_t done = 0;
  while (list != PEX_NONE) {
    const prof_executor_dispatch *dispatch = &run->view.dispatches[list];
    list = run->tasks[list].next;
    ++done;
    const uint32_t *next = run->view.successors + dispatch->first_successor;
    for (uint32_t number = 0; number < dispatch->successors; ++number) {
      pex_task *task = &run->tasks[next[number]];
      if (__atomic_fetch_sub(&task->pending, 1, __ATOMIC_ACQ_REL) == 1 &&
          !begin(executor, run, next[number], ready)) {
        RT_STORE(&task->next, list);
        list = next[number];
      }
    }
  }
  return done;
}

uint32_t pex_begin_tasks(prof_executor *executor, pex_run *run,
                         pex_ready *ready) {
  uint32_t list = PEX_NONE, count = run->view.header->dispatches;
  /* From the last one: then the first ones are first in the list. */
  for (uint32_t index = count; index-- > 0;)
    if (!run->view.dispatches[index].dependencies &&
        !begin(executor, run, index, ready)) {
      RT_STORE(&run->tasks[index].next, list);
      list = index;
    }
  return release(executor, run, list, ready);
}

/* Threads that the published work is worth, with the one that published it
 * unless that has other work. */
uint32_t pex_count_helpers(prof_executor *executor, const pex_ready *ready) {
  uint64_t count = ready->published_ps / PEX_HELP_PS;
  if (count && ready->kept == PEX_NONE)
    --count;
  uint32_t most = RT_LOAD(&executor->threads) - 1;
  return count < most ? (uint32_t)count : most;
}

uint32_t pex_complete(prof_executor *executor, pex_run *run,
                      uint32_t dispatch) {
  pex_ready ready = {PEX_NONE, 0};
  RT_STORE(&run->tasks[dispatch].next, PEX_NONE);
  uint32_t done = release(executor, run, dispatch, &ready);
  if (ready.published_ps)
    pex_call_helpers(executor, run, pex_count_helpers(executor, &ready));
  if (PEX_SUB(&run->unfinished, done) == done)
    pex_wake_caller(run);
  return ready.kept;
}

/*===----------------------------------------------------------------------===*
 * Taking work
 *===----------------------------------------------------------------------===*/

/* Units that nobody took. */
static uint32_t count_left(const pex_task *task, uint64_t cursor) {
  uint32_t taken =
      (uint32_t)(cursor & UINT16_MAX) + (uint32_t)(cursor >> 16 & UINT16_MAX);
  uint32_t units = RT_LOAD(&task->units);
  return taken < units ? units - taken : 0;
}

/* The task in a slot, or null if it is of an earlier run or has been taken. */
static pex_task *get_task(pex_run *run, uint64_t *slot, uint64_t *value,
                          uint64_t *cursor) {
  *value = PEX_LOAD(slot);
  if (!*value)
    return NULL;
  pex_task *task = &RT_ACQUIRE(&run->tasks)[(uint32_t)*value - 1];
  *cursor = RT_ACQUIRE(&task->cursor);
  if (*cursor >> 32 != *value >> 32)
    return NULL;
  if (count_left(task, *cursor))
    return task;
  /* The thread that took the last chunk did not get to it. */
  pex_exchange(slot, *value, 0);
  return NULL;
}

/* The size of the next chunk: less towards the end, so that all threads are
 * done at the same time. */
static uint32_t choose_size(prof_executor *executor, pex_run *run,
                            const pex_task *task, uint32_t left) {
  if (RT_LOAD(&run->is_stopped))
    return left;
  uint32_t size = left / (2 * RT_LOAD(&executor->threads));
  uint32_t least = RT_LOAD(&task->least), most = RT_LOAD(&task->most);
  size = size < most ? size : most;
  size = size > least ? size : least;
  return size < left ? size : left;
}

/* Half of the threads begin at the end: then a thread tends to get the same
 * part of each dispatch, and finds in its caches what it wrote before. */
static int take(const pex_thread *thread, pex_run *run, uint64_t *slot,
                uint64_t value, pex_chunk *chunk) {
  prof_executor *executor = thread->executor;
  chunk->run = run;
  chunk->dispatch = (uint32_t)value - 1;
  pex_task *task = &RT_ACQUIRE(&run->tasks)[chunk->dispatch];
  uint64_t cursor = RT_ACQUIRE(&task->cursor);
  for (;;) {
    uint32_t left = count_left(task, cursor);
    if (cursor >> 32 != value >> 32 || !left)
      return 0;
    uint32_t unit = RT_LOAD(&task->unit), total = RT_LOAD(&task->total);
    uint64_t most = (uint64_t)left * unit;
    uint32_t size =
        choose_size(executor, run, task, most < total ? (uint32_t)most : total);
    uint32_t count = pex_divide_up(size, unit);
    int from_end = thread->number & 1;
    uint32_t first = (uint32_t)(cursor & UINT16_MAX);
    if (from_end)
      first += left - count;
    if (!__atomic_compare_exchange_n(
            &task->cursor, &cursor,
            cursor + ((uint64_t)count << (from_end ? 16 : 0)), 0,
            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      continue;
    chunk->first = first * unit;
    uint32_t rest = total - chunk->first;
    chunk->count = rest / unit < count ? rest : count * unit;
    if (count == left)
      pex_exchange(slot, value, 0);
    return 1;
  }
}

/* Takes a chunk of the task with the highest rank. */
static int claim_best(const pex_thread *thread, pex_run *run,
                      pex_chunk *chunk) {
  uint64_t *best = NULL, best_value = 0;
  uint32_t best_rank = 0;
  for (unsigned index = 0; index < PEX_SLOTS; ++index) {
    uint64_t value, cursor;
    pex_task *task = get_task(run, &run->slots[index], &value, &cursor);
    if (!task)
      continue;
    uint32_t rank = RT_LOAD(&task->rank);
    if (best && rank <= best_rank)
      continue;
    best = &run->slots[index];
    best_value = value;
    best_rank = rank;
  }
  /* Another thread may have been faster. */
  return best ? take(thread, run, best, best_value, chunk) ? 1 : -1 : 0;
}

int pex_claim(const pex_thread *thread, pex_run *run, pex_chunk *chunk) {
  for (;;) {
    int found = claim_best(thread, run, chunk);
    if (found > 0)
      return 1;
    if (found < 0)
      continue;
    uint32_t dispatch = pop(run);
    if (dispatch == PEX_NONE)
      return 0;
    /* It keeps the run alive. */
    pex_publish(run, dispatch);
  }
}
