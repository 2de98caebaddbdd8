/*===- Scopes.h - Parts of the extension mlir_prof._scopes ---------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The state of open scopes belongs to threads, not to Python objects: one scope
 * object serves recursion and any number of threads.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_PYTHON_SCOPES_H
#define MLIR_PROF_PYTHON_SCOPES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "mlir-prof/Runtime/prof_scope.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PSC_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define PSC_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* The type of scopes of Python without one of their own: PythonUserDefined. */
#define PSC_DEFAULT_TYPE 14

/* A scope that a thread has begun. */
typedef struct psc_entry {
  /* The serial number of the Python object that may end it, or PSC_FREE. */
  uint64_t owner;
  /* Without a thread: it is not recorded, and the slot counts how many further
   * ones like it there are. */
  prof_scope_token token;
} psc_entry;

/* The owner of scopes that begin() begins. */
#define PSC_FREE 0
/* The owner of calls of Python functions. */
#define PSC_CALL (UINT64_MAX >> 1)
/* Set in an owner while suspend() holds the scope. */
#define PSC_WAITS (UINT64_C(1) << 63)

typedef struct psc_stack {
  psc_entry *entries;
  uint32_t depth;
  uint32_t capacity;
  struct psc_stack *next;
} psc_stack;

/* Null before the thread's first scope. An extension has little room for
 * variables of this model: two pointers, with the runtime's. */
extern __thread psc_stack *psc_current
    __attribute__((tls_model("initial-exec")));

/* The name of a scope and its properties. */
typedef struct psc_site {
  PyObject *name;
  /* `name` is unused; `id` is 0 before the first scope that is recorded. */
  prof_scope_site site;
} psc_site;

/* A number that no other object has. */
uint64_t psc_make_serial(void);
/* The stack of the calling thread, with room for an entry; null with an
 * exception if memory is missing. */
psc_stack *psc_reserve(void);
/* Takes the last scope of `owner` off a stack; 0 if there is none. */
int psc_take(psc_stack *stack, uint64_t owner, prof_scope_token *token);
/* The same for the coroutines that wait. */
int psc_take_waiting(uint64_t owner, prof_scope_token *token);
/* Removes the entry of `owner` that is not the top of the thread's stack and
 * ends it. Without one it is a loss. */
void psc_end_slowly(uint64_t owner);
/* The same for any entry of the thread's stack, and without a loss. */
void psc_pop_if_open(uint64_t owner);
/* Ends all scopes of `owner`, those of other threads included. */
void psc_end_all(uint64_t owner);
/* Begins a scope of a site whose level is recorded. Never fails: what cannot be
 * recorded is a loss. */
prof_scope_token psc_begin_site(psc_site *site);
/* The bytes of a string, also of one that UTF-8 cannot encode; *owner is to be
 * released. Null with an exception if memory is missing. */
const char *psc_read_name(PyObject *name, Py_ssize_t *size, PyObject **owner);
/* The name in a recording, any bytes, as a string. */
PyObject *psc_make_name(const char *bytes, size_t size);

/* Puts a scope on the thread's stack; 0 with an exception. */
static inline int psc_push(uint64_t owner, psc_site *site) {
  prof_scope_token token = {NULL, 0, 0};
  /* May run other code, which uses the stack. */
  if (prof_scope_is_on(site->site.level))
    token = psc_begin_site(site);
  psc_stack *stack = psc_current;
  if (PSC_UNLIKELY(!stack || stack->depth == stack->capacity) &&
      !(stack = psc_reserve())) {
    prof_scope_end(token);
    return 0;
  }
  psc_entry *entry = &stack->entries[stack->depth];
  /* A loop that begins but never ends must not use up memory. */
  if (!token.thread && stack->depth && entry[-1].owner == owner &&
      !entry[-1].token.thread) {
    ++entry[-1].token.slot;
    return 1;
  }
  entry->token = token;
  entry->owner = owner;
  ++stack->depth;
  return 1;
}

/* Ends the last scope of `owner` on the thread. */
static inline void psc_pop(uint64_t owner) {
  psc_stack *stack = psc_current;
  if (PSC_UNLIKELY(!stack || !stack->depth ||
                   stack->entries[stack->depth - 1].owner != owner)) {
    psc_end_slowly(owner);
    return;
  }
  prof_scope_token token = stack->entries[stack->depth - 1].token;
  if (token.thread)
    prof_scope_end(token);
  else if (token.slot) {
    --stack->entries[stack->depth - 1].token.slot;
    return;
  }
  --stack->depth;
}

/* ScopeObject.c */
extern PyTypeObject psc_scope_type;
extern PyTypeObject psc_timed_type;
int psc_prepare_scopes(void);
/* The arguments of a scope: name, type, level, role. 0 with an exception. */
int psc_read_site(psc_site *site, PyObject *const *arguments, Py_ssize_t count,
                  PyObject *names);

/* Functions.c */
extern PyTypeObject psc_context_type;
extern PyMethodDef psc_functions[];
prof_scope_context psc_read_context(PyObject *context);
void psc_forget_names(void);
/* Nanoseconds of CLOCK_MONOTONIC, or of the simulated clock. */
int64_t psc_read_clock(void);

/* Strand.c */
extern PyTypeObject psc_strand_type;

/* Trace.c */
extern PyMethodDef psc_trace_functions[];

/* SessionObject.cpp and RecordingObject.cpp */
extern PyMethodDef psc_switch_functions[];
extern PyTypeObject psc_session_type;
extern PyTypeObject psc_recording_type;

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_PYTHON_SCOPES_H */
