/*===- ExecutorRun.c - Programs on several threads -------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorInternal.h"

/* Runs of which costs are measured: the first ones, and then one of several. */
#define FIRST_RUNS 4
#define ONE_OF 16

static int is_measured(uint64_t number) {
  return number < FIRST_RUNS || number % ONE_OF == 0;
}

/*===----------------------------------------------------------------------===*
 * On the calling thread alone
 *===----------------------------------------------------------------------===*/

typedef struct pex_request {
  prof_executor *executor;
  prof_executor_program *program;
  void *const *addresses;
  const int64_t *parameters;
  const uint32_t *cancel;
  const prof_executor_trace *trace;
} pex_request;

static int is_canceled(const pex_request *request) {
  return (request->cancel && RT_LOAD(request->cancel)) ||
         (request->executor && RT_LOAD(&request->executor->is_shut_down));
}

/* As pex_run_list does it, for a program of the dispatch alone. */
static int run_one(const pex_request *request, const pex_view *view,
                   uint32_t index) {
  const prof_executor_dispatch *dispatch = &view->dispatches[index];
  uint32_t grid[3];
  if (!pex_get_grid(dispatch, request->parameters, grid))
    return PEX_RANGE;
  void *bindings[dispatch->bindings + 1];
  int64_t arguments[dispatch->arguments + 1];
  for (uint32_t number = 0; number < dispatch->bindings; ++number)
    bindings[number] = pex_get_binding(
        &view->bindings[dispatch->first_binding + number], request->addresses);
  for (uint32_t number = 0; number < dispatch->arguments; ++number)
    arguments[number] =
        pex_get_argument(&view->arguments[dispatch->first_argument + number],
                         request->parameters);
  uint32_t total = grid[0] * grid[1] * grid[2];
  prof_executor_event event = {
      request->program, index, dispatch->instance, 0, 0, total, pex_now(), 0};
  prof_executor_kernel kernel = request->program->kernels[dispatch->kernel];
  for (uint32_t number = 0; number < total; ++number)
    kernel(bindings, arguments, number % grid[0], number / grid[0] % grid[1],
           number / grid[0] / grid[1]);
  event.end_ns = pex_now();
  if (request->trace && total)
    request->trace->ran(request->trace->context, &event);
  return 0;
}

/* With a trace, or what may cancel it. */
static int run_watched(const pex_request *request) {
  pex_view view = pex_get_view(request->program->table);
  uint32_t *slot = pex_get_slot(), before = RT_LOAD(slot);
  int error = 0;
  for (uint32_t index = 0; index < view.header->dispatches && !error; ++index) {
    RT_STORE(slot, view.dispatches[index].instance);
    error =
        is_canceled(request) ? PEX_CANCELED : run_one(request, &view, index);
  }
  RT_STORE(slot, before);
  return error;
}

static int run_list(const pex_request *request) {
  static const uint32_t never = 0;
  if (request->trace)
    return run_watched(request);
  return pex_run_list(request->program, request->addresses, request->parameters,
                      request->executor ? &request->executor->is_shut_down
                                        : &never,
                      request->cancel ? request->cancel : &never);
}

typedef struct pex_guarded_list {
  const pex_request *request;
  int error;
} pex_guarded_list;

static void run_guarded(void *argument) {
  pex_guarded_list *list = argument;
  list->error = run_list(list->request);
}

static int run_alone(const pex_request *request) {
  if (!request->executor || !request->executor->options.guard ||
      !request->cancel)
    return run_list(request);
  uint32_t *slot = pex_get_slot(), before = RT_LOAD(slot);
  pex_guarded_list list = {request, 0};
  int error =
      request->executor->options.guard(request->cancel, run_guarded, &list);
  RT_STORE(slot, before);
  return error ? error : list.error;
}

/* A program that is too short for threads, by an estimate that may be wrong. */
static int run_short(const pex_request *request, pex_plan *plan,
                     uint64_t number) {
  if (!is_measured(number))
    return run_alone(request);
  uint64_t begin = pex_now();
  int error = run_alone(request);
  pex_note_estimate(plan, pex_multiply(pex_now() - begin, 1000));
  return error;
}

/*===----------------------------------------------------------------------===*
 * Places
 *===----------------------------------------------------------------------===*/

static pex_run *reserve(prof_executor *executor) {
  uint64_t busy = PEX_LOAD(&executor->busy), bit;
  do {
    if (busy == UINT64_MAX)
      return NULL;
    bit = ~busy & (busy + 1);
  } while (!__atomic_compare_exchange_n(&executor->busy, &busy, busy | bit, 1,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return &executor->runs[__builtin_ctzll(bit)];
}

static uint64_t get_bit(prof_executor *executor, pex_run *run) {
  return UINT64_C(1) << (run - executor->runs);
}

static void leave(prof_executor *executor, pex_run *run) {
  __atomic_fetch_and(&executor->busy, ~get_bit(executor, run),
                     __ATOMIC_SEQ_CST);
}

/* An array of at least `count` entries in place of one that is too small.
 * Others may still read the old one. */
static int grow(prof_executor *executor, void **array, uint32_t *capacity,
                uint64_t count, uint64_t size) {
  if (count <= *capacity)
    return 1;
  uint64_t larger = 64;
  while (larger < count)
    larger *= 2;
  void *memory = pex_allocate(executor, larger * size);
  if (!memory)
    return 0;
  RT_RELEASE(array, memory);
  *capacity = larger < UINT32_MAX ? (uint32_t)larger : UINT32_MAX;
  return 1;
}

static int make_room(prof_executor *executor, pex_run *run,
                     const prof_executor_table *header) {
  return grow(executor, (void **)&run->tasks, &run->task_capacity,
              header->dispatches, sizeof *run->tasks) &&
         grow(executor, (void **)&run->bindings, &run->binding_capacity,
              header->bindings, sizeof *run->bindings) &&
         grow(executor, (void **)&run->arguments, &run->argument_capacity,
              header->arguments, sizeof *run->arguments);
}

static void fill(pex_run *run, const pex_request *request, pex_plan *plan,
                 uint64_t number) {
  run->generation += 1 + (run->generation == UINT32_MAX);
  run->program = request->program;
  run->view = pex_get_view(request->program->table);
  run->plan = plan;
  run->parameters = request->parameters;
  run->cancel = request->cancel;
  run->trace = request->trace;
  run->is_measured = is_measured(number);
  run->float_control = pex_get_float_control();
  run->error = 0;
  RT_STORE(&run->is_stopped, 0);
  const prof_executor_table *header = run->view.header;
  for (uint32_t index = 0; index < header->bindings; ++index)
    run->bindings[index] =
        pex_get_binding(&run->view.bindings[index], request->addresses);
  for (uint32_t index = 0; index < header->arguments; ++index)
    run->arguments[index] =
        pex_get_argument(&run->view.arguments[index], request->parameters);
  for (uint32_t index = 0; index < header->dispatches; ++index)
    RT_STORE(&run->tasks[index].pending,
             run->view.dispatches[index].dependencies);
  PEX_STORE(&run->unfinished, header->dispatches);
}

/*===----------------------------------------------------------------------===*
 * On several threads
 *===----------------------------------------------------------------------===*/

/* Helps with the run until all of it is done. */
static void run_all(prof_executor *executor, pex_run *run) {
  pex_thread caller = {.executor = executor};
  caller.spin_ns = RT_LOAD(&executor->caller_spin_ns);
  caller.float_control = run->float_control;
  pex_ready ready = {PEX_NONE, 0};
  PEX_SUB(&run->unfinished, pex_begin_tasks(executor, run, &ready));
  __atomic_fetch_or(&executor->active, get_bit(executor, run),
                    __ATOMIC_SEQ_CST);
  pex_call_helpers(executor, run, pex_count_helpers(executor, &ready));
  pex_work_on(&caller, run, ready.kept);
  while (PEX_LOAD(&run->unfinished)) {
    pex_wait_in_run(&caller, run);
    pex_work_on(&caller, run, PEX_NONE);
  }
  RT_STORE(pex_get_slot(), PROF_EXECUTOR_SCHEDULING);
  uint64_t bit = get_bit(executor, run);
  uint64_t others =
      __atomic_and_fetch(&executor->active, ~bit, __ATOMIC_SEQ_CST);
  RT_STORE(&executor->caller_spin_ns, caller.spin_ns);
  /* Others may have one more thread now. */
  if (PEX_UNLIKELY(others))
    pex_call_helpers(executor, &executor->runs[__builtin_ctzll(others)], 1);
}

static int run_threaded(const pex_request *request, pex_plan *plan,
                        uint64_t number) {
  prof_executor *executor = request->executor;
  pex_run *run = reserve(executor);
  if (!run)
    return run_alone(request);
  if (!make_room(executor, run,
                 (const prof_executor_table *)request->program->table)) {
    leave(executor, run);
    return run_alone(request);
  }
  pex_start_threads(executor);
  uint32_t *slot = pex_get_slot(), before = RT_LOAD(slot);
  RT_STORE(slot, PROF_EXECUTOR_SCHEDULING);
  fill(run, request, plan, number);
  run_all(executor, run);
  if (run->is_measured)
    RT_STORE(&plan->estimate_ps,
             pex_estimate(plan, &run->view, request->parameters));
  int error = RT_LOAD(&run->error);
  leave(executor, run);
  RT_STORE(slot, before);
  return error;
}

int prof_executor_run_cancelable(prof_executor *executor,
                                 prof_executor_program *program,
                                 void *const *addresses,
                                 const int64_t *parameters,
                                 const uint32_t *cancel) {
  pex_request request = {
      executor,   program, addresses,
      parameters, cancel,  executor ? RT_ACQUIRE(&executor->trace) : NULL};
  if (!executor || RT_LOAD(&executor->threads) == 1)
    return run_alone(&request);
  pex_plan *plan = pex_get_plan(program, parameters);
  if (!plan)
    return run_alone(&request);
  uint64_t number = __atomic_fetch_add(&plan->runs, 1, __ATOMIC_RELAXED);
  if (RT_LOAD(&plan->estimate_ps) < PEX_SMALL_PS)
    return run_short(&request, plan, number);
  return run_threaded(&request, plan, number);
}

int prof_executor_run(prof_executor *executor, prof_executor_program *program,
                      void *const *addresses, const int64_t *parameters) {
  return prof_executor_run_cancelable(executor, program, addresses, parameters,
                                      NULL);
}
