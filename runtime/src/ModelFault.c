/*===- ModelFault.c - Failures of compiled models -------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Handlers may interrupt any instruction. They act if the thread runs the code
 * of a model, and no function of the host: then no lock is held, and nothing of
 * this process is half done, so that the call can be left by a jump. In all
 * other cases the handlers that were there before decide.
 *
 * An interrupt ends the call of its thread. Chunks of the call may run on other
 * threads, without an end; a signal of their own lets these leave.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelInternal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>

_Thread_local pmd_call *pmd_current __attribute__((tls_model("initial-exec"))) =
    NULL;

static pmd_handlers faults[] = {{.number = SIGSEGV},
                                {.number = SIGBUS},
                                {.number = SIGFPE},
                                {.number = SIGILL}};
#define FAULTS (sizeof faults / sizeof *faults)

/*===----------------------------------------------------------------------===*
 * Places
 *===----------------------------------------------------------------------===*/

static uintptr_t get_place(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

static uintptr_t get_stack(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.sp;
#else
  (void)context;
  return 0;
#endif
}

static int is_in_text(const prof_model *model, uintptr_t address) {
  return address >= model->text_begin && address < model->text_end;
}

/* A return address into the code near the top of the stack, which reaches at
 * least to `call`; 0 if there is none. */
static uintptr_t find_caller(const pmd_call *call, uintptr_t stack) {
  enum { WORDS = 512 };
  const uintptr_t *at = (const uintptr_t *)(stack & ~(uintptr_t)7);
  const uintptr_t *end = (const uintptr_t *)call;
  /* Also if the stack has overflowed into something else. */
  if (at > end)
    return 0;
  for (int word = 0; word < WORDS && at + word < end; ++word)
    if (is_in_text(call->model, at[word]))
      return at[word];
  return 0;
}

static uint32_t get_instance(const prof_model *model) {
  uint32_t instance = prof_executor_current();
  if (instance <= PROF_EXECUTOR_LAST_INSTANCE)
    return instance;
  return model->instance ? RT_LOAD(model->instance) : UINT32_MAX;
}

/*===----------------------------------------------------------------------===*
 * Leaving the code
 *===----------------------------------------------------------------------===*/

static _Noreturn void leave(pmd_call *call, int32_t reason) {
  call->fault.reason = reason;
  call->has_fault = 1;
  _longjmp(call->place, 1);
}

void pmd_fail(pmd_call *call, int32_t reason, uintptr_t caller) {
  if (caller) {
    call->fault.caller = caller;
    call->fault.instance = get_instance(call->model);
  }
  leave(call, reason);
}

void pmd_fail_at_stack(pmd_call *call, const void *frame, uintptr_t caller) {
  call->fault.address = call->fault.stack = (uintptr_t)frame;
  pmd_fail(call, SIGSEGV, caller);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  unsigned index = 0;
  while (faults[index].number != number)
    ++index;
  pmd_pass_on(&faults[index], info, context);
}

/* Whether a fault is none of the function that reads a file. */
static int is_outside(const pmd_call *call, const siginfo_t *info) {
  const char *address = info->si_addr;
  return call->file_begin &&
         (address < call->file_begin || address >= call->file_end);
}

static void on_signal(int number, siginfo_t *info, void *data) {
  pmd_call *call = pmd_current;
  /* Those that a process sent are not the code's. */
  if (!call || RT_LOAD(&call->depth) || info->si_code <= 0 ||
      is_outside(call, info)) {
    pass_on(number, info, data);
    return;
  }
  /* The stack and the variables that tell more may be gone, too. */
  if (call->is_leaving++)
    leave(call, number);
  const ucontext_t *context = data;
  pmd_fault *fault = &call->fault;
  fault->address = (uintptr_t)info->si_addr;
  fault->stack = get_stack(context);
  fault->place = get_place(context);
  if (!is_in_text(call->model, fault->place))
    fault->caller = find_caller(call, fault->stack);
  fault->instance = get_instance(call->model);
  leave(call, number);
}

/*===----------------------------------------------------------------------===*
 * Interrupts
 *===----------------------------------------------------------------------===*/

static pmd_handlers interrupts = {.number = SIGINT},
                    wakes = {.number = PMD_WAKE};

static void leave_if_canceled(pmd_call *call) {
  if (!RT_LOAD(&call->depth) && !call->file_begin)
    pmd_fail(call, PROF_MODEL_INTERRUPTED, 0);
}

int prof_model_interrupt(void) {
  pmd_call *call = pmd_current;
  if (!call)
    return 0;
  for (pmd_call *outer = call; outer; outer = outer->outer) {
    RT_STORE(&outer->cancel, 1);
    if (outer->model->executor)
      pex_signal_threads(outer->model->executor, PMD_WAKE);
  }
  leave_if_canceled(call);
  return 1;
}

/* On a thread of the executor: its call may have been canceled. */
static void on_wake(int number, siginfo_t *info, void *context) {
  (void)number;
  pmd_call *call = pmd_current;
  if (call && call->owner && RT_LOAD(&call->owner->cancel)) {
    RT_STORE(&call->cancel, 1);
    leave_if_canceled(call);
  } else {
    pmd_pass_on(&wakes, info, context);
  }
}

static void on_interrupt(int number, siginfo_t *info, void *context) {
  (void)number;
  pmd_pass_on(&interrupts, info, context);
  prof_model_interrupt();
}

void pmd_install_handlers(void) {
  /* Jumps leave the mask of signals as the handler had it. */
  for (unsigned index = 0; index < FAULTS; ++index)
    pmd_install(&faults[index], on_signal, SA_ONSTACK);
  pmd_install(&wakes, on_wake, SA_ONSTACK | SA_RESTART);
}

void prof_model_watch_interrupts(void) {
  struct sigaction now;
  if (sigaction(SIGINT, NULL, &now) ||
      (!(now.sa_flags & SA_SIGINFO) &&
       (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)))
    return;
  pthread_mutex_lock(&pmd_registry);
  pmd_install(&interrupts, on_interrupt, now.sa_flags & SA_RESTART);
  pthread_mutex_unlock(&pmd_registry);
}

/*===----------------------------------------------------------------------===*
 * Threads of the executor
 *===----------------------------------------------------------------------===*/

prt_lock pmd_fault_lock;

int pmd_run_guarded(const uint32_t *cancel, void (*work)(void *),
                    void *argument) {
  pmd_call *owner = (pmd_call *)cancel;
  pmd_call inner = {.model = owner->model, .outer = pmd_current};
  inner.owner = owner;
  if (!_setjmp(inner.place)) {
    pmd_current = &inner;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    /* The signal may have come before. */
    if (RT_LOAD(cancel))
      pmd_fail(&inner, PROF_MODEL_INTERRUPTED, 0);
    work(argument);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    pmd_current = inner.outer;
    return 0;
  }
  pmd_current = inner.outer;
  uint32_t none = 0;
  prt_acquire(&pmd_fault_lock);
  if (owner->has_fault == none) {
    owner->fault = inner.fault;
    owner->has_fault = 1;
  }
  prt_release(&pmd_fault_lock);
  return ECANCELED;
}

/*===----------------------------------------------------------------------===*
 * Stacks
 *===----------------------------------------------------------------------===*/

_Thread_local uintptr_t pmd_stack_end,
    pmd_stack_room __attribute__((tls_model("initial-exec")));

static void find_stack(void) {
  enum { MOST_ROOM = 128 << 10 };
  pthread_attr_t attributes;
  void *end;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes))
    return;
  if (!pthread_attr_getstack(&attributes, &end, &size)) {
    pmd_stack_end = (uintptr_t)end;
    pmd_stack_room = size / 8 < MOST_ROOM ? size / 8 : MOST_ROOM;
  }
  pthread_attr_destroy(&attributes);
}

static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;
#define STACK_BYTES (64 << 10)

static void free_stack(void *memory) {
  stack_t none = {.ss_flags = SS_DISABLE}, now;
  if (!sigaltstack(NULL, &now) && now.ss_sp == memory)
    sigaltstack(&none, NULL);
  munmap(memory, STACK_BYTES);
}

static void make_key(void) { pthread_key_create(&stack_key, free_stack); }

void pmd_give_stack(void) {
  static _Thread_local char has_stack;
  if (has_stack)
    return;
  has_stack = 1;
  find_stack();
  pthread_once(&stack_once, make_key);
  stack_t now;
  if (sigaltstack(NULL, &now) || !(now.ss_flags & SS_DISABLE))
    return;
  void *memory = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  stack_t stack = {.ss_sp = memory, .ss_size = STACK_BYTES};
  if (sigaltstack(&stack, NULL) || pthread_setspecific(stack_key, memory))
    munmap(memory, STACK_BYTES);
}

/*===----------------------------------------------------------------------===*
 * Descriptions
 *===----------------------------------------------------------------------===*/

/* Whether the access was about the top of the stack, and so beyond its end. */
static int is_overflow(const pmd_fault *fault) {
  enum { NEAR = 64 << 10 };
  return fault->reason == SIGSEGV && fault->stack &&
         fault->address - (fault->stack - NEAR) < 2 * NEAR;
}

/* Whether someone wrote to the file, of which memory is not loaded before it is
 * used. */
static int is_changed(const prof_model *model) {
  struct stat now;
  return model->path && !stat(model->path, &now) &&
         now.st_dev == model->device && now.st_ino == model->inode &&
         ((uint64_t)now.st_size != model->file_bytes ||
          now.st_mtim.tv_sec != model->written.tv_sec ||
          now.st_mtim.tv_nsec != model->written.tv_nsec);
}

static const char *describe_reason(int32_t reason) {
  switch (reason) {
  case PROF_MODEL_ASSERTION:
    return "an assertion failed";
  case PROF_MODEL_INTERRUPTED:
    return "interrupted";
  case PROF_MODEL_MEMORY:
    return "there is no memory for a buffer";
  case PROF_MODEL_RANGE:
    return "a size is too large";
  case SIGSEGV:
    return "it accessed memory that is not its own (SIGSEGV)";
  case SIGBUS:
    return "it accessed memory that is not there (SIGBUS)";
  case SIGFPE:
    return "an integer division failed (SIGFPE)";
  case SIGILL:
    return "it reached an instruction that is not valid (SIGILL)";
  default:
    return "it failed";
  }
}

void pmd_describe(const prof_model *model, const pmd_fault *fault,
                  prof_model_failure *failure) {
  failure->reason = fault->reason;
  uintptr_t place = fault->place;
  /* The call is before the address to which it returns. */
  if (!is_in_text(model, place))
    place = fault->caller - 1;
  uint32_t size = 0;
  const char *op = NULL;
  if (is_in_text(model, place))
    op = pmd_find_place(&model->file, place - model->text_begin,
                        fault->instance, &size);
  int has_message =
      fault->reason == PROF_MODEL_ASSERTION && fault->message[0] != 0;
  const char *reason = is_overflow(fault) ? "its stack is full (SIGSEGV)"
                                          : describe_reason(fault->reason);
  const char *hint =
      fault->reason > 0 && is_changed(model)
          ? "; the model's file was written to after it was "
            "loaded\n  hint: Replace files of models by renaming "
            "new ones, and load the model again."
          : "";
  snprintf(failure->text, sizeof failure->text, "%s%s%s%s%.*s%s", reason,
           has_message ? ": " : "", has_message ? fault->message : "",
           op ? ", in " : "", (int)size, op ? op : "", hint);
}
