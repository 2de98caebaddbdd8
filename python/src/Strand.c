/*===- Strand.c - Coroutines whose scopes do not run while they wait -------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A strand stands for a coroutine or a generator. Scopes that are open in it
 * when it gives up control are suspended, and taken off the thread's stack,
 * until it goes on.
 *
 *===----------------------------------------------------------------------===*/

#include "Scopes.h"

#include <stddef.h>

typedef struct psc_strand {
  PyObject_HEAD PyObject *body;
  prof_scope_context context;
  /* Scopes that wait, from the outermost. */
  psc_stack waiting;
  /* The list of strands in which scopes wait. */
  struct psc_strand *before, *after;
  PyObject *weak;
} psc_strand;

/* One step of a strand. */
typedef struct psc_step {
  uint32_t base;
  prof_scope_token link;
} psc_step;

/*===----------------------------------------------------------------------===*
 * Scopes that wait
 *===----------------------------------------------------------------------===*/

#ifndef Py_GIL_DISABLED
/* The GIL guards it. */
static psc_strand *waiting;

static void enlist(psc_strand *strand) {
  strand->before = NULL;
  strand->after = waiting;
  if (waiting)
    waiting->before = strand;
  waiting = strand;
}

static void delist(psc_strand *strand) {
  if (strand->before)
    strand->before->after = strand->after;
  else
    waiting = strand->after;
  if (strand->after)
    strand->after->before = strand->before;
}

int psc_take_waiting(uint64_t owner, prof_scope_token *token) {
  for (psc_strand *strand = waiting; strand; strand = strand->after)
    if (psc_take(&strand->waiting, owner, token))
      return 1;
  return 0;
}
#else
static void enlist(psc_strand *strand) {}
static void delist(psc_strand *strand) {}
int psc_take_waiting(uint64_t owner, prof_scope_token *token) { return 0; }
#endif

/* Forgets what waits, of a strand that is in the list if anything does. */
static void forget(psc_strand *strand) {
  if (!strand->waiting.entries)
    return;
  delist(strand);
  free(strand->waiting.entries);
  strand->waiting.entries = NULL;
  strand->waiting.depth = 0;
}

/*===----------------------------------------------------------------------===*
 * Steps
 *===----------------------------------------------------------------------===*/

/* Puts the strand's scopes on the thread's stack; 0 with an exception. */
static int enter_step(psc_strand *strand, psc_step *step) {
  psc_stack *stack = psc_reserve();
  if (!stack)
    return 0;
  step->base = stack->depth;
  step->link = prof_scope_enter(strand->context);
  for (uint32_t index = 0; index < strand->waiting.depth; ++index) {
    if (!(stack = psc_reserve())) {
      prof_scope_end(step->link);
      return 0;
    }
    psc_entry *entry = &stack->entries[stack->depth++];
    *entry = strand->waiting.entries[index];
    if (entry->token.thread && !(entry->owner & PSC_WAITS))
      prof_scope_resume(&entry->token);
  }
  forget(strand);
  return 1;
}

/* Takes them off again. Without memory they end. */
static void leave_step(psc_strand *strand, const psc_step *step) {
  psc_stack *stack = psc_current;
  uint32_t count = stack->depth > step->base ? stack->depth - step->base : 0;
  psc_entry *entries = count ? malloc(count * sizeof *entries) : NULL;
  while (stack->depth > step->base) {
    psc_entry *entry = &stack->entries[--stack->depth];
    if (entry->token.thread && !entries)
      prof_scope_end(entry->token);
    else if (entry->token.thread && !(entry->owner & PSC_WAITS))
      prof_scope_suspend(&entry->token);
    if (entries)
      entries[stack->depth - step->base] = *entry;
  }
  prof_scope_end(step->link);
  if (!entries)
    return;
  /* A thread that found the body running may have come in between. */
  forget(strand);
  strand->waiting.entries = entries;
  strand->waiting.depth = count;
  enlist(strand);
}

static PyObject *call_body(psc_strand *strand, const char *name,
                           PyObject *arguments) {
  psc_step step;
  PyObject *method = PyObject_GetAttrString(strand->body, name);
  if (!method || !enter_step(strand, &step)) {
    Py_XDECREF(method);
    return NULL;
  }
  PyObject *result = PyObject_Call(method, arguments, NULL);
  Py_DECREF(method);
  leave_step(strand, &step);
  return result;
}

static PyObject *send_strand(PyObject *self, PyObject *value) {
  PyObject *arguments = PyTuple_Pack(1, value);
  PyObject *result =
      arguments ? call_body((psc_strand *)self, "send", arguments) : NULL;
  Py_XDECREF(arguments);
  return result;
}

static PyObject *throw_strand(PyObject *self, PyObject *arguments) {
  return call_body((psc_strand *)self, "throw", arguments);
}

static PyObject *close_strand(PyObject *self, PyObject *unused) {
  PyObject *arguments = PyTuple_New(0);
  PyObject *result =
      arguments ? call_body((psc_strand *)self, "close", arguments) : NULL;
  Py_XDECREF(arguments);
  return result;
}

static PyObject *next_strand(PyObject *self) {
  psc_strand *strand = (psc_strand *)self;
  psc_step step;
  if (!Py_TYPE(strand->body)->tp_iternext)
    return send_strand(self, Py_None);
  if (!enter_step(strand, &step))
    return NULL;
  PyObject *result = Py_TYPE(strand->body)->tp_iternext(strand->body);
  leave_step(strand, &step);
  return result;
}

#if PY_VERSION_HEX >= 0x030A0000
static PySendResult step_strand(PyObject *self, PyObject *value,
                                PyObject **result) {
  psc_strand *strand = (psc_strand *)self;
  psc_step step;
  *result = NULL;
  if (!enter_step(strand, &step))
    return PYGEN_ERROR;
  PySendResult status = PyIter_Send(strand->body, value, result);
  leave_step(strand, &step);
  return status;
}
#endif

/*===----------------------------------------------------------------------===*
 * Objects
 *===----------------------------------------------------------------------===*/

static PyObject *new_strand(PyTypeObject *type, PyObject *arguments,
                            PyObject *named) {
  PyObject *body, *context = Py_None;
  if (!PyArg_ParseTuple(arguments, "O|O:Strand", &body, &context))
    return NULL;
  psc_strand *strand = (psc_strand *)type->tp_alloc(type, 0);
  if (!strand)
    return NULL;
  Py_INCREF(body);
  strand->body = body;
  strand->context = psc_read_context(context);
  return (PyObject *)strand;
}

static int visit_strand(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(((psc_strand *)self)->body);
  return 0;
}

static int clear_strand(PyObject *self) {
  Py_CLEAR(((psc_strand *)self)->body);
  return 0;
}

/* One that is given up while it waits: its scopes end as it unwinds. */
static void finish_strand(PyObject *self) {
  if (!((psc_strand *)self)->waiting.depth)
    return;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *closed = close_strand(self, NULL);
  if (!closed)
    PyErr_WriteUnraisable(self);
  Py_XDECREF(closed);
  PyErr_Restore(type, value, trace);
}

static void free_strand(PyObject *self) {
  psc_strand *strand = (psc_strand *)self;
  if (PyObject_CallFinalizerFromDealloc(self) < 0)
    return;
  PyObject_GC_UnTrack(self);
  if (strand->weak)
    PyObject_ClearWeakRefs(self);
  clear_strand(self);
  forget(strand);
  Py_TYPE(self)->tp_free(self);
}

/* Everything else is asked of the coroutine: cr_frame, __name__. */
static PyObject *get_attribute(PyObject *self, PyObject *name) {
  PyObject *found = PyObject_GenericGetAttr(self, name);
  PyObject *body = ((psc_strand *)self)->body;
  if (found || !body || !PyErr_ExceptionMatches(PyExc_AttributeError))
    return found;
  PyErr_Clear();
  return PyObject_GetAttr(body, name);
}

static PyObject *return_self(PyObject *self) {
  Py_INCREF(self);
  return self;
}

static PyObject *describe_strand(PyObject *self) {
  return PyUnicode_FromFormat("<strand of %R>", ((psc_strand *)self)->body);
}

static PyMethodDef strand_methods[] = {
    {"send", send_strand, METH_O, NULL},
    {"throw", throw_strand, METH_VARARGS, NULL},
    {"close", close_strand, METH_NOARGS, NULL},
    {NULL}};

static PyAsyncMethods strand_async = {
    .am_await = return_self,
#if PY_VERSION_HEX >= 0x030A0000
    .am_send = step_strand,
#endif
};

PyTypeObject psc_strand_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._scopes.Strand",
    .tp_doc = "Strand(coroutine, context=None)\n--\n\n"
              "A coroutine or generator whose scopes are suspended while it\n"
              "waits. Its outermost scopes hang below `context`.",
    .tp_basicsize = sizeof(psc_strand),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_weaklistoffset = offsetof(psc_strand, weak),
    .tp_new = new_strand,
    .tp_dealloc = free_strand,
    .tp_finalize = finish_strand,
    .tp_traverse = visit_strand,
    .tp_clear = clear_strand,
    .tp_getattro = get_attribute,
    .tp_repr = describe_strand,
    .tp_iter = return_self,
    .tp_iternext = next_strand,
    .tp_as_async = &strand_async,
    .tp_methods = strand_methods,
};
