/*===- ExecutorChunk.c - Workgroups that a thread runs ---------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ExecutorInternal.h"

/*===----------------------------------------------------------------------===*
 * Rounding and the like: results do not depend on the thread
 *===----------------------------------------------------------------------===*/

#if defined(__SSE__)
uint64_t pex_get_float_control(void) {
  /* Without the flags of what happened. */
  return __builtin_ia32_stmxcsr() & ~UINT32_C(0x3f);
}
static void set_float_control(uint64_t control) {
  __builtin_ia32_ldmxcsr((uint32_t)control);
}
#elif defined(__aarch64__)
uint64_t pex_get_float_control(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
static void set_float_control(uint64_t control) {
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
#else
uint64_t pex_get_float_control(void) { return 0; }
static void set_float_control(uint64_t control) { (void)control; }
#endif

/*===----------------------------------------------------------------------===*
 * Chunks
 *===----------------------------------------------------------------------===*/

static void call_chunk(const pex_chunk *chunk) {
  pex_run *run = chunk->run;
  const prof_executor_dispatch *dispatch =
      &run->view.dispatches[chunk->dispatch];
  const pex_task *task = &run->tasks[chunk->dispatch];
  prof_executor_kernel kernel = run->program->kernels[dispatch->kernel];
  void *const *bindings = run->bindings + dispatch->first_binding;
  const int64_t *arguments = run->arguments + dispatch->first_argument;
  uint32_t row = chunk->first / task->extent[0];
  uint32_t x = chunk->first % task->extent[0];
  uint32_t y = row % task->extent[1], z = row / task->extent[1];
  for (uint32_t number = 0; number < chunk->count; ++number) {
    kernel(bindings, arguments, x, y, z);
    if (++x < task->extent[0])
      continue;
    x = 0;
    if (++y < task->extent[1])
      continue;
    y = 0;
    ++z;
  }
}

static void report(const pex_thread *thread, const pex_chunk *chunk,
                   uint64_t begin, uint64_t end) {
  const pex_run *run = chunk->run;
  prof_executor_event event;
  event.program = run->program;
  event.dispatch = chunk->dispatch;
  event.instance = run->view.dispatches[chunk->dispatch].instance;
  event.thread = thread->number;
  event.first = chunk->first;
  event.workgroups = chunk->count;
  event.begin_ns = begin;
  event.end_ns = end;
  run->trace->ran(run->trace->context, &event);
}

static void call_measured(const pex_thread *thread, const pex_chunk *chunk) {
  const pex_run *run = chunk->run;
  uint64_t begin = pex_now();
  call_chunk(chunk);
  uint64_t end = pex_now();
  if (run->is_measured)
    pex_note_cost(&run->plan->costs[chunk->dispatch],
                  pex_multiply(end - begin, 1000) / chunk->count);
  if (run->trace)
    report(thread, chunk, begin, end);
}

static void check_stop(const prof_executor *executor, pex_run *run) {
  if (PEX_UNLIKELY((run->cancel && RT_LOAD(run->cancel)) ||
                   RT_LOAD(&executor->is_shut_down)))
    pex_stop(run, PEX_CANCELED);
}

/* A chunk, and the thread that runs it. */
typedef struct pex_guarded {
  const pex_thread *thread;
  const pex_chunk *chunk;
} pex_guarded;

static void call_any(const pex_thread *thread, const pex_chunk *chunk) {
  const pex_run *run = chunk->run;
  if (run->is_measured || run->trace)
    call_measured(thread, chunk);
  else
    call_chunk(chunk);
}

static void call_guarded(void *argument) {
  const pex_guarded *guarded = argument;
  call_any(guarded->thread, guarded->chunk);
}

static void run_chunk(pex_thread *thread, const pex_chunk *chunk) {
  pex_run *run = chunk->run;
  check_stop(thread->executor, run);
  if (RT_LOAD(&run->is_stopped))
    return;
  uint32_t *slot = pex_get_slot();
  RT_STORE(slot, run->view.dispatches[chunk->dispatch].instance);
  const prof_executor_options *options = &thread->executor->options;
  if (options->guard && run->cancel) {
    pex_guarded guarded = {thread, chunk};
    int error = options->guard(run->cancel, call_guarded, &guarded);
    if (PEX_UNLIKELY(error))
      pex_stop(run, error);
  } else {
    call_any(thread, chunk);
  }
  RT_STORE(slot, PROF_EXECUTOR_SCHEDULING);
}

void pex_set_float_control(pex_thread *thread, uint64_t control) {
  if (thread->float_control == control)
    return;
  thread->float_control = control;
  set_float_control(control);
}

/* Runs a chunk and the small dispatches that become ready by it. */
static void run_from(pex_thread *thread, pex_chunk *chunk) {
  pex_run *run = chunk->run;
  pex_set_float_control(thread, run->float_control);
  for (;;) {
    pex_task *task = &run->tasks[chunk->dispatch];
    run_chunk(thread, chunk);
    if (__atomic_fetch_sub(&task->left, chunk->count, __ATOMIC_ACQ_REL) !=
        chunk->count)
      return;
    uint32_t kept = pex_complete(thread->executor, run, chunk->dispatch);
    if (kept == PEX_NONE)
      return;
    if (RT_LOAD(&thread->is_leaving)) {
      pex_publish(run, kept);
      pex_call_helpers(thread->executor, run, 1);
      return;
    }
    chunk->dispatch = kept;
    chunk->first = 0;
    chunk->count = run->tasks[kept].total;
  }
}

int pex_work_on(pex_thread *thread, pex_run *run, uint32_t kept) {
  pex_chunk chunk = {run, kept, 0, 0};
  int found = kept != PEX_NONE;
  if (found) {
    chunk.count = run->tasks[kept].total;
    run_from(thread, &chunk);
  }
  uint32_t *slot = pex_get_slot();
  for (;;) {
    RT_STORE(slot, PROF_EXECUTOR_STEALING);
    if (RT_LOAD(&thread->is_leaving) || !pex_claim(thread, run, &chunk))
      return found;
    found = 1;
    run_from(thread, &chunk);
  }
}
