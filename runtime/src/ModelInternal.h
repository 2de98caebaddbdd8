/*===- ModelInternal.h - Data structures of models -----------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A call is on the stack of its thread while the model's code runs, and faults
 * of that code leave by its jump buffer. Functions of the host (ModelHost.c)
 * take locks and change lists, so nothing may jump out of them: each counts
 * itself in the call's depth, and a fault in it is not the model's.
 *
 * Memory that the host side of a model allocates is in a list of its call,
 * which is freed if the call does not return.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_MODELINTERNAL_H
#define MLIR_PROF_RUNTIME_MODELINTERNAL_H

#include "Internal.h"
#include "ModelFile.h"
#include "ModelSignals.h"
#pragma GCC visibility push(default)
#include "mlir-prof/Runtime/prof_executor.h"
#pragma GCC visibility pop

#include <pthread.h>
#include <setjmp.h>
#include <time.h>

#define PMD_LINE 64

/* An allocation of a call. */
typedef struct pmd_source {
  /* That of pmd_name_allocation; 0 if it is not known. */
  uint64_t name;
  /* Bytes beyond the elements, with which code aligns its arrays. */
  uint64_t padding;
} pmd_source;

struct prof_model {
  prof_model_info info;
  pmd_file file;
  void *library;
  void (*entry)(void **addresses);
  /* Ignores its parameter. */
  void (*reset)(void **none);
  /* The dispatch that code without an executor runs; null in other code. */
  const uint32_t *instance;
  prof_executor *executor;
  /* The executor allocated them for the programs of the library, which other
   * models may have, too. */
  pex_plan **plans;
  uint32_t plan_count;
  /* Held by a call, if there are variables. */
  pthread_mutex_t lock;
  /* The address of the code. */
  uintptr_t text_begin, text_end;
  /* Whether no other model has the library. */
  int has_own_library;
  /* By result: the allocation that it was when it was last looked at. */
  struct pmd_source *sources;
  /* In the list of open models: the file's device and inode; what it was when
   * it was loaded. */
  uint64_t device, inode, file_bytes;
  struct timespec written;
  char *path;
  struct prof_model *next;
};

/* Precedes each block that a model allocated. */
typedef struct pmd_block {
  /* In the list of a call, or of free blocks. */
  struct pmd_block *next, *previous;
  struct pmd_call *call;
  uint64_t size_class;
  /* Bytes of the block, and of what was asked for. */
  uint64_t bytes, requested;
  /* Bytes from the memory's begin to this. */
  uint64_t offset;
  /* That of pmd_name_allocation; 0 outside of calls. */
  uint64_t name;
} __attribute__((aligned(PMD_LINE))) pmd_block;

/* The reason why a call ended early. */
typedef struct pmd_fault {
  int32_t reason;
  /* The address that was accessed, and places in the code: where it failed, or
   * that to which a library's function would have returned. */
  uintptr_t address, place, caller;
  /* The end of the stack; 0 if no signal was the reason. */
  uintptr_t stack;
  uint32_t instance;
  /* The message of an assertion. */
  char message[256];
} pmd_fault;

typedef struct pmd_call {
  /* First: the executor hands its address on as that of the call. */
  uint32_t cancel;
  /* Functions of the host that the thread is in. */
  uint32_t depth;
  prof_model *model;
  /* The call around it on this thread, and the one whose chunk this is. */
  struct pmd_call *outer, *owner;
  pmd_block *blocks;
  /* Null without any. */
  const prof_model_output *outputs;
  /* Those of the thread itself, so far. */
  uint32_t allocations;
  pmd_fault fault;
  uint32_t has_fault;
  /* Signals of the code that came; the first one ends the call. */
  uint32_t is_leaving;
  /* A file's memory, if a function of the host reads it, which only faults
   * there may end. */
  const char *file_begin, *file_end;
  jmp_buf place;
} pmd_call;

/* Model.c: open models, and a lock for them, for the loader, and for pointers
 * of libraries. */
extern pthread_mutex_t pmd_registry;
extern prof_model *pmd_models;

/* Frees a plan with the model. Null is ignored. */
void pmd_keep_plan(prof_model *model, pex_plan *plan);

/* ModelFork.c: makes models work in forked processes. Not under a lock: the C
 * library may wait for a fork that waits for it. */
void pmd_watch_forks(void);

/* Model.c. Calls a function that reads memory of a file, which others may cut
 * off meanwhile. Returns 0 if it returned. */
int pmd_read_guarded(prof_model *model, const void *begin, uint64_t size,
                     void (*work)(void **), void **arguments);

/* ModelHost.c */
extern const prof_model_host pmd_host;

/* ModelOutputs.c: memory of callers for results. */
/* Tells the next allocation of a call, by code at `caller`, from all others. */
uint64_t pmd_name_allocation(pmd_call *call, uintptr_t caller);
/* The output that an allocation becomes; null if it is none. */
void *pmd_take_output(const pmd_call *call, uint64_t name, size_t size,
                      size_t alignment);
/* The output at `pointer` in the call or the one whose chunk it is. */
const prof_model_output *pmd_find_output(const pmd_call *call,
                                         const void *pointer);
/* Notes which allocations became the results of a call. */
void pmd_note_sources(prof_model *model, void **addresses,
                      const pmd_call *call);

/* ModelConstants.c */
/* Copies the library of the file `from`, without constants, to a new file, and
 * returns its path in `to`; 0 if that fails. */
int pmd_copy_library(const pmd_file *file, int from, char *to, size_t room);
/* Maps the constants of the file over those that the copy lacks. */
int pmd_map_constants(const prof_model *model, int descriptor);
int pmd_fill_constants(prof_model *model);
void pmd_use_own_constants(const prof_model *model);

/* ModelMemory.c */
extern prt_lock pmd_memory_lock;
void *pmd_allocate(pmd_call *call, uint64_t name, size_t size,
                   size_t alignment);
/* Those of a call that did not return; after one that did, they are the
 * caller's. */
void pmd_free_blocks(pmd_call *call);
void pmd_keep_blocks(pmd_call *call);

/* ModelFault.c */
extern _Thread_local pmd_call *pmd_current
    __attribute__((tls_model("initial-exec")));
/* For what calls note in a model, and threads of the executor in a call. */
extern prt_lock pmd_fault_lock;
/* Under the registry's lock. */
void pmd_install_handlers(void);
/* Lets the handlers run on a stack of their own, and finds out where that of
 * the thread ends. */
void pmd_give_stack(void);
/* The end of the thread's stack, and the bytes before it that functions of the
 * host need, since nothing may jump out of them; 0 if it is not known. */
extern _Thread_local uintptr_t pmd_stack_end,
    pmd_stack_room __attribute__((tls_model("initial-exec")));
/* Whether less is left of the stack at `frame`. */
static inline int pmd_is_stack_full(const void *frame) {
  return (uintptr_t)frame - pmd_stack_end < pmd_stack_room;
}
/* Leaves the model's code. */
_Noreturn void pmd_fail(pmd_call *call, int32_t reason, uintptr_t caller);
/* The same because the stack ends near `frame`. */
_Noreturn void pmd_fail_at_stack(pmd_call *call, const void *frame,
                                 uintptr_t caller);
/* A guard of executors. */
int pmd_run_guarded(const uint32_t *cancel, void (*work)(void *),
                    void *argument);
void pmd_describe(const prof_model *model, const pmd_fault *fault,
                  prof_model_failure *failure);

#endif /* MLIR_PROF_RUNTIME_MODELINTERNAL_H */
