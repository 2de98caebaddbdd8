/*===- ModelHost.c - Functions that compiled models call ------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Each of them is entered from the model's code, and leaves it if the call has
 * been interrupted meanwhile.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelInternal.h"

#include <errno.h>

/* The call of the thread, in which nothing may jump until leave(). Null on a
 * thread that does not call a model, such as one of the model's own. Leaves the
 * code of `caller` if there is no stack for what follows. */
static pmd_call *enter(uintptr_t caller) {
  pmd_call *call = pmd_current;
  if (call && __builtin_expect(pmd_is_stack_full(&call), 0))
    pmd_fail_at_stack(call, &call, caller);
  if (call)
    RT_STORE(&call->depth, call->depth + 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return call;
}

static void leave(pmd_call *call, uintptr_t caller) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (!call)
    return;
  RT_STORE(&call->depth, call->depth - 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(RT_LOAD(&call->cancel), 0))
    pmd_fail(call, PROF_MODEL_INTERRUPTED, caller);
}

#define CALLER ((uintptr_t)__builtin_return_address(0))

/*===----------------------------------------------------------------------===*
 * Memory
 *===----------------------------------------------------------------------===*/

/* Chunks of the executor allocate memory that other threads may free. */
static pmd_call *get_list(pmd_call *call) {
  return call && !call->owner ? call : NULL;
}

static void *allocate(size_t size, size_t alignment, uintptr_t caller) {
  pmd_call *call = enter(caller), *list = get_list(call);
  uint64_t name = list ? pmd_name_allocation(list, caller) : 0;
  void *memory = list && list->outputs
                     ? pmd_take_output(list, name, size, alignment)
                     : NULL;
  if (!memory)
    memory = pmd_allocate(list, name, size, alignment);
  leave(call, caller);
  if (!memory && call)
    pmd_fail(call, PROF_MODEL_MEMORY, caller);
  return memory;
}

static void *host_allocate(size_t size) { return allocate(size, 0, CALLER); }

static void *host_allocate_zeroed(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = SIZE_MAX;
  void *memory = allocate(bytes, 0, CALLER);
  return memory ? memset(memory, 0, bytes) : NULL;
}

static void *host_allocate_aligned(size_t alignment, size_t size) {
  return allocate(size, alignment, CALLER);
}

static int host_allocate_to(void **pointer, size_t alignment, size_t size) {
  *pointer = allocate(size, alignment, CALLER);
  return *pointer ? 0 : ENOMEM;
}

static void host_release(void *pointer) {
  pmd_call *call = enter(CALLER);
  if (!pmd_find_output(call, pointer))
    prof_model_release(pointer);
  leave(call, CALLER);
}

static void *host_reallocate(void *pointer, size_t size) {
  void *moved = allocate(size, 0, CALLER);
  if (!pointer || !moved)
    return moved;
  const prof_model_output *output = pmd_find_output(pmd_current, pointer);
  const pmd_block *block =
      (const pmd_block *)((char *)pointer - sizeof(pmd_block));
  uint64_t before = output ? output->size : block->requested;
  memcpy(moved, pointer, size < before ? size : before);
  host_release(pointer);
  return moved;
}

/*===----------------------------------------------------------------------===*
 * Programs
 *===----------------------------------------------------------------------===*/

/* `executor` is that of a variable of the library, which calls do not share. */
static int host_run(void *executor, void *program, void *const *addresses,
                    const int64_t *parameters) {
  (void)executor;
  pmd_call *call = enter(CALLER);
  if (!call)
    return prof_executor_run_serial(program, addresses, parameters);
  pex_plan **plan = (pex_plan **)&((prof_executor_program *)program)->state;
  int has_run = RT_ACQUIRE(plan) != NULL;
  int error = prof_executor_run_cancelable(
      call->model->executor, program, addresses, parameters, &call->cancel);
  if (!has_run)
    pmd_keep_plan(call->model, RT_ACQUIRE(plan));
  leave(call, CALLER);
  if (call->has_fault)
    pmd_fail(call, call->fault.reason, 0);
  if (error)
    pmd_fail(call, PROF_MODEL_RANGE, CALLER);
  return 0;
}

/*===----------------------------------------------------------------------===*
 * Failures
 *===----------------------------------------------------------------------===*/

/* Keeps the text for host_fail. */
static int host_print(const char *text) {
  pmd_call *call = pmd_current;
  if (!call)
    return 0;
  size_t size = strnlen(text, sizeof call->fault.message - 1);
  memcpy(call->fault.message, text, size);
  call->fault.message[size] = 0;
  return 1;
}

static void host_fail(void) {
  if (pmd_current)
    pmd_fail(pmd_current, PROF_MODEL_ASSERTION, CALLER);
  __builtin_trap();
}

/*===----------------------------------------------------------------------===*
 * Copies
 *===----------------------------------------------------------------------===*/

/* A rank, and the address of a descriptor. */
typedef struct unranked {
  int64_t rank;
  int64_t *words;
} unranked;

typedef struct strided {
  char *data;
  const int64_t *sizes, *strides;
} strided;

static strided get_array(const unranked *array, int64_t bytes) {
  const int64_t *words = array->words;
  return (strided){(char *)words[1] + words[2] * bytes, words + 3,
                   words + 3 + array->rank};
}

static void copy_from(const strided *source, const strided *target,
                      int64_t rank, int64_t at, int64_t from, int64_t to,
                      int64_t bytes) {
  if (at == rank) {
    memcpy(target->data + to * bytes, source->data + from * bytes,
           (size_t)bytes);
    return;
  }
  for (int64_t index = 0; index < source->sizes[at]; ++index)
    copy_from(source, target, rank, at + 1, from + index * source->strides[at],
              to + index * target->strides[at], bytes);
}

/* Faults in it are the model's: it gave the addresses. */
static void host_copy(int64_t bytes, void *source, void *target) {
  const unranked *from = source, *to = target;
  strided read = get_array(from, bytes), write = get_array(to, bytes);
  copy_from(&read, &write, from->rank, 0, 0, 0, bytes);
}

const prof_model_host pmd_host = {
    .run = host_run,
    .allocate = host_allocate,
    .allocate_zeroed = host_allocate_zeroed,
    .reallocate = host_reallocate,
    .allocate_aligned = host_allocate_aligned,
    .allocate_to = host_allocate_to,
    .release = host_release,
    .print = host_print,
    .fail = host_fail,
    .copy = host_copy,
};
